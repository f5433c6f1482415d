import Exports
import Gate
import Pages
import RunModel
import Storage

/// `/runs/ID`: one run.
struct RunReport: LastingPage {
    let id: RunID
    /// The commit that it is judged for, if that is another than it tested.
    let commit: String?

    var rights: PageRights { .runs([id]) }

    static let description = [
        DataDescription(
            path: "/runs/{run}.json", summary: "One run and its verdict, in the form of docs/report.schema.json.",
            query: [], fields: nil, isList: false)
    ]

    /// The page; for a run in progress a redirect to its live page.
    func page(_ server: DashboardResponder, _ visit: Visit) async throws -> Answer {
        do {
            return try server.render(try await server.runPage(id, for: commit, visit.context))
        } catch Refusal.notFound where server.live.find(id) != nil {
            return .found(server.links.href(.live(id)))
        }
    }

    func data(_ server: DashboardResponder) async throws -> Answer {
        let stored = try commit.map { try server.judged(id, for: $0) } ?? server.judged(id)
        try server.store.checkAwaited()
        return Answer.data(
            Array(try JSONReport.render(stored.run, stored.verdict, most: Self.mostAsData).utf8))
    }

    /// How many tests, failures, violations and files an answer with data has at most.
    static let mostAsData = 20_000

    func isReport(asData: Bool) -> Bool { asData }

    func evidence(asData: Bool) -> [RunID] { asData ? [] : [id] }
}

/// `/runs/ID/live`: a run in progress.
struct LiveRunPage: ServedPage {
    let id: RunID

    var rights: PageRights { .runs([id]) }

    static let description = DataDescription.object(
        "/runs/{run}/live.json", of: LiveResponse.self, "A run in progress; 404 once it is stored.")

    func page(_ server: DashboardResponder, _ visit: Visit) async throws -> Answer { try await server.livePage(id) }

    func data(_ server: DashboardResponder) async throws -> Answer {
        try server.json(LiveResponse(try server.liveEntry(id), now: server.now()))
    }
}

/// `/runs/ID/events`: the changes on that page, as server-sent events.
struct LiveEvents: ServedPage {
    let id: RunID

    var rights: PageRights { .runs([id]) }

    func page(_ server: DashboardResponder, _ visit: Visit) async throws -> Answer {
        try server.liveEvents(id, visit.context)
    }
}

/// `/runs/ID/tests`: the tests of one target.
struct TargetPage: LastingPage {
    let id: RunID
    let target: String
    let tag: String?
    let order: ListOrder?
    let from: Int?

    var rights: PageRights { .runs([id]) }

    static let description = DataDescription.list(
        "/runs/{run}/tests.json", of: ResultResponse.self, query: ["target", "tag?", "sort?", "order?", "from?"],
        "The tests of one target in one run, all or those with one tag; `next` is the address of those behind.")

    func page(_ server: DashboardResponder, _ visit: Visit) async throws -> Answer {
        guard let (run, tests) = try server.store.tests(of: id, target: target),
            let page = TestsPage(
                target: target, run: run, tests: tests, tag: tag, order: order, from: from ?? 1, most: TestsPage.most,
                links: server.links)
        else { throw Refusal.notFound }
        try server.store.checkAwaited()
        return try server.render(page)
    }

    func data(_ server: DashboardResponder) async throws -> Answer {
        let tests = try server.store.tests(of: id, target: target)?.tests
            .filter { Name($0.id.module) == Name(target) }
        guard let tests, !tests.isEmpty else { throw Refusal.notFound }
        let all = tests.filter { $0.named.hasTag(tag) }.sorted(by: order)
        let shown = all.dropFirst((from ?? 1) - 1).prefix(Self.mostAsData)
        let next =
            shown.endIndex < all.endIndex
            ? Address(.tests(id, target: target, tag: tag, order: order, from: shown.endIndex + 1), isData: true) : nil
        return try server.json(shown.map { ResultResponse($0) }, next: next.map { server.links.href($0) })
    }

    /// How many tests an answer with data has at most.
    static let mostAsData = 20_000
}

/// `/runs/ID/source`: one source file. The path is looked up in what the run recorded, byte for byte, and never opened.
struct SourceFilePage: LastingPage {
    let id: RunID
    let path: String

    var rights: PageRights { .runs([id]) }

    func evidence(asData: Bool) -> [RunID] { asData ? [] : [id] }

    static let description = DataDescription.object(
        "/runs/{run}/source.json", of: FileResponse.self, query: ["path"],
        "The executable lines of a file, each with its count.")

    /// How many of them an answer has at most.
    static let mostLines = 50_000

    func page(_ server: DashboardResponder, _ visit: Visit) async throws -> Answer {
        try server.render(try await server.sourcePage(id, path: path, visit.context))
    }

    func data(_ server: DashboardResponder) async throws -> Answer {
        let verdict = try server.verdict(of: id)
        guard let file = try server.store.coverage(of: path, in: id)?.file else { throw Refusal.notFound }
        return try server.json(FileResponse(file, isExcluded: !verdict.countedPaths(path), lines: Self.mostLines))
    }
}

/// `/runs/ID/who`: the tests that execute a line.
struct LineTestsPage: LastingPage {
    let id: RunID
    let path: String
    let line: Int

    var rights: PageRights { .runs([id]) }

    func evidence(asData: Bool) -> [RunID] { [id] }

    static let description = DataDescription.object(
        "/runs/{run}/who.json", of: LineTestsForm.self, query: ["path", "at"],
        "The tests that execute a line of a file, as far as they were recorded.")

    func page(_ server: DashboardResponder, _ visit: Visit) async throws -> Answer {
        try server.render(server.whoPage(id, path: path, line: line))
    }

    func data(_ server: DashboardResponder) async throws -> Answer {
        try server.json(try server.who(id, path: path, line: line))
    }
}

/// `/runs/ID/coverage`: the coverage of a run, of all modules or of one.
struct CoveragePage: LastingPage {
    let id: RunID
    let module: String?
    let order: ListOrder?

    var rights: PageRights { .runs([id]) }

    func evidence(asData: Bool) -> [RunID] { asData || module == nil ? [] : [id] }

    static let description = DataDescription.list(
        "/runs/{run}/coverage.json", of: FileResponse.self, query: ["module?", "sort?", "order?"],
        "The files of a run with their lines covered.")

    func page(_ server: DashboardResponder, _ visit: Visit) async throws -> Answer {
        try await server.render(server.coveragePage(id, module: module, order: order))
    }

    func data(_ server: DashboardResponder) async throws -> Answer {
        let verdict = try server.verdict(of: id)
        let coverage = try server.store.coverage(of: id)
        let files = (coverage?.files ?? []).filter { file in
            module.map { Name(file.module) == Name($0) } ?? true
        }
        guard module == nil || !files.isEmpty else { throw Refusal.notFound }
        let counted = Set(verdict.countedFiles(of: coverage).map { Name($0.path) })
        return try server.json(
            files.map { MeasuredFile($0) }.sorted(by: order).map(\.file).map {
                FileResponse($0, isExcluded: !counted.contains(Name($0.path)))
            })
    }
}

/// `/runs/ID/policy`: the policy of a run, and the result with another floor.
struct PolicyPage: LastingPage {
    let id: RunID
    let line: Percentage?

    var rights: PageRights { .runs([id]) }

    static let description = [
        DataDescription(
            path: "/runs/{run}/policy.json",
            summary: "The policy of a run, and the result if every module needed `line` % of its lines.",
            query: ["line?"], fields: ["decision", "policy", "modules", "whatIf?"], isList: false)
    ]

    func page(_ server: DashboardResponder, _ visit: Visit) async throws -> Answer {
        guard let run = try server.store.summary(of: id) else { throw Refusal.notFound }
        let (verdict, whatIf) = try await server.judgedPolicy(id, line: line)
        return try server.render(.policy(run, verdict, whatIf: whatIf, links: server.links))
    }

    func data(_ server: DashboardResponder) async throws -> Answer {
        let judged = try await server.judgedPolicy(id, line: line)
        return try server.json(PolicyResponse(judged.verdict, whatIf: judged.whatIf))
    }

    func isReport(asData: Bool) -> Bool { line != nil }
}

/// `/runs/ID/evidence`: the files that a run left behind.
struct EvidencePage: ServedPage {
    let id: RunID

    var rights: PageRights { .runs([id]) }

    static let description = DataDescription.list(
        "/runs/{run}/evidence.json", of: EvidenceResponse.self,
        "The files that a run left behind, each with its path, its role and its bytes.")

    func page(_ server: DashboardResponder, _ visit: Visit) async throws -> Answer {
        let found = try server.evidence(id)
        return try server.render(.evidence(found.files, of: found.run, links: server.links))
    }

    func data(_ server: DashboardResponder) async throws -> Answer {
        let files = try server.evidence(id).files ?? []
        return try server.json(files.map { EvidenceResponse(path: $0.path, role: $0.role, bytes: $0.bytes) })
    }
}

/// One of those files, as it is.
struct EvidenceDownload: ServedPage {
    let id: RunID
    let file: String

    var rights: PageRights { .runs([id]) }

    func evidence(asData: Bool) -> [RunID] { [id] }

    func page(_ server: DashboardResponder, _ visit: Visit) async throws -> Answer {
        try server.evidenceFile(id, file)
    }
}

/// `/compare`: two runs and everything in which they differ.
struct ComparisonPage: ServedPage {
    let before: RunID
    let after: RunID

    var rights: PageRights { .runs([before, after]) }

    static let description = DataDescription.object(
        "/compare.json", of: ComparisonForm.self, query: ["before", "after"], "What changed from one run to another.")

    // Not one function for both: Swift 6.3 makes the frame of that one too small for so large a pair (scripts/check.d/frames.py).
    private func comparison(_ server: DashboardResponder) throws -> RunComparison {
        guard let found = try server.store.comparison(before, after) else { throw Refusal.notFound }
        return found
    }

    func page(_ server: DashboardResponder, _ visit: Visit) async throws -> Answer {
        let comparison = try comparison(server)
        let change = try await server.change(in: comparison)
        try server.store.checkAwaited()
        return try server.render(.comparison(comparison, change: change, now: server.now(), links: server.links))
    }

    func data(_ server: DashboardResponder) async throws -> Answer {
        let comparison = try comparison(server)
        let change = try await server.change(in: comparison)
        try server.store.checkAwaited()
        return try server.json(ComparisonForm(comparison, change, most: Self.mostAsData))
    }

    /// How many changes, slower tests, modules and files an answer with data has at most.
    static let mostAsData = 10_000

    func isReport(asData: Bool) -> Bool { true }
}
