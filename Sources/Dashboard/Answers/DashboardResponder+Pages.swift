import Evidence
import Gate
import HTTPTypes
import Logging
import Pages
import RunModel
import Storage
import TestResults

extension DashboardResponder {
    /// How many failed tests of a run are looked through for those that failed in a source file.
    private static let mostMarked = 2000

    /// A page of the list of runs, and whether it goes on; one more than it shows is requested, to know that.
    func runs(
        of project: String?, before: RunID?, filter: RunFilter, order: ListOrder?
    ) async throws -> (entries: [RunSummary], hasOlder: Bool) {
        let found = try page(
            project: project, before: before, filter: filter, order: order ?? .newestFirst, limit: Self.pageSize + 1)
        guard var entries = found else { throw Refusal.notFound }
        if let project { try demand(project) }
        let hasOlder = entries.count > Self.pageSize
        if hasOlder { entries.removeLast(entries.count - Self.pageSize) }
        return (entries, hasOlder)
    }

    func runsPage(project: String?, before: RunID?, filter: RunFilter, order: ListOrder?) async throws -> RunsPage {
        let (entries, hasOlder) = try await runs(of: project, before: before, filter: filter, order: order)
        let projects = try projects()
        let branches = try project.map { try store.branches(project: $0, limit: SheetPage.mostBranches) } ?? []
        return RunsPage(
            entries: entries, projects: projects, project: project, filter: filter, order: order,
            branches: branches.compactMap { $0.revision?.branch }, before: before, hasOlder: hasOlder, now: now(),
            links: links)
    }

    /// One run, with the lines around its failures.
    ///
    /// - Parameter commit: The commit that it is judged for, if that is another than it tested.
    func runPage(_ id: RunID, for commit: String?, _ context: DashboardContext) async throws -> RunPage {
        guard let stored = try commit.map({ try judged(id, for: $0) }) ?? store.run(id) else { throw Refusal.notFound }
        let places = RunPage.placesToExcerpt(of: stored.run)
        var sources = SourceTexts()
        do {
            for (place, bytes) in zip(places, try store.sources(of: id, places.map(\.path))) {
                sources[place.path] = bytes.map { SourceText($0, around: place.lines) }
            }
        } catch {
            guard !context.isGone() else { throw error }
            // A kept file that is damaged costs the excerpts; the verdict is seen anyway.
            let reason = String(reflecting: "\(error)")
            context.logger.warning("a run is shown without its sources", metadata: ["error": .string(reason)])
        }
        var run = stored.run
        if run.coverage != nil, let unexecuted = unexecuted(in: id, context) { run.coverage?.add(unexecuted) }
        return RunPage(
            run: run, verdict: stored.verdict, sources: sources, now: now(),
            comparison: try await comparison(of: stored),
            broken: try brokenTests(by: commit ?? stored.run.revision?.commit, project: stored.run.project),
            links: links)
    }

    /// What changed compared with the run of the base, or else with the latest run before that ran all tests.
    private func comparison(of stored: JudgedRun) async throws -> RunComparison? {
        if let base = stored.verdict.change?.baseRun, let found = try store.comparison(base, stored.run.id) {
            return found
        }
        let project = stored.run.project
        let base = try store.stateBefore(
            stored.run.id, of: project, on: try store.testedBranch(of: project), among: Self.pageSize)
        guard let base else { return nil }
        return try store.comparison(base.id, stored.run.id)
    }

    /// What the store does not keep of the coverage of a run, or of one file. Evidence that is damaged costs that and nothing else.
    private func unexecuted(in id: RunID, of path: String? = nil, _ context: DashboardContext) -> UnexecutedFiles? {
        do {
            return try store.unexecuted(in: id, of: path)
        } catch {
            guard !context.isGone() else { return nil }
            let reason = String(reflecting: "\(error)")
            context.logger.warning("a run is shown without parts of its coverage", metadata: ["error": .string(reason)])
            return nil
        }
    }

    /// One source file. The path is looked up in what the run recorded, byte for byte, and never opened.
    func sourcePage(_ id: RunID, path: String, _ context: DashboardContext) async throws -> SourcePage {
        guard let run = try store.summary(of: id) else { throw Refusal.notFound }
        var (text, isTooLarge): (SourceText?, Bool) = (nil, false)
        do {
            text = try store.source(of: id, path).map { SourceText($0) }
        } catch {
            guard case .tooLarge? = error as? EvidenceError else { throw error }
            isTooLarge = true
        }
        let measured = try store.coverage(of: path, in: id)
        guard text != nil || isTooLarge || measured != nil else { throw Refusal.notFound }
        var coverage = measured?.file
        if coverage != nil, let unexecuted = unexecuted(in: id, of: path, context) { coverage?.add(unexecuted) }
        let diagnostics = try run.exitStatus == .buildFailed ? store.diagnostics(of: id) : []
        let source = RecordedSource(
            path: path, run: run.head, coverage: coverage, hasExecutionCounts: measured?.hasExecutionCounts ?? true,
            failures: try store.failures(of: id, limit: Self.mostMarked),
            buildErrors: diagnostics.filter { $0.severity == .error }, text: text, isTooLarge: isTooLarge)
        let verdict = try verdict(of: id)
        try store.checkAwaited()
        return SourcePage(
            source, change: verdict.change, isExcluded: !verdict.countedPaths(path),
            tests: try store.testCounts(of: id, file: path), links: links)
    }

    /// What the gate said of a run; with a floor, also what it would say of the same run by that. Nothing of it is stored.
    func judgedPolicy(
        _ id: RunID, line: Percentage?
    ) async throws -> (verdict: Verdict, whatIf: (floor: Percentage, verdict: Verdict)?) {
        guard let floor = line else { return (try verdict(of: id), nil) }
        let stored = try judged(id)
        // A stored run has no lines of its base.
        var policy = stored.verdict.policy.withoutBase
        policy.modules = policy.modules.map { rule in
            var rule = rule
            if rule.floors.line != nil { rule.floors.line = floor }
            return rule
        }
        policy.defaultFloors.line = floor
        let other = try Verdict(judging: stored.run, by: policy, history: stored.verdict.lineHistory)
        return (stored.verdict, (floor: floor, verdict: other))
    }
}
