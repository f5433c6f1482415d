import Access
import Delivery
import FaultServer
import Foundation
import Gate
import Pages
import RunModel
import Storage
import Subprocess
import TestSupport
import Testing

@testable import Application

/// What receivers are told of the default branches in a real store, and how a server sends it.
@Suite struct WebhookTests {
    private let folder: TestFolder
    private let store: RunStore
    private let hooks: WebhookFolder
    private let project = SampleRuns.passing().project
    private let moment = SampleRuns.moment.addingTimeInterval(60)

    init() throws {
        folder = try TestFolder()
        try FileManager.default.createDirectory(
            atPath: folder.home, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        store = try RunStore(path: "\(folder.home)/kanmon.sqlite")
        hooks = WebhookFolder(path: "\(folder.home)/webhooks")
    }

    private func add(
        _ id: String, url: String = "https://chat.example.com/", project: String = "*",
        _ events: [Webhook.Event] = Webhook.Event.allCases
    ) throws -> Webhook {
        let hook = Webhook(
            id: id, url: url, projects: [try #require(ProjectPattern(project))], events: events,
            secret: WebhookSecret(), created: SampleRuns.moment)
        try hooks.add(hook)
        return hook
    }

    /// Stores a run of a commit of its own.
    private func ingest(
        _ run: TestRun, _ decision: Decision = .passed, quarantine: [QuarantineStatus] = [],
        waivers: [WaiverStatus] = [], attempt: Attempt? = nil
    ) throws {
        var run = run
        let commit = run.id.description.filter(\.isHexDigit) + "00000000"
        run.revision?.commit = commit
        run.revision?.attempt = attempt
        var base = BaseReview(
            commit: BaseCommit(commit: String(repeating: "b", count: 40), kind: .parent, name: "main"))
        base.waivers = waivers
        let verdict = Verdict(
            decision: decision, violations: run.buildFailed ? [.buildFailed(errors: 1, first: nil)] : [], gaps: [],
            modules: [], quarantine: quarantine, policy: Policy(),
            base: base)
        _ = try store.ingest(run, verdict: verdict, runDirectory: nil)
    }

    private var ledger: WebhookLedger {
        WebhookLedger(
            folder: hooks, news: WebhookNews(store: store, root: "https://ci.example", links: Links(under: "/kanmon")))
    }

    private struct Body: Decodable {
        struct Content: Decodable {
            struct Run: Decodable {
                let id: String
                let link: String?
            }
            struct Exception: Decodable, Equatable {
                let kind: String
                let name: String
                let until: String
            }
            let project: String
            let branch: String?
            let run: Run
            let before: Run?
            let count: Int
            let tests: [String]?
            let comparison: String?
            let exceptions: [Exception]?
        }
        let type: String
        let data: Content
    }

    /// The messages that wait, by their types; they are taken away.
    private func take(_ hook: Webhook) throws -> [String: Body.Content] {
        let messages = try hooks.messages(of: hook, on: .waiting)
        for message in messages { hooks.remove(message, of: hook, from: .waiting) }
        let bodies = try messages.map { try JSONDecoder().decode(Body.self, from: Data($0.body.utf8)) }
        #expect(bodies.map(\.type) == messages.map(\.type))
        return Dictionary(bodies.map { ($0.type, $0.data) }) { first, _ in first }
    }

    @Test func `a receiver is told once what broke and what was fixed since the state before`() throws {
        let (hook, other) = (try add("aaaaaaaaaaaa"), try add("bbbbbbbbbbbb", project: "other"))
        // What was so before is no news, and neither is what the branch does not have.
        try ingest(SampleRuns.failing(1), .failed)
        try ledger.look(at: moment)
        try ingest(SampleRuns.passing(2), attempt: .staged)
        try ledger.look(at: moment)
        #expect(try take(hook).isEmpty)
        try ingest(SampleRuns.passing(3))
        try ledger.look(at: moment)
        let fixed = try take(hook)
        #expect(fixed.keys.sorted() == ["tests.fixed"] && fixed["tests.fixed"]?.count == 1)
        let failing = SampleRuns.failing(4)
        try ingest(failing, .failed)
        try ledger.look(at: moment)
        try ledger.look(at: moment)
        let broke = try #require(try take(hook)["tests.broke"])
        #expect(Set(broke.tests ?? []) == Set(failing.failures.map(\.id.description)) && broke.count == 2)
        #expect(broke.project == project && broke.branch == "main" && broke.before?.id == "\(SampleRuns.id(3))")
        #expect(broke.run.link == "https://ci.example/kanmon/runs/\(SampleRuns.id(4))")
        #expect(broke.comparison?.hasPrefix("https://ci.example/kanmon/compare?before=") == true)
        // A failed build says nothing of tests: what passes afterwards was fixed nonetheless.
        var unbuilt = SampleRuns.passing(5)
        unbuilt.tests = []
        unbuilt.steps[0].termination = .exited(1)
        try ingest(unbuilt, .failed)
        try ingest(SampleRuns.passing(6))
        try ledger.look(at: moment)
        #expect(try take(hook).keys.sorted() == ["tests.fixed"])
        #expect(try take(other).isEmpty)
    }

    @Test func `a flaky test is told when it was steady before, and not again`() throws {
        let hook = try add("aaaaaaaaaaaa", [.flaky])
        try ingest(SampleRuns.passing(1))
        try ledger.look(at: moment)
        for number in [5, 6] {
            try ingest(SampleRuns.unsteady(number), .failed)
            try ledger.look(at: moment)
            #expect(try take(hook)["test.flaky"]?.count == (number == 5 ? 1 : nil))
        }
    }

    @Test func `a new flaky test is told beside a hundred that were flaky before, and all are counted`() throws {
        let hook = try add("aaaaaaaaaaaa", [.flaky])
        func id(_ index: Int) -> TestID { TestID(module: "CoreTests", suite: "Many", name: "test\(1000 + index)") }
        func flaky(_ number: Int, tests: Int) -> TestRun {
            var run = SampleRuns.passing(number)
            run.tests = (0..<tests).map { index in
                TestResult(
                    id: id(index), library: .xctest, outcome: .passed,
                    attempts: [
                        TestAttempt(outcome: .failed, duration: .milliseconds(1)),
                        TestAttempt(outcome: .passed, duration: .milliseconds(1)),
                    ])
            }
            return run
        }
        try ingest(SampleRuns.passing(1))
        try ledger.look(at: moment)
        try ingest(flaky(2, tests: 101))
        try ledger.look(at: moment)
        let first = try #require(try take(hook)["test.flaky"])
        #expect(first.count == 101 && first.tests?.count == 100)
        try ingest(flaky(3, tests: 102))
        try ledger.look(at: moment)
        let second = try #require(try take(hook)["test.flaky"])
        #expect(second.count == 1 && second.tests == [id(101).description])
    }

    @Test func `exceptions are told once, two weeks before they end`() throws {
        let hook = try add("aaaaaaaaaaaa", [.expiring])
        let today = CalendarDay(moment)
        let test = SampleRuns.passing().tests[0].id
        func entry(_ days: Int) -> QuarantineStatus {
            QuarantineStatus(
                entry: QuarantineEntry(
                    test: test.description, owner: "Ana", reason: "\"slow\"", expires: today.adding(days: days)),
                id: test)
        }
        let waiver = Waiver(
            subject: "Core", until: today.adding(days: 3), reason: "later", commit: String(repeating: "d", count: 40),
            line: 3)
        var unused = waiver
        unused.line = 4
        unused.subject = "tool"
        try ingest(
            SampleRuns.passing(1), quarantine: [entry(14), entry(15)],
            waivers: [WaiverStatus(waiver, .standing), WaiverStatus(unused, .unused)])
        try ledger.look(at: moment)
        let told = try #require(try take(hook)["exceptions.expiring"])
        #expect(told.exceptions?.map(\.kind) == ["quarantine", "waiver"] && told.count == 2)
        #expect(told.exceptions?.first?.until == today.adding(days: 14).description)
        // The day after, without another run, the next one is told.
        try ledger.look(at: moment.addingTimeInterval(60))
        #expect(try take(hook).isEmpty)
        try ledger.look(at: moment.addingTimeInterval(86_400))
        #expect(try take(hook)["exceptions.expiring"]?.exceptions?.map(\.until) == [today.adding(days: 15).description])
    }

    @Test func `of a known tree the exceptions of its newest commit are told, with the page of that commit`() throws {
        let hook = try add("aaaaaaaaaaaa", [.expiring])
        let run = SampleRuns.passing(1)
        try ingest(run, .failed)
        let amended = String(repeating: "c", count: 40)
        let waiver = Waiver(
            subject: "Core", until: CalendarDay(moment).adding(days: 3), reason: "later", commit: amended, line: 3)
        let base = BaseCommit(commit: String(repeating: "b", count: 40), kind: .parent, name: "main")
        let verdict = Verdict(
            decision: .passed, violations: [], gaps: [], modules: [], quarantine: [], policy: Policy(),
            base: BaseReview(commit: base, waivers: [WaiverStatus(waiver, .used)]))
        var revision = try #require(run.revision)
        revision.commit = amended
        try store.add(verdict, of: run.id, on: revision, at: moment)
        try ledger.look(at: moment)
        let told = try #require(try take(hook)["exceptions.expiring"])
        #expect(told.exceptions?.map(\.name) == ["Core"])
        #expect(told.run.link == "https://ci.example/kanmon/runs/\(run.id)?commit=\(amended)")
    }

    @Test func `a server that is killed before it has noted what it told makes the same messages again`() throws {
        let hook = try add("aaaaaaaaaaaa")
        try ingest(SampleRuns.passing(1))
        try ledger.look(at: moment)
        let before = try hooks.cursors(of: hook)
        try ingest(SampleRuns.failing(2), .failed)
        try ledger.look(at: moment)
        let first = try hooks.messages(of: hook, on: .waiting)
        try hooks.save(before, of: hook)
        try ledger.look(at: moment.addingTimeInterval(60))
        #expect(try hooks.messages(of: hook, on: .waiting) == first && first.count == 1)
    }

    @Test func `what does not arrive waits longer each time and becomes a dead letter, and 410 ends it all`() throws {
        let hook = try add("aaaaaaaaaaaa")
        let moment = moment
        let sender = WebhookSender(ledger, proxies: ProxySettings([:])) { moment }
        func message(_ id: String) throws -> WebhookMessage {
            let message = WebhookMessage(id: id, type: "ping", body: "{}", created: SampleRuns.moment)
            try hooks.add(message, to: hook)
            return message
        }
        _ = try message("msg_1")
        let failure = WebhookAnswer(status: 500, failure: "it answered 500")
        for attempt in 1...8 {
            let waiting = try #require(try hooks.messages(of: hook, on: .waiting).first)
            #expect(waiting.attempts == attempt - 1)
            if attempt == 2 { #expect((5...6).contains(waiting.due.timeIntervalSince(moment))) }
            #expect(try !sender.note(failure, of: waiting, hook))
        }
        _ = try message("msg_0")
        let later = WebhookAnswer(status: 429, failure: "it answered 429", retryAfter: .seconds(600))
        #expect(try !sender.note(later, of: try #require(try hooks.messages(of: hook, on: .waiting).first), hook))
        let due = try hooks.messages(of: hook, on: .waiting).map { $0.due.timeIntervalSince(moment) }
        #expect(due == [600])
        hooks.remove(try #require(try hooks.messages(of: hook, on: .waiting).first), of: hook, from: .waiting)
        let dead = try #require(try hooks.messages(of: hook, on: .dead).first)
        #expect(try dead.attempts == 8 && hooks.messages(of: hook, on: .waiting).isEmpty)
        #expect(try !sender.note(WebhookAnswer(status: 204, failure: nil), of: message("msg_2"), hook))
        #expect(try hooks.messages(of: hook, on: .waiting).isEmpty)
        let (gone, _) = (try message("msg_3"), try message("msg_4"))
        #expect(try sender.note(WebhookAnswer(status: 410, failure: "it answered 410"), of: gone, hook))
        #expect(try hooks.statuses().map(\.deadLetters) == [3] && hooks.hook(hook.id).disabled != nil)
    }

    /// Waits until something is so.
    private func eventually(_ condition: () throws -> Bool) async throws {
        for _ in 0..<4800 {
            if try condition() { return }
            try await Task.sleep(for: .milliseconds(50))
        }
        Issue.record("it never became so")
    }

    @Test(.timeLimit(.minutes(10)))
    func
        `a server that is killed between two attempts sends the same message again, and one that is silent holds up nobody`()
        async throws
    {
        let receiver = try await FaultServer()
        receiver.fail { request, _ in
            request.line.hasSuffix("/silent") ? .silent : .status(500, body: "not now")
        }
        let program = Program(folder: folder)
        let added = try await program.run(["webhook", "add", "\(receiver.address)/hook", "--event", "broke"])
        #expect(added.status == 0)
        let secret = try #require(WebhookSecret(added.output.trimmingCharacters(in: .newlines)))
        #expect(try await program.run(["webhook", "add", "\(receiver.address)/silent"]).status == 0)
        let hook = try #require(try hooks.hooks().first { $0.secret == secret })
        let silent = try #require(try hooks.hooks().first { $0.secret != secret })
        try ingest(SampleRuns.passing(1))
        let probe = ServerProbe(path: "\(folder.path)/s")
        let messages: @Sendable () -> [[String]] = {
            receiver.requests.filter { $0.line == "POST /hook" }.compactMap(\.message)
        }
        let killed = try await program.unmeasured.run(["serve", "--socket", probe.path]) { send in
            try await probe.wait()
            try await eventually { try hooks.cursors(of: hook).count == 1 && hooks.cursors(of: silent).count == 1 }
            try ingest(SampleRuns.failing(2), .failed)
            try await eventually {
                try messages().count == 1 && hooks.messages(of: hook, on: .waiting).first?.attempts == 1
            }
            #expect(try probe.send("GET", "/metrics").body.contains("kanmon_webhook_waiting{webhook=\"\(hook.id)\"} 1"))
            try send(.kill)
        }
        #expect(killed.status == 128 + 9)
        receiver.fail { request, _ in
            request.line.hasSuffix("/silent") ? .silent : .status(200, body: "{}")
        }
        let ended = try await program.run(["serve", "--socket", probe.path]) { send in
            try await probe.wait()
            try await eventually { try hooks.messages(of: hook, on: .waiting).isEmpty }
            let page = try probe.send("GET", "/machines").body
            #expect(page.contains(hook.id) && page.contains("Dead letters") && !page.contains("/hook"))
            try send(.terminate)
        }
        let all = messages()
        #expect(all.count == 2 && Set(all.map { $0[0] }).count == 1 && Set(all.map { $0[3] }).count == 1)
        for message in all {
            let time = try #require(Int(message[1]))
            #expect(message[2] == secret.signature(id: message[0], timestamp: time, body: message[3]))
        }
        let told = try JSONDecoder().decode(Body.self, from: Data(try #require(all.first)[3].utf8))
        #expect(told.type == "tests.broke" && told.data.count == 2)
        #expect(try hooks.messages(of: silent, on: .waiting).count == 1)
        let logs = killed.messages + ended.messages
        #expect(!logs.contains(secret.text.dropFirst(6)) && !logs.contains("/hook"))
        try await receiver.stop()
    }

    @Test func `an address that is not encrypted and leads elsewhere is refused with a hint`() async throws {
        let refused = try await Program(folder: folder).run(["webhook", "add", "http://chat.example.com/secret-path"])
        #expect(refused.status == 64 && refused.messages.contains("https://HOST/PATH"))
        #expect(!refused.messages.contains("secret-path"))
        #expect(try hooks.hooks().isEmpty)
    }
}
