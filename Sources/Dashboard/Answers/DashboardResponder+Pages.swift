import Gate
import HTTPTypes
import Logging
import Pages
import RunModel
import Storage

extension DashboardResponder {
    /// A page of the list of runs, and whether it goes on; one more than it shows is asked for, to know that.
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

    /// The list of runs.
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
        let paths = RunPage.pathsToExcerpt(of: stored.run)
        var sources = SourceTexts()
        do {
            for (path, bytes) in zip(paths, try store.sources(of: id, paths)) {
                sources[path] = bytes.map { SourceText($0) }
            }
        } catch {
            guard !context.isGone() else { throw error }
            // A kept file that is damaged costs the excerpts; the verdict is seen anyway.
            let reason = String(reflecting: "\(error)")
            context.logger.warning("a run is shown without its sources", metadata: ["error": .string(reason)])
        }
        return RunPage(
            run: await detailed(stored.run, context), verdict: stored.verdict, sources: sources, now: now(),
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

    /// The run with what the store does not keep of its coverage. Evidence that is damaged costs that and nothing else.
    private func detailed(_ run: TestRun, _ context: DashboardContext) async -> TestRun {
        guard let coverage = run.coverage else { return run }
        var run = run
        do {
            run.coverage = try store.complete(coverage, of: run.id)
        } catch {
            guard !context.isGone() else { return run }
            let reason = String(reflecting: "\(error)")
            context.logger.warning("a run is shown without parts of its coverage", metadata: ["error": .string(reason)])
        }
        return run
    }

    /// One source file. The path is looked up in what the run recorded, byte for byte, and never opened.
    func sourcePage(_ id: RunID, path: String, _ context: DashboardContext) async throws -> SourcePage {
        guard let stored = try store.run(id, RunPart(tests: .notable, files: .at(path))) else {
            throw Refusal.notFound
        }
        let text = try store.sources(of: id, [path]).first.flatMap { $0 }.map { SourceText($0) }
        let page = SourcePage(
            path: path, run: await detailed(stored.run, context), text: text, change: stored.verdict.change,
            isExcluded: stored.run.coverage?.files.isEmpty == false
                && stored.verdict.countedFiles(of: stored.run).isEmpty,
            tests: try store.testCounts(of: id, file: path), links: links)
        guard let page else { throw Refusal.notFound }
        return page
    }

    /// A run; with a floor, what the same run would be judged by it. Nothing of that is stored.
    func judgedPolicy(
        _ id: RunID, line: Percentage?
    ) async throws -> (stored: JudgedRun, whatIf: (floor: Percentage, verdict: Verdict)?) {
        guard let stored = try store.run(id) else { throw Refusal.notFound }
        let whatIf = try line.map { floor in
            // A stored run has no lines of its base.
            var policy = stored.verdict.policy.withoutBase
            policy.modules = policy.modules.map { rule in
                var rule = rule
                if rule.floors.line != nil { rule.floors.line = floor }
                return rule
            }
            policy.defaultFloors.line = floor
            return (
                floor: floor, verdict: try Verdict(judging: stored.run, by: policy, history: stored.verdict.lineHistory)
            )
        }
        return (stored, whatIf)
    }
}
