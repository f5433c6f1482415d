import Access
import CodeCoverage
import Foundation
import Gate
import HTTPTypes
import Pages
import RunModel
import Storage

extension DashboardResponder {
    /// How many tests a list of slow or flaky ones has.
    static let mostTests = SheetPage.listLength
    /// How many waivers have a link to the run of their commit, because each is looked up.
    private static let mostLinkedWaivers = 200
    /// How many verdicts on one commit are looked at.
    static let mostVerdicts = 50
    /// How many branches are on the first page.
    private static let mostChanges = 10

    /// How every project stands.
    func homeStates() throws -> [ProjectState] { try projects().map { try watchedState(of: $0) } }

    /// The latest full runs of branches that are changes, of all projects, the newest first.
    func latestChanges() throws -> [RunSummary] {
        let runs = try projectNames().flatMap { project in
            let target = try store.defaultBranch(of: project)?.name
            return try store.branches(project: project, limit: Self.mostChanges + 1)
                .filter { !$0.isOn(target ?? "") }
        }
        return Array(runs.sorted { ($0.startedAt, $0.id) > ($1.startedAt, $1.id) }.prefix(Self.mostChanges))
    }

    /// What the page of a project is made of.
    struct ProjectHistory {
        let state: ProjectState
        let runs: [RunSummary]
        let modules: [ModuleInRun]
        let branches: [RunSummary]
        let workingCopies: [RunSummary]
    }

    /// One project over its last runs, as values.
    func projectHistory(_ name: String) async throws -> ProjectHistory {
        let state = try watchedState(of: try await entry(of: name))
        return ProjectHistory(
            state: state, runs: try store.wholeRuns(project: name, branch: state.branch, limit: SheetPage.chartedRuns),
            modules: try store.modules(project: name, branch: state.branch, runs: SheetPage.chartedRuns),
            branches: try store.branches(project: name, limit: SheetPage.mostBranches),
            workingCopies: try store.runsOfWorkingCopies(project: name, limit: SheetPage.listedWorkingCopies))
    }

    /// When the runs began in which flaky tests are looked for.
    var flakySince: Date { now().addingTimeInterval(-Double(FlakyList.days) * 86_400) }

    /// The flaky and broken tests of a project.
    func flaky(_ request: ListRequest) async throws -> [FlakyTest] {
        try demand(request.project)
        var tests = try store.flakiest(
            project: request.project, since: flakySince,
            limit: request.owner == nil ? Self.mostTests : RunOwners.mostTests, tag: request.tag,
            kind: request.kept.flatMap { FlakyTest.Kind(rawValue: $0) })
        if let owner = request.owner {
            let owned = try owned(by: owner, among: tests.map(\.id), project: request.project)
            tests = Array(tests.filter { owned.contains($0.id) }.prefix(Self.mostTests))
        }
        return tests.sorted(by: request.order)
    }

    /// The slow tests of a project.
    func slow(_ request: ListRequest) async throws -> [SlowTest] {
        try demand(request.project)
        var owned: Set<TestID>?
        if let owner = request.owner {
            let timed = try store.latestDurations(project: request.project)
                .sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            owned = try self.owned(
                by: owner, among: timed.prefix(RunOwners.mostTests).map(\.key), project: request.project)
        }
        return try store.slowest(
            project: request.project, limit: Self.mostTests, runs: SheetPage.chartedRuns, tag: request.tag,
            among: owned
        ).sorted(by: request.order)
    }

    /// The exceptions that the gate makes in a project, as of the latest full run of the default branch.
    func exceptions(of project: String) async throws -> (run: RunSummary?, exceptions: Exceptions?) {
        let run = try latestWholeRun(of: project)
        guard let run, let verdict = try store.verdict(of: run), let facts = try store.facts(of: run.id) else {
            return (run, nil)
        }
        var exceptions = Exceptions(verdict, disabledTargets: facts.selection?.disabledTargets ?? [])
        for index in exceptions.waivers.indices.prefix(Self.mostLinkedWaivers) {
            let commit = exceptions.waivers[index].waiver.commit
            exceptions.waivers[index].run =
                try store.verdicts(on: commit.lowercased(), in: .named([project]), limit: 1).first
        }
        return (run, exceptions)
    }

    /// The commits of the default branch of a project that have not passed.
    func audit(of project: ProjectSummary) async throws -> CommitAudit? {
        let branch = try store.defaultBranch(of: project.name)
        var audit = try await branchAudit(project.name, branch?.name ?? "main")
        for index in audit?.entries.indices ?? 0..<0 {
            guard let entry = audit?.entries[index], let run = entry.run else { continue }
            let told = try store.verdicts(on: entry.commit, in: .named([project.name]), limit: Self.mostVerdicts)
                .first { $0.id == run }
            // What was judged for the list alone is stored nowhere.
            guard let told, told.decision == entry.decision else { continue }
            audit?.entries[index].judgedCommit = told.judgedCommit
        }
        return audit
    }

    /// How a test ended in its runs, the newest first.
    func history(of test: TestID, project: String) async throws -> [TestHistoryEntry] {
        try demand(project)
        let points = try store.history(of: test, project: project, runs: SheetPage.historyOfTest)
        guard !points.isEmpty else { throw Refusal.notFound }
        return points
    }

    /// How a test fared over months, and the entry of the quarantine that it could have; `nil` for one that its last runs do not show as
    /// flaky, nor as broken after it was.
    func flakiness(
        of test: TestID, _ points: [TestHistoryEntry], project: String
    ) async throws -> TestFlakiness? {
        let branch = try store.testedBranch(of: project)
        let lately = FlakeHistory(
            of: test, points.compactMap { FlakeHistory.Execution($0) }, on: branch,
            since: points.last?.startedAt ?? now(), runs: points.count)
        guard lately.kind != nil else { return nil }
        let since = now().addingTimeInterval(-Double(FlakeHistory.days) * 86_400)
        let found = try store.flakeHistory(of: test, project: project, since: since, runs: FlakeHistory.mostRuns)
        guard let found, found.kind != nil else { return nil }
        return TestFlakiness(
            history: found,
            proposal: QuarantineProposal(
                found, owners: try await owners(of: [test], project: project)[test] ?? [],
                quarantine: try store.quarantine(of: project), today: CalendarDay(now())))
    }

    /// One test over its runs.
    func testPage(_ test: TestID, project: String) async throws -> SheetPage {
        let points = try await history(of: test, project: project)
        // A working copy is to blame for nothing that a commit did.
        let exact = points.filter(\.isExact)
        let branch = exact.first?.branch
        let regression = try await regression(of: test, among: exact.filter { $0.branch == branch })
        let named = try store.named(test, project: project)
        return .test(
            test, title: named?.title, tags: named?.tags ?? [], project: project, points: points,
            regression: regression, broken: try broken(regression, project: project, branch: branch),
            flakiness: try await flakiness(of: test, points, project: project),
            executed: try executed(by: test, of: project),
            between: try await runs(between: regression, project: project), now: now(), links: links)
    }

    /// What broke a test that fails now, as far as anybody has looked, with the runs of the commits.
    private func broken(_ regression: Regression?, project: String, branch: String?) throws -> FoundCulprit? {
        guard let test = regression?.test,
            let culprit = try store.regressions(
                of: [test], project: project, branch: branch, runs: SheetPage.historyOfTest
            ).first?.culprit
        else { return nil }
        var runs: [String: RunSummary] = [:]
        for suspect in culprit.suspects {
            runs[suspect.commit] = try store.verdicts(on: suspect.commit, in: .named([project]), limit: 1).first
        }
        return FoundCulprit(culprit, runs: runs)
    }

    /// The tests that a commit of a project broke, as far as anybody has looked.
    func brokenTests(by commit: String?, project: String) throws -> [FoundCulprit] {
        guard let commit else { return [] }
        let found = try store.culprits(commit: commit, project: project, limit: Self.mostTests)
        let titles = try store.titles(of: found.map(\.test), project: project)
        return found.map { FoundCulprit($0, title: titles[$0.test]) }
    }

    /// The coverage of a run, of all modules or of one.
    func coveragePage(_ id: RunID, module: String?, order: ListOrder?) async throws -> SheetPage {
        guard let run = try store.summary(of: id) else { throw Refusal.notFound }
        let coverage = try store.coverage(of: id)
        var trend: [(run: RunSummary, lines: CoverageTally)] = []
        if let module {
            let branch = try store.testedBranch(of: run.project)
            let runs = try store.wholeRuns(project: run.project, branch: branch, limit: SheetPage.chartedRuns)
            let modules = try store.modules(project: run.project, branch: branch, runs: SheetPage.chartedRuns)
                .filter { Name($0.module) == Name(module) }
            let lines = Dictionary(modules.map { ($0.run, $0.lines) }) { first, _ in first }
            trend = runs.compactMap { run in lines[run.id].map { (run, $0) } }
        }
        let sole = try module.map { try functionsOfOneTest(in: $0, coverage, of: id) } ?? []
        let names = try sole.isEmpty ? FunctionNames() : store.functionNames(of: id)
        let page = SheetPage.coverage(
            run.head, coverage, try verdict(of: id), module: module, order: order, sole: sole,
            titles: try store.titles(of: sole.map(\.test), project: run.project), names: { names[$0] },
            trend: trend, links: links)
        guard let page else { throw Refusal.notFound }
        return page
    }

    /// How the later run covers the lines that changed since the earlier one: as it was judged where that is its base, or else as
    /// a repository tells; `nil` where nobody knows.
    func change(in comparison: RunComparison) async throws -> ChangeStatus? {
        let (before, after) = (comparison.before, comparison.after)
        guard !before.isUntested, !after.isUntested, !after.isPartial else { return nil }
        let known = try store.verdict(of: after)?.change
        if let known, known.baseRun == before.id { return known }
        return try await changedLines(before.id, after.id, after.project)
    }

    /// The runs of a branch behind the last in which a test passed, up to the first in which it failed.
    private func runs(between regression: Regression?, project: String) async throws -> [RunSummary] {
        guard let regression, let passed = regression.lastPassed else { return [] }
        let newer = try store.trustedRuns(of: project, before: regression.since.id, limit: SheetPage.historyOfTest)
        let branch = regression.since.revision?.branch
        let between = newer.prefix { $0.id != passed.id }.filter { $0.isOfBranch && $0.isOn(branch) }
        return [regression.since] + between.prefix(Self.pageSize)
    }

    /// The latest full run on the default branch; `nil` where none is stored.
    func latestWholeRun(of project: String) throws -> RunSummary? {
        try demand(project)
        return try latestState(of: project).run
    }

    /// Refuses a project that does not exist for the reader.
    func demand(_ project: String) throws {
        guard reader.sees(project), try store.hasProject(project) else { throw Refusal.notFound }
    }

    /// The project of this name, byte for byte.
    func entry(of project: String) async throws -> ProjectSummary {
        guard reader.sees(project), let found = try store.project(named: project) else { throw Refusal.notFound }
        return found
    }
}

extension RunSummary {
    /// Whether the run tested this branch, byte for byte; without a branch every run does.
    func isOn(_ branch: String?) -> Bool {
        guard let branch else { return true }
        return self.revision?.branch.map(Name.init) == Name(branch)
    }
}
