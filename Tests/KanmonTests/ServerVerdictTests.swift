import Access
import Delivery
import Evidence
import FaultServer
import Foundation
import Gate
import RunModel
import SettingsFile
import Testing

@testable import Application

/// A machine that asks a server, which may be away, slow, or lie: then it runs the tests.
@Suite struct ServerVerdictTests {
    private let repository: SampleRepository
    private let key: ServerKey

    init() async throws {
        repository = try await SampleRepository()
        key = ServerKey(path: "\(repository.folder.path)/server.key")
    }

    /// The question in the line of a request.
    private static func question(_ line: String) -> VerdictQuestion? {
        guard let query = line.split(separator: "?").last else { return nil }
        var fields: [String: String] = [:]
        for pair in query.split(separator: "&") {
            let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard sides.count == 2 else { return nil }
            fields[String(sides[0])] = sides[1].removingPercentEncoding
        }
        guard let project = fields["project"], let tree = fields["tree"], let folder = fields["folder"],
            let nonce = fields["nonce"]
        else { return nil }
        return VerdictQuestion(project: project, tree: tree, folder: folder, inputs: fields["inputs"], nonce: nonce)
    }

    /// What an honest server would say.
    private static func statement(_ question: VerdictQuestion, _ policy: Policy) -> VerdictStatement {
        VerdictStatement(
            answering: question, run: RunID(milliseconds: 1, random: (1, 1)),
            manifest: String(repeating: "0", count: 64), decision: "passed", exitStatus: 0,
            policy: Digest.sha256(of: policy) ?? "", base: nil, trust: .ci, token: "ci", host: "agent-7", build: nil,
            startedAt: Date() - 60, answeredAt: Date(), passedTests: 3, failedTests: 0,
            lines: CoverageTally(covered: 9, total: 10), page: "/runs/1")
    }

    /// What comes of a question.
    ///
    /// - Parameters:
    ///   - change: How the server lies.
    ///   - signed: What it does to what it has signed.
    private func answer(
        from server: FaultServer, with pinned: ServerKey? = nil, within timeout: Duration = .seconds(600),
        policy: Policy? = nil,
        _ change: @escaping @Sendable (inout VerdictStatement) -> Void = { _ in },
        signed: @escaping @Sendable (inout SignedStatement) -> Void = { _ in }
    ) async throws -> ServerVerdict? {
        let own = try await repository.question(repository.process()).settings.policy
        let key = key
        server.fail { request, _ in
            guard let question = Self.question(request.line) else { return nil }
            var statement = Self.statement(question, policy ?? own)
            change(&statement)
            let encoder = JSONEncoder()
            encoder.dateEncodingStrategy = .iso8601
            guard let text = try? encoder.encode(statement),
                var answer = try? key.sign(String(decoding: text, as: UTF8.self))
            else { return .cut }
            signed(&answer)
            guard let body = try? JSONEncoder().encode(VerdictReply(answer)) else { return .cut }
            return .status(200, body: String(decoding: body, as: UTF8.self))
        }
        return try await ask(server, with: pinned, within: timeout)
    }

    private func ask(
        _ server: FaultServer, with pinned: ServerKey? = nil, within timeout: Duration = .seconds(600),
        settings: String = SampleRepository.settings, _ more: [String: String] = [:]
    ) async throws -> ServerVerdict? {
        let variables = [
            "KANMON_SERVER": server.address, "KANMON_TOKEN": FaultServer.token,
            "KANMON_SERVER_KEY": "\(try (pinned ?? key).verifyingKey())",
        ]
        let process = repository.process(variables.merging(more) { $1 })
        let delivery = RunDelivery(
            process: process, home: Home(repository.folder.home, process: process))
        guard let verdicts = ServerVerdicts(delivery, timeout: timeout) else { return nil }
        let revision = Revision(commit: repository.commit, tree: repository.tree, branch: "main", isDirty: false)
        return try await verdicts.answer(
            to: repository.question(process, settings: settings), of: revision)
    }

    private var reused: [ReusedVerdict] {
        get throws {
            try ReusedVerdicts(Home(repository.folder.home, process: repository.process())).all()
        }
    }

    @Test func `an honest answer is reused, told with its source, and its use is recorded`() async throws {
        let server = try await FaultServer()
        let told = try #require(try await answer(from: server))
        #expect(told.decision == .passed && told.exitStatus == .passed)
        #expect(told.headline == "✓ Passed: 3 tests, 9 of 10 lines")
        let words = told.provenance(now: told.statement.startedAt + 7200)
        #expect(
            words == "tree \(repository.tree.prefix(12)) passed on 127.0.0.1 by token ci (on agent-7), "
                + "run \(told.statement.run.short), 2 h ago; no test was run here")
        #expect(told.page == "\(server.address)/runs/1")
        let use = try #require(try reused.first)
        #expect(use.run == told.statement.run && use.token == "ci" && use.server == server.address)
        #expect(use.commit == repository.commit && use.branch == "main" && use.tree == repository.tree)
        // Anybody with the server's key can check it later.
        #expect(try key.verifyingKey().verifies(use.signed))
        // Each use is another question, and another record.
        #expect(try await answer(from: server) != nil)
        #expect(try reused.count == 2)
        #expect(Set(server.requests.map(\.line)).count == 2)
        try await server.stop()
    }

    @Test func `a failed verdict is taken with its status`() async throws {
        let server = try await FaultServer()
        let told = try await answer(from: server) { statement in
            statement.decision = "failed"
            statement.exitStatus = 1
            statement.failedTests = 2
        }
        #expect(told?.decision == .failed && told?.exitStatus == .testsFailed)
        #expect(told?.headline == "✕ Blocked: 3 tests, 2 failed, 9 of 10 lines")
        try await server.stop()
    }

    @Test func `a server that lies is not believed`() async throws {
        let server = try await FaultServer()
        let zeros = String(repeating: "0", count: 40)
        let lies: [(String, @Sendable (inout VerdictStatement) -> Void)] = [
            ("another project", { $0.project = "other" }), ("another tree", { $0.tree = zeros }),
            ("other inputs", { $0.inputs = nil }), ("an answer of before", { $0.nonce = zeros }),
            ("undecided", { $0.decision = "undecided" }), ("a contradiction", { $0.exitStatus = 1 }),
            ("passed with a status of its own", { $0.exitStatus = 4 }), ("no decision", { $0.decision = "" }),
            ("no manifest", { $0.manifest = "x" }), ("fewer tests than none", { $0.passedTests = -1 }),
            ("a working copy", { $0.trust = .workingCopy }), ("distrusted", { $0.trust = .distrusted }),
            ("of tomorrow", { $0.startedAt = Date() + 86_400 }), ("too old", { $0.startedAt = Date() - 9 * 86_400 }),
            ("another version", { $0.schemaVersion = 2 }),
            ("another base", { $0.base = .init(commit: zeros, isUnrelated: false, hasRun: true) }),
        ]
        for (name, lie) in lies {
            #expect(try await answer(from: server, lie) == nil, "\(name)")
        }
        var other = Policy()
        other.minimumTests = 0
        #expect(try await answer(from: server, policy: other) == nil)
        #expect(try reused.isEmpty)
        #expect(try await answer(from: server) != nil)
        try await server.stop()
    }

    @Test func `a wrong or missing signature, or another key, is none`() async throws {
        let server = try await FaultServer()
        let other = ServerKey(path: "\(repository.folder.path)/other.key")
        #expect(try await answer(from: server, with: other) == nil)
        let faults: [@Sendable (inout SignedStatement) -> Void] = [
            { $0.signature = "" }, { $0.key = "" }, { $0.statement += " " },
            { $0.statement = $0.statement.replacing("passed", with: "failed") },
        ]
        for fault in faults { #expect(try await answer(from: server, signed: fault) == nil) }
        #expect(try reused.isEmpty)
        try await server.stop()
    }

    @Test func `an answer that is malformed, too large or an error is none`() async throws {
        let server = try await FaultServer()
        let text = String(repeating: "x", count: 70_000)
        let large = "{\"verdict\":{\"statement\":\"\(text)\",\"key\":\"\",\"signature\":\"\"}}"
        let bodies = ["", "{", "[]", "null", "<html>", "{\"verdict\":1}", "{\"verdict\":{}}", "{}", large]
        for body in bodies {
            server.fail { _, _ in .status(200, body: body) }
            #expect(try await ask(server) == nil, "\(body.prefix(40))")
        }
        for status in [301, 400, 401, 403, 404, 429, 500, 503] {
            server.fail { _, _ in .status(status) }
            #expect(try await ask(server) == nil, "\(status)")
        }
        server.fail { _, _ in .cut }
        #expect(try await ask(server) == nil)
        try await server.stop()
        #expect(try await ask(server) == nil)
    }

    @Test func `a slow server is not waited for`() async throws {
        let server = try await FaultServer()
        server.fail { _, _ in .late(milliseconds: 900_000) }
        let start = ContinuousClock.now
        #expect(try await ask(server, within: .milliseconds(200)) == nil)
        // Long before it answers, however busy the machine is.
        #expect(start.duration(to: .now) < .seconds(600))
        try await server.stop()
    }

    @Test func `nobody is asked without a key, by whoever takes no verdicts, or where runs do not answer again`()
        async throws
    {
        let server = try await FaultServer()
        _ = try await ask(server, ["KANMON_SERVER_KEY": ""])
        _ = try await ask(server, ["KANMON_VERDICTS": "off"])
        _ = try await ask(server, settings: SampleRepository.settings + "run: { reuse: off }\n")
        #expect(server.requests.isEmpty)
        _ = try await ask(server)
        #expect(server.requests.count == 1)
        try await server.stop()
    }

    @Test func `the oldest uses are forgotten`() async throws {
        let server = try await FaultServer()
        let told = try #require(try await answer(from: server))
        let home = Home(repository.folder.home, process: repository.process())
        let first = try #require(try reused.first)
        let line = try #require(FileManager.default.contents(atPath: home.reusedVerdicts))
        let many = Data(repeatElement(line, count: ReusedVerdicts.most + 5).joined()) + Data("{half".utf8)
        try many.write(to: URL(filePath: home.reusedVerdicts))
        let revision = Revision(commit: nil, tree: repository.tree, branch: "new", isDirty: false)
        try ReusedVerdicts(home).add(ReusedVerdict(told, first.signed, of: revision, at: Date()))
        #expect(try reused.first?.branch == "new")
        #expect(try reused.count <= ReusedVerdicts.most)
        try await server.stop()
    }
}
