import Access
import FaultServer
import Foundation
import TestSupport
import Testing

/// The webhooks of a server, as its command line has them.
@Suite struct WebhookCommandTests {
    private static let address = "https://chat.example.com/kanmon"

    private let program: Program
    private let hooks: WebhookFolder

    init() throws {
        program = Program(folder: try TestFolder())
        try FileManager.default.createDirectory(
            atPath: program.folder.home, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        hooks = WebhookFolder(path: "\(program.folder.home)/webhooks")
    }

    private func webhook(_ words: String...) async throws -> Program.Outcome {
        try await program.run(["webhook"] + words)
    }

    private func add(_ id: String, url: String = Self.address, isDisabled: Bool = false) throws -> Webhook {
        let pattern = try #require(ProjectPattern("example/*"))
        var hook = Webhook(
            id: id, url: url, projects: [pattern], events: [.broke, .flaky], secret: WebhookSecret(),
            created: SampleRuns.moment)
        if isDisabled { hook.disabled = SampleRuns.moment }
        try hooks.add(hook)
        return hook
    }

    /// A webhook of which one message waits, and two did not arrive.
    private func addDisabled() throws -> Webhook {
        let hook = try add("aaaaaaaaaaaa", isDisabled: true)
        func message(_ id: String, _ type: String) -> WebhookMessage {
            WebhookMessage(id: id, type: type, body: "{}", created: SampleRuns.moment)
        }
        var refused = message("msg_2", "tests.broke")
        refused.attempts = 8
        refused.lastFailure = "it answered 500"
        try hooks.add(message("msg_1", "tests.broke"), to: hook)
        try hooks.add(refused, to: hook, on: .dead)
        try hooks.add(message("msg_3", "test.flaky"), to: hook, on: .dead)
        return hook
    }

    @Test func `a receiver is added with what it is told, and its secret is shown once`() async throws {
        let added = try await webhook(
            "add", Self.address, "--project", "example/*", "--project", "other", "--event", "flaky", "--event", "broke")
        #expect(added.status == 0, "\(added.messages)")
        let hook = try #require(try hooks.hooks().first)
        #expect(added.output == "\(hook.secret.text)\n")
        #expect(
            added.messages == """
                kanmon: added webhook \(hook.id); this is the only time that its secret is shown
                Try: kanmon webhook test \(hook.id)

                """)
        #expect(hook.url == Self.address && hook.events == [.broke, .flaky])
        #expect(hook.projects.map(\.description) == ["example/*", "other"])
        let all = try await webhook("add", Self.address)
        #expect(all.status == 0, "\(all.messages)")
        let other = try #require(try hooks.hooks().first { $0.id != hook.id })
        #expect(other.events == Webhook.Event.allCases && other.projects.map(\.description) == ["*"])
        let list = try await webhook("list", "--json")
        #expect(list.output.contains(hook.id) && list.output.contains(other.id))
        #expect(!list.output.contains(hook.secret.text) && !list.output.contains(other.secret.text))
    }

    @Test(arguments: [
        (["--event", "soon"], "--event is broke, fixed, flaky or expiring"),
        (["--project", "a\u{7}"], "--project is 1 to 1024 bytes without control characters"),
    ])
    func `an event or a project that cannot be is refused`(words: [String], message: String) async throws {
        let refused = try await program.run(["webhook", "add", Self.address] + words)
        #expect(refused.status == 64)
        #expect(refused.messages.contains(message), "\(refused.messages)")
        #expect(try hooks.hooks().isEmpty)
    }

    @Test func `webhooks are listed with the messages that did not arrive`() async throws {
        let none = try await webhook("list")
        #expect(none == Program.Outcome(status: 0, output: "there are no webhooks\n", messages: ""))
        _ = try addDisabled()
        let list = try await webhook("list")
        #expect(
            list.output == """
                id            state     waiting  dead  events       projects   address
                aaaaaaaaaaaa  disabled  1        2     broke flaky  example/*  https://chat.example.com/kanmon

                Dead letters:
                webhook       type         made                  attempts  failure                               message
                aaaaaaaaaaaa  tests.broke  2026-01-02T03:04:05Z  8         it answered 500                       msg_2
                aaaaaaaaaaaa  test.flaky   2026-01-02T03:04:05Z  0         the receiver wanted no more messages  msg_3

                """)
        let json = try await webhook("list", "--json")
        let letters = [
            #"{"attempts":8,"created":"2026-01-02T03:04:05Z","failure":"it answered 500","id":"msg_2","#
                + #""type":"tests.broke"}"#,
            #"{"attempts":0,"created":"2026-01-02T03:04:05Z","failure":"the receiver wanted no more messages","#
                + #""id":"msg_3","type":"test.flaky"}"#,
        ]
        let rest =
            #""events":["broke","flaky"],"id":"aaaaaaaaaaaa","projects":["example/*"],"state":"disabled","#
            + #""url":"https://chat.example.com/kanmon","waiting":1}"#
        #expect(json.output == "[{\"deadLetters\":[\(letters.joined(separator: ","))],\(rest)]\n")
    }

    @Test func `dead letters wait again, and a receiver that wanted no more messages gets them`() async throws {
        let hook = try addDisabled()
        let again = try await webhook("retry", hook.id)
        #expect(again == Program.Outcome(status: 0, output: "2 dead letters will be sent again\n", messages: ""))
        let waiting = try hooks.messages(of: hook, on: .waiting)
        #expect(waiting.map(\.id) == ["msg_1", "msg_2", "msg_3"] && waiting.map(\.attempts) == [0, 0, 0])
        #expect(try hooks.messages(of: hook, on: .dead).isEmpty && hooks.hook(hook.id).disabled == nil)
        let list = try await webhook("list")
        #expect(
            list.output == """
                id            state   waiting  dead  events       projects   address
                aaaaaaaaaaaa  active  3        0     broke flaky  example/*  https://chat.example.com/kanmon

                """)
        let nothing = try await webhook("retry", hook.id)
        #expect(nothing.output == "0 dead letters will be sent again\n")
    }

    @Test func `a webhook that is removed is gone, and no command finds it`() async throws {
        let hook = try addDisabled()
        let removed = try await webhook("remove", hook.id)
        #expect(removed == Program.Outcome(status: 0, output: "removed webhook 'aaaaaaaaaaaa'\n", messages: ""))
        #expect(try hooks.hooks().isEmpty)
        for command in ["remove", "retry", "test"] {
            let refused = try await webhook(command, hook.id)
            #expect(refused.status == 64)
            #expect(refused.messages.contains("find a webhook 'aaaaaaaaaaaa'"), "\(refused.messages)")
            #expect(refused.messages.contains("Try: kanmon webhook list"), "\(refused.messages)")
        }
    }

    private struct Ping: Decodable {
        let type: String
    }

    @Test func `a ping is signed, and what the receiver answers is printed`() async throws {
        let receiver = try await FaultServer()
        receiver.fail { request, _ in
            if request.line.hasSuffix("/refusing") { return .status(500, body: "not now") }
            return .status(200, body: request.line.hasSuffix("/quiet") ? "" : "thanks\u{1B}[2J")
        }
        let hook = try add("aaaaaaaaaaaa", url: "\(receiver.address)/thankful")
        let quiet = try add("bbbbbbbbbbbb", url: "\(receiver.address)/quiet")
        let refusing = try add("cccccccccccc", url: "\(receiver.address)/refusing")
        let taken = try await webhook("test", hook.id)
        #expect(taken == Program.Outcome(status: 0, output: "127.0.0.1 answered 200: thanks␛[2J\n", messages: ""))
        #expect(try await webhook("test", quiet.id).output == "127.0.0.1 answered 200\n")
        let refused = try await webhook("test", refusing.id)
        #expect(refused.status == 74 && refused.output.isEmpty)
        #expect(
            refused.messages.contains("127.0.0.1 does not take the ping: it answered 500: not now"),
            "\(refused.messages)")
        #expect(receiver.requests.map(\.line) == ["POST /thankful", "POST /quiet", "POST /refusing"])
        let message = try #require(receiver.requests.first?.message)
        let time = try #require(Int(message[1]))
        #expect(message[2] == hook.secret.signature(id: message[0], timestamp: time, body: message[3]))
        #expect(try JSONDecoder().decode(Ping.self, from: Data(message[3].utf8)).type == "ping")
        try await receiver.stop()
    }
}
