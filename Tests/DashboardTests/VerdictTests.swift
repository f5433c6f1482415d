import Access
import Evidence
import Foundation
import HTTPTypes
import RunModel
import Storage
import TestSupport
import Testing

@testable import Dashboard
@testable import Gate

/// Verdicts that travel: who is told one, and which.
@Suite struct VerdictTests {
    private let tokens: TokenFolder
    private let sample: SampleStore
    private static let tree = String(repeating: "41d0e77a", count: 5)
    private static let nonce = "0123456789abcdef"
    private static let inputs = RunInputs(
        toolchain: Toolchain(swiftVersion: "6.3", llvmVersion: "21", target: "x86_64"), platform: "linux",
        dependencies: [], checkout: "c", environment: "e", settings: "s")

    init() throws {
        tokens = try TokenFolder()
        sample = try SampleStore()
    }

    /// A run that was delivered with a token; trusted or from a laptop.
    private static func delivered(
        _ run: TestRun, by token: String, isAttested: Bool = true, inputs: RunInputs? = inputs
    ) -> TestRun {
        var run = run
        run.inputs = inputs
        run.delivery = DeliveryRecord(
            token: token, isAttested: isAttested, receivedAt: SampleRuns.moment, address: nil)
        return run
    }

    private static func target(
        project: String = "example/video-kit", tree: String = tree, inputs: RunInputs? = inputs
    ) -> String {
        let name = project.replacing("/", with: "%2F")
        let digest = inputs.flatMap { Digest.sha256(of: $0) }.map { "&inputs=\($0)" } ?? ""
        return "/api/v1/verdicts?project=\(name)&tree=\(tree)&folder=\(digest)&nonce=\(nonce)"
    }

    /// What the holder of a token is told.
    private func answer(to secret: String, _ target: String = target()) async throws -> VerdictStatement? {
        let dashboard = try tokens.dashboard(store: sample, signs: true)
        let reply = try await dashboard.send(.get, target, token: secret)
        #expect(reply.status == 200)
        let signed = try JSONDecoder().decode(VerdictReply.self, from: Data(reply.text.utf8)).verdict
        guard let signed else {
            #expect(reply.text == "{}\n")
            return nil
        }
        #expect(try tokens.key.verifyingKey().verifies(signed))
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return try decoder.decode(VerdictStatement.self, from: Data(signed.statement.utf8))
    }

    @Test func `an attested run answers with its provenance, signed`() async throws {
        var run = Self.delivered(SampleRuns.passing(1), by: "ci")
        run.origin = RunHost(
            host: "agent-7", build: .init(url: "https://ci.example/job/1", job: "kit", node: "agent-7"))
        try sample.ingest(run)
        let laptop = try tokens.token("laptop-3", .submit)
        let told = try #require(try await answer(to: laptop))
        #expect(told.run == run.id && told.decision == "passed" && told.exitStatus == 0)
        #expect(told.trust == .ci && told.token == "ci")
        #expect(told.host == "agent-7" && told.build == "https://ci.example/job/1")
        #expect(told.tree == Self.tree && told.project == run.project && told.nonce == Self.nonce)
        #expect(told.startedAt == run.startedAt && told.answeredAt == SampleRuns.moment + 7200)
        #expect(told.passedTests == 2 && told.failedTests == 0 && told.base == nil)
        #expect(told.policy == Digest.sha256(of: Policy()) && told.page == "/runs/\(run.id)")
        #expect(told.manifest == (try RunDirectory(path: sample.runDirectory(run.id)).manifestDigest()))
        // Without inputs in the question any full run of the tree answers.
        #expect(try await answer(to: laptop, Self.target(inputs: nil))?.run == run.id)
    }

    @Test(arguments: [true, false])
    func `evidence of another version answers nothing, not even its own token`(isAttested: Bool) async throws {
        var inputs = Self.inputs
        inputs.evidenceVersion -= 1
        try sample.ingest(
            Self.delivered(SampleRuns.passing(1), by: "own", isAttested: isAttested, inputs: inputs))
        let own = try tokens.token("own", isAttested ? .attest : .submit)
        #expect(try await answer(to: own, Self.target(inputs: nil)) == nil)
        #expect(try await answer(to: own, Self.target(inputs: inputs)) == nil)
    }

    @Test func `a failed run answers that it failed`() async throws {
        try sample.ingest(Self.delivered(SampleRuns.failing(1), by: "ci"))
        let told = try await answer(to: tokens.token("reader", .read))
        #expect(told?.decision == "failed" && told?.exitStatus == 1 && told?.failedTests == 2)
    }

    @Test func `where failures of the base may be let through, a run with a failure answers nothing`() async throws {
        let reader = try tokens.token("reader", .read)
        var run = SampleRuns.passing(1)
        run.tests[0].outcome = .failed
        run.tests[0].attempts = [TestAttempt(outcome: .failed, issues: [Issue(message: "x == 1")])]
        run = Self.delivered(run, by: "ci")
        var verdict = SampleStore.verdict(run)
        verdict.decision = .passed
        verdict.violations = []
        verdict.policy.allowsBrokenBase = true
        verdict.allowedFailures = [AllowedFailure(test: run.tests[0].id, run: SampleRuns.id(9))]
        try sample.ingest(run, verdict)
        #expect(try await answer(to: reader) == nil)
        #expect(try await answer(to: reader, Self.target(inputs: nil)) == nil)
    }

    @Test func `a run from a laptop answers for its own token alone`() async throws {
        try sample.ingest(Self.delivered(SampleRuns.passing(1), by: "laptop-3", isAttested: false))
        #expect(try await answer(to: tokens.token("laptop-3", .submit))?.trust == .laptop)
        for scope in AccessScope.allCases {
            #expect(try await answer(to: tokens.token("other-\(scope)", scope)) == nil)
        }
    }

    @Test func `a later attested run supersedes an earlier one`() async throws {
        let reader = try tokens.token("reader", .read)
        try sample.ingest(Self.delivered(SampleRuns.passing(1), by: "ci"))
        #expect(try await answer(to: reader)?.decision == "passed")
        try sample.ingest(Self.delivered(SampleRuns.failing(2), by: "ci-2"))
        #expect(try await answer(to: reader)?.run == SampleRuns.id(2))
        try sample.ingest(Self.delivered(SampleRuns.passing(3), by: "ci"))
        #expect(try await answer(to: reader)?.run == SampleRuns.id(3))
    }

    @Test func `whoever cannot write attested runs changes no answer of anybody else`() async throws {
        let reader = try tokens.token("reader", .read)
        // Before it, after it, and many.
        try sample.ingest(Self.delivered(SampleRuns.failing(1), by: "thief", isAttested: false))
        #expect(try await answer(to: reader) == nil)
        try sample.ingest(Self.delivered(SampleRuns.passing(2), by: "ci"))
        for number in 3...70 {
            try sample.ingest(Self.delivered(SampleRuns.failing(number), by: "thief", isAttested: false), keeping: nil)
        }
        #expect(try await answer(to: reader)?.run == SampleRuns.id(2))
        #expect(try await answer(to: reader, Self.target(inputs: nil))?.run == SampleRuns.id(2))
    }

    @Test func `a run made on the server itself answers, too`() async throws {
        var run = SampleRuns.passing(1)
        run.inputs = Self.inputs
        try sample.ingest(run)
        let told = try await answer(to: tokens.token("reader", .read))
        #expect(told?.trust == .local && told?.token == nil)
    }

    @Test func `an undecided, a timed-out and a flaky run answer nothing, and no older one does in their place`()
        async throws
    {
        let reader = try tokens.token("reader", .read)
        var (overdue, late, flaky) = (SampleRuns.passing(4), SampleRuns.passing(5), SampleRuns.unsteady(6))
        overdue.steps[1].wasTimedOut = true
        late.tests[0].outcome = .timedOut
        late.tests[0].attempts[0].outcome = .timedOut
        flaky.tests.removeLast()
        for run in [SampleRuns.undecided(3), overdue, late, flaky] {
            let sample = try SampleStore()
            try sample.ingest(Self.delivered(SampleRuns.passing(1), by: "ci"))
            try sample.ingest(Self.delivered(run, by: "ci"))
            let reply = try await tokens.dashboard(store: sample, signs: true)
                .send(.get, Self.target(), token: reader)
            #expect(reply.status == 200 && reply.text == "{}\n")
        }
    }

    @Test func `a failed build answers nothing, and hides nothing`() async throws {
        let reader = try tokens.token("reader", .read)
        let broken = Self.delivered(SampleRuns.passing(2), by: "ci")
        var verdict = SampleStore.verdict(broken)
        verdict.decision = .failed
        verdict.violations = [.buildFailed(errors: 1, first: nil)]
        try sample.ingest(broken, verdict)
        #expect(try await answer(to: reader) == nil)
        try sample.ingest(Self.delivered(SampleRuns.passing(1), by: "ci"))
        #expect(try await answer(to: reader)?.run == SampleRuns.id(1))
    }

    @Test func `a partial run and one of a working copy answer nothing, and hide nothing`() async throws {
        let reader = try tokens.token("reader", .read)
        var (part, dirty, moved) = (SampleRuns.passing(2), SampleRuns.passing(3), SampleRuns.passing(4))
        part.selection = Selection(filters: ["a"])
        dirty.revision?.isDirty = true
        moved.revision?.tree = nil
        for run in [part, dirty, moved] { try sample.ingest(Self.delivered(run, by: "ci")) }
        #expect(try await answer(to: reader) == nil)
        #expect(try await answer(to: reader, Self.target(inputs: nil)) == nil)
        try sample.ingest(Self.delivered(SampleRuns.passing(1), by: "ci"))
        #expect(try await answer(to: reader)?.run == SampleRuns.id(1))
        // Not even to whoever delivered it.
        dirty = SampleRuns.passing(5)
        dirty.revision?.isDirty = true
        try sample.ingest(Self.delivered(dirty, by: "laptop-3", isAttested: false))
        #expect(try await answer(to: tokens.token("laptop-3", .submit))?.run == SampleRuns.id(1))
    }

    @Test func `another tree, other inputs and another project have no answer`() async throws {
        let reader = try tokens.token("reader", .read)
        try sample.ingest(Self.delivered(SampleRuns.passing(1), by: "ci"))
        var other = Self.inputs
        other.platform = "another"
        #expect(try await answer(to: reader, Self.target(inputs: other)) == nil)
        #expect(try await answer(to: reader, Self.target(tree: String(repeating: "0", count: 40))) == nil)
        #expect(try await answer(to: reader, Self.target(project: "other")) == nil)
        #expect(try await answer(to: reader)?.run == SampleRuns.id(1))
        // A run that does not know what it depends on is none of these inputs.
        var vague = Self.inputs
        vague.dependencies = nil
        let sample = try SampleStore()
        try sample.ingest(Self.delivered(SampleRuns.passing(1), by: "ci", inputs: vague))
        let reply = try await tokens.dashboard(store: sample, signs: true)
            .send(.get, Self.target(inputs: vague), token: reader)
        #expect(reply.text == "{}\n")
    }

    @Test func `a project that the token is not for does not exist for it`() async throws {
        try sample.ingest(Self.delivered(SampleRuns.passing(1), by: "ci"))
        let secret = try tokens.token("reader", .read, projects: ["team/*"])
        #expect(try await answer(to: secret) == nil)
        #expect(try await answer(to: secret, Self.target(project: "none")) == nil)
    }

    @Test func `nobody asks without a valid token, nor with a malformed question`() async throws {
        try sample.ingest(Self.delivered(SampleRuns.passing(1), by: "ci"))
        let (reader, gone) = (try tokens.token("reader", .read), try tokens.token("gone", .attest))
        try tokens.file.revoke("gone", at: SampleRuns.moment)
        let dashboard = try tokens.dashboard(store: sample, signs: true)
        for secret in [nil, gone, "kanmon_x"] {
            #expect(try await dashboard.send(.get, Self.target(), token: secret).status == 401)
        }
        #expect(try await dashboard.send(.put, Self.target(), token: reader).status == 405)
        for query in [
            "", "?", "?project=a", "?project=a&tree=HEAD&folder=&nonce=\(Self.nonce)",
            "?tree=\(Self.tree)&folder=&nonce=\(Self.nonce)",
            "?project=a&tree=\(Self.tree)&folder=", "?project=a&tree=\(Self.tree)&nonce=\(Self.nonce)",
            "?project=a&project=b&tree=\(Self.tree)&folder=&nonce=\(Self.nonce)",
            "?project=%&tree=\(Self.tree)&folder=&nonce=\(Self.nonce)",
            "?project=a&tree=\(Self.tree)&folder=&nonce=\(Self.nonce)&inputs=x",
        ] {
            #expect(try await dashboard.send(.get, "/api/v1/verdicts\(query)", token: reader).status == 400, "\(query)")
        }
        // A server that signs nothing says nothing.
        #expect(
            try await tokens.dashboard(store: sample).send(.get, Self.target(), token: reader).text == "{}\n")
    }

    @Test func `a verdict that rests on more than the tree and its base stays where it is`() async throws {
        let reader = try tokens.token("reader", .read)
        let run = Self.delivered(SampleRuns.passing(1), by: "ci")
        var review = BaseReview(
            commit: BaseCommit(commit: String(repeating: "1", count: 40), kind: .mergeBase, name: "origin/main"))
        var verdict = SampleStore.verdict(run)
        verdict.base = review
        try sample.ingest(run, verdict)
        let base = VerdictStatement.Base(commit: review.commit.commit, isUnrelated: false, hasRun: false)
        #expect(try await answer(to: reader)?.base == base)
        review.faults = [
            WaiverFault(text: "Kanmon-Waiver: x", problem: .dayMissing, commit: review.commit.commit, line: 1)
        ]
        verdict.base = review
        let later = Self.delivered(SampleRuns.passing(2), by: "ci")
        try sample.ingest(later, verdict)
        #expect(try await answer(to: reader) == nil)
        // Of a run of the base that is gone nobody knows who delivered it.
        review.faults = []
        review.run = SampleRuns.id(77)
        verdict.base = review
        try sample.ingest(Self.delivered(SampleRuns.passing(3), by: "ci"), verdict)
        #expect(try await answer(to: reader) == nil)
    }

    @Test func `whether there is a run of an id is told by no verdict that names it as that of its base`() async throws
    {
        let secret = try tokens.token("anna", .submit)
        var hidden = Self.delivered(SampleRuns.passing(7), by: "ci")
        hidden.project = "hidden"
        try sample.ingest(hidden)
        var other = Self.delivered(SampleRuns.passing(8), by: "ci")
        other.revision?.tree = String(repeating: "0", count: 40)
        try sample.ingest(other)
        var own = Self.delivered(SampleRuns.passing(9), by: "anna", isAttested: false)
        own.revision?.tree = other.revision?.tree
        own.selection = Selection(filters: ["a"])
        try sample.ingest(own)
        func answers(_ base: Int, _ number: Int) async throws -> Bool {
            let run = Self.delivered(SampleRuns.passing(number), by: "anna", isAttested: false)
            var verdict = SampleStore.verdict(run)
            verdict.base = BaseReview(
                commit: BaseCommit(commit: String(repeating: "1", count: 40), kind: .mergeBase, name: "origin/main"),
                run: SampleRuns.id(base))
            try sample.ingest(run, verdict)
            return try await answer(to: secret) != nil
        }
        #expect(try await !answers(7, 10))
        #expect(try await !answers(8, 11))
        #expect(try await !answers(99, 12))
        #expect(try await answers(9, 13))
    }

    @Test func `what a distrusted token delivered answers nothing, at once, and neither does what rests on it`()
        async throws
    {
        let reader = try tokens.token("reader", .read)
        _ = try tokens.token("ci", .attest)
        _ = try tokens.token("ci-2", .attest)
        try sample.ingest(Self.delivered(SampleRuns.passing(1), by: "ci"))
        try sample.ingest(Self.delivered(SampleRuns.failing(2), by: "ci-2"))
        #expect(try await answer(to: reader)?.run == SampleRuns.id(2))
        // The store does not know of it yet.
        try tokens.file.revoke("ci-2", at: SampleRuns.moment, isDistrusted: true)
        #expect(try await answer(to: reader)?.run == SampleRuns.id(1))
        let later = Self.delivered(SampleRuns.passing(3), by: "ci")
        var verdict = SampleStore.verdict(later)
        verdict.base = BaseReview(
            commit: BaseCommit(commit: String(repeating: "1", count: 40), kind: .mergeBase, name: "origin/main"),
            run: SampleRuns.id(2))
        try sample.ingest(later, verdict)
        #expect(try await answer(to: reader) == nil)
    }

    @Test func `a run whose evidence is gone answers nothing`() async throws {
        try sample.ingest(Self.delivered(SampleRuns.passing(1), by: "ci"), keeping: nil)
        #expect(try await answer(to: tokens.token("reader", .read)) == nil)
    }

    @Test func `whoever asks is told the key`() async throws {
        let secret = try tokens.token("laptop-3", .submit)
        let reply = try await tokens.dashboard(store: sample, signs: true).send(.get, "/api/v1/whoami", token: secret)
        #expect(reply.text.contains("\"key\":\"\(try tokens.key.verifyingKey())\""))
    }
}
