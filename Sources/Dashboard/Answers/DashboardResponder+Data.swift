import Exports
import Foundation
import Gate
import Pages
import RunModel
import Storage

extension DashboardResponder {
    /// The data behind a page, asked of the store in the same way.
    func dataAnswer(_ route: Route) async throws -> Answer {
        switch route {
        case .home, .wall:
            let running = running()
            return try json(
                try await homeStates().map { state in
                    ProjectResponse(
                        state, running.filter { Name($0.run.project) == Name(state.name) }, now: now())
                })
        case .machines: return try json(try machines().map { MachineResponse($0) })
        case .project(let name):
            let found = try await projectHistory(name)
            return try json(
                ProjectHistoryResponse(
                    project: ProjectResponse(found.state, running(project: name), now: now()),
                    runs: found.runs.map { RunResponse($0) },
                    modules: found.modules.map {
                        .init(run: $0.run.description, module: $0.module, lines: TallyResponse($0.lines))
                    },
                    branches: found.branches.map { RunResponse($0) },
                    workingCopies: found.workingCopies.map { RunResponse($0) }))
        case .branch(let name, let project): return try json(BranchResponse(try await branchState(name, of: project)))
        case .list(let list, let project, let tag, let order):
            return try await data(of: list, project: project, tag: tag, order)
        case .test(let test, let project):
            _ = try await entry(of: project)
            let points = try store.history(of: test, project: project, runs: SheetPage.historyOfTest)
            guard !points.isEmpty else { throw Refusal.notFound }
            return try json(points.map { HistoryResponse($0) })
        case .compare(let before, let after):
            guard let found = try store.comparison(before, after) else { throw Refusal.notFound }
            return try json(ComparisonResponse(found, try await change(in: found)))
        case .search(let text): return try json(SearchResponse(try await findings(text)))
        case .runs(let project, let before, let filter, let order):
            let (entries, hasOlder) = try await runs(of: project, before: before, filter: filter, order: order)
            let next =
                hasOlder
                ? entries.last.map {
                    Address(.runs(project: project, before: $0.id, filter: filter, order: order), isData: true)
                } : nil
            return try json(entries.map { RunResponse($0) }, next: next.map { links.href($0) })
        case .run(let id, let commit):
            let stored = try commit.map { try judged(id, for: $0) } ?? judged(id)
            let report = try JSONReport.render(stored.run, stored.verdict)
            return Answer.data(Array(report.utf8))
        case .tests(let id, let target, let tag, let order):
            let tests = try store.tests(of: id, target: target)?.tests.filter { Name($0.id.module) == Name(target) }
            guard let tests, !tests.isEmpty else { throw Refusal.notFound }
            return try json(tests.filter { $0.named.hasTag(tag) }.sorted(by: order).map { ResultResponse($0) })
        case .source(let id, let path):
            let stored = try judged(id, RunPart(tests: .none, files: .at(path)))
            guard let file = stored.run.coverage?.files.first(where: { Name($0.path) == Name(path) }) else {
                throw Refusal.notFound
            }
            let isExcluded = stored.verdict.countedFiles(of: stored.run).isEmpty
            return try json(FileResponse(file, isExcluded: isExcluded, withLines: true))
        case .who(let id, let path, let line):
            return try json(who(id, path: path, line: line))
        case .coverage(let id, let module, let order):
            let stored = try judged(id, RunPart(tests: .none))
            let files = (stored.run.coverage?.files ?? []).filter { file in
                module.map { Name(file.module) == Name($0) } ?? true
            }
            guard module == nil || !files.isEmpty else { throw Refusal.notFound }
            let counted = Set(stored.verdict.countedFiles(of: stored.run).map { Name($0.path) })
            return try json(
                files.map { MeasuredFile($0) }.sorted(by: order).map(\.file).map {
                    FileResponse($0, isExcluded: !counted.contains(Name($0.path)), withLines: false)
                })
        case .policy(let id, let line):
            let judged = try await judgedPolicy(id, line: line)
            return try json(PolicyResponse(judged.stored.verdict, whatIf: judged.whatIf))
        case .evidence(let id, _):
            let files = try evidence(id).files ?? []
            return try json(files.map { EvidenceResponse(path: $0.path, role: $0.role, bytes: $0.bytes) })
        case .badge(let project, _):
            let badge = Badge(try await state(of: try await entry(of: project)))
            return Answer.data(Array(try Self.encode(BadgeResponse(badge)).utf8))
        case .permalink(let project, let link):
            return data(of: try await run(of: project, by: link))
        case .latest(let project, let branch): return data(of: try await latest(project: project, branch: branch))
        case .commit(let commit): return data(of: try await latest(commit: commit, of: nil))
        case .live(let id): return try json(LiveResponse(try liveEntry(id), now: now()))
        case .feed, .stylesheet, .icon, .script, .events, .description, .metrics, .health: throw Refusal.notFound
        }
    }

    /// The way to the data of a run.
    private func data(of route: Route) -> Answer { .found(links.href(Address(route, isData: true))) }

    private func data(
        of list: ProjectList, project: String, tag: String?, _ order: ListOrder?
    ) async throws -> Answer {
        switch list {
        case .selection:
            return try json(try await selectionLedger(of: project).entries.map { TrialResponse($0) })
        case .unverified:
            return try json(
                try await audit(of: try await entry(of: project)).map { AuditResponse($0) } ?? AuditResponse())
        case .flaky:
            let tests = try await flaky(project, tag: tag, order)
            let names = try store.names(of: tests.map(\.id), project: project)
            let quarantine = try store.quarantine(of: project)
            return try json(
                tests.map { test in FlakyResponse(test, names[test.id], quarantine.first { $0.id == test.id }) })
        case .slow:
            let tests = try await slow(project, tag: tag, order)
            let names = try store.names(of: tests.map(\.id), project: project)
            return try json(tests.map { SlowResponse($0, names[$0.id]) })
        case .exceptions: return try json(ExceptionsResponse(try await exceptions(of: project)))
        case .known:
            return try json(
                try await latestWholeRun(of: project, list.part).judged?.run.knownIssues
                    .filter { $0.named.hasTag(tag) }.sorted(by: order)
                    .map { KnownIssueResponse($0) } ?? [])
        case .exclusions:
            return try json(
                try await latestWholeRun(of: project, list.part).judged.map {
                    $0.run.exclusions(under: $0.verdict.policy)
                }?
                .sorted(by: order).map { ExclusionResponse($0) } ?? [])
        }
    }

    private func judged(_ id: RunID, _ part: RunPart = RunPart()) throws -> JudgedRun {
        guard let stored = try store.run(id, part) else { throw Refusal.notFound }
        return stored
    }

    /// A run as it is judged for a commit.
    func judged(_ id: RunID, for commit: String) throws -> JudgedRun {
        guard let stored = try store.run(id, for: commit) else { throw Refusal.notFound }
        return stored
    }

    private func json(_ data: some Encodable, next: String? = nil) throws -> Answer {
        let text = try Self.encode(DataResponse(data: data, next: next))
        return Answer.data(Array(text.utf8))
    }

    /// Keys sorted, so that the same data has the same tag.
    static func encode(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        return String(decoding: try encoder.encode(value), as: UTF8.self) + "\n"
    }
}
