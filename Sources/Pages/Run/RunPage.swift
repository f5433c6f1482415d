public import Foundation
public import Gate
public import RunModel
public import Web
import Wording

/// One run: the verdict first, then everything that explains it.
public struct RunPage: Page {
    /// The template it is rendered with.
    public static let template = WebFile.runPage
    /// Title and way back.
    public let frame: PageFrame

    let revision: RevisionWords
    let moment: Moment
    let duration: String
    let compiler: String?
    let verdict: VerdictBox
    let tiles: [Tile]
    let related: RelatedPages?
    let buildErrors: BuildErrors?
    let failures: FailureList?
    let brokenHere: SheetSection?
    let differences: SheetSection?
    let base: BaseBox?
    let estimate: SheetSection?
    let modules: ModuleTable?
    let files: FileLists?
    let change: ChangeSection?
    let targets: TargetTable?
    let unsettled: UnsettledList?
    let remarks: RemarkLists?
    let details: RunDetails

    /// Makes the page.
    ///
    /// - Parameters:
    ///   - run: What happened.
    ///   - verdict: How it was judged.
    ///   - sources: The texts of the files in `placesToExcerpt(of:)`, as far as the run kept them.
    ///   - now: The moment that relative times refer to; without one, times are told as they were.
    ///   - comparison: What changed against the run before it, if there is one to compare with.
    ///   - broken: The tests that its commit broke, as far as anybody has looked.
    ///   - links: How links are written.
    public init(
        run: TestRun,
        verdict: Verdict,
        sources: SourceTexts,
        now: Date?,
        comparison: RunComparison? = nil,
        broken: [FoundCulprit] = [],
        links: Links = .dashboard
    ) {
        let anchors = RunAnchors(
            RunLinks(run.id, project: run.project, links), tests: run.tests, modules: verdict.modules)
        revision = RevisionWords(
            run.revision, run.delivery, isOfBranch: RunSummary(run, verdict).isOfBranch,
            doubt: RunSummary(run, verdict).doubt, package: run.package, project: run.project, links: links)
        moment = Moment(run.startedAt, now: now)
        duration = Figures.duration(run.duration)
        compiler = run.toolchain.map(\.swiftVersion).flatMap(Self.shortVersion)
        self.verdict = VerdictBox(verdict, of: run, anchors: anchors)
        frame = PageFrame(
            title:
                "\(verdict.decision.sign) \(verdict.decision.word): \(run.package) \(run.revision?.shownCommit.map { String($0.prefix(8)) } ?? run.id.short)",
            crumbs: [Link(run.project, links.project(run.project))], here: "run \(run.id.short)",
            links: links
        )
        tiles = Tile.all(run, verdict)
        buildErrors = BuildErrors(run, links: anchors.links, sources: sources)
        let owners = RunOwners(run, verdict)
        failures = FailureList(
            anchors, verdict, owners, FailureExplanation(verdict, of: run), sources: sources)
        brokenHere = SheetSection(brokenHere: broken, project: run.project, links: links)
        differences = comparison.map { SheetSection(differences: $0, project: run.project, links: links) }
        related = RelatedPages(run, comparison, links: links)
        base = BaseBox(verdict.base, links)
        estimate = verdict.estimate.map { SheetSection(estimate: $0, links: links) }
        // What a few tests cover of a module says nothing, and they were few on purpose.
        let statuses = (run.selection.mappedBy == nil ? verdict.modules : []).enumerated()
        let counted = CountedFiles(run.coverage, verdict)
        let measured = Dictionary(grouping: run.coverage?.files ?? []) { Name($0.module) }
        var room = FileLists.most
        let lists = statuses.map { index, status in
            let list = ModuleFiles(
                status, number: index + 1, files: measured[Name(status.module)] ?? [], most: room, counted: counted,
                links: anchors.links)
            room -= list?.rows.count ?? 0
            return list
        }
        let rows = statuses.map { index, status in
            ModuleRow(
                status, number: index + 1, hasFiles: lists[index] != nil,
                owners: OwnerWords.sentence(owners.owners(ofModule: status.module)))
        }
        modules = rows.isEmpty ? nil : ModuleTable(rows: rows)
        let files = lists.compactMap { $0 }
        self.files = files.isEmpty ? nil : FileLists(lists: files)
        change = ChangeSection(run, verdict, links: anchors.links)
        targets = run.tests.isEmpty ? nil : TargetTable(rows: TestTargetRow.all(run.tests, links: anchors.links))
        unsettled = UnsettledList(run.tests, links: anchors.links)
        remarks = RemarkLists(run, verdict, owners, links: anchors.links)
        details = RunDetails(run, verdict, owners, now: now, links: links)
    }

    /// The files of which the page shows lines in place.
    public static func pathsToExcerpt(of run: TestRun) -> [String] { placesToExcerpt(of: run).map(\.path) }

    /// The same with these lines: where tests failed and where the compiler stopped.
    public static func placesToExcerpt(of run: TestRun) -> [(path: String, lines: [Int])] {
        let failures = run.tests.filter(\.outcome.isFailure).prefix(FailureCard.most)
        let places = failures.flatMap { test in test.issues.prefix(IssueWords.most).map(\.location) + [test.location] }
        let errors = BuildErrors.all(run).prefix(BuildErrors.most).map(\.location)
        var found: [(path: String, lines: [Int])] = []
        var indices: [Name: Int] = [:]
        for place in (places + errors).compactMap({ $0 }) {
            if let index = indices[Name(place.path)] {
                found[index].lines.append(place.line)
            } else {
                indices[Name(place.path)] = found.count
                found.append((path: place.path, lines: [place.line]))
            }
        }
        return found
    }

    /// `Swift 6.3.1` of the first line of `swift --version`.
    private static func shortVersion(_ line: String) -> String? {
        let words = line.split(separator: " ")
        guard let index = words.firstIndex(of: "version"), index + 1 < words.count else { return nil }
        return "Swift \(words[index + 1])"
    }
}
