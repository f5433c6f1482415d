import FaultServer
import Testing

@testable import Delivery

@Suite struct WebhookSendingTests {
    private let proxies = ProxySettings([:])

    @Test func `messages go to https, or to this machine`() {
        for text in [
            "https://chat.example.com/hook?key=1", "https://[2001:db8::1]:8443/", "http://localhost:1/x",
            "http://127.0.0.1/", "http://[::1]:80/",
        ] { #expect((try? WebhookAddress(text))?.text == text) }
        for text in [
            "http://chat.example.com/", "http://127.0.0.1.example.com/", "http://10.0.0.1/", "ftp://localhost/",
            "https://", "https://user:password@chat.example.com/", "https://chat.example.com/#x", "/hook", "",
            "https://chat.example.com/a b", "https://chat.example.com/\n", "http://169.254.169.254/latest",
            "https://chat.example.com/" + String(repeating: "a", count: 2048),
        ] { #expect(throws: ServerAddressError.self) { try WebhookAddress(text) } }
    }

    @Test func `a message is tried for a day and a half, with growing pauses, and then given up`() {
        let pauses = (1...8).map { RetrySchedule.pause(after: $0, share: 0) }
        #expect(
            pauses == [
                .seconds(5), .seconds(60), .seconds(300), .seconds(1800), .seconds(7200), .seconds(21_600),
                .seconds(86_400), nil,
            ])
        #expect(RetrySchedule.pause(after: 2, share: 1) == .seconds(72))
        #expect(RetrySchedule.pause(after: 0, share: 0) == nil && RetrySchedule.pause(after: .max, share: 0) == nil)
    }

    @Test(.timeLimit(.minutes(10)))
    func `redirects are not followed, long answers are not read, and silence is waited out`() async throws {
        let server = try await FaultServer()
        server.fail { request, _ in
            switch request.line {
            case "POST /moved?a=b": .status(307, ["Location": "/else"])
            case "POST /long": .status(200, body: String(repeating: "x", count: 1 << 20))
            case "POST /gone": .status(410, body: "no more")
            case "POST /busy": .status(503, ["Retry-After": "9999999"])
            case "POST /silent": .silent
            case "POST /cut": .cut
            default: .status(200, body: "thanks")
            }
        }
        func send(_ path: String) async throws -> WebhookAnswer {
            try await WebhookAddress(server.address + path).send(
                #"{"type":"ping"}"#, fields: [("webhook-id", "msg_1")], proxies: proxies,
                within: path == "/silent" ? .milliseconds(300) : .seconds(600))
        }
        #expect(try await send("/") == WebhookAnswer(status: 200, body: "thanks", failure: nil))
        #expect(try await send("/moved?a=b").failure == "it answered 307")
        let long = try await send("/long")
        #expect(long.failure == nil && long.body.utf8.count <= 64 << 10)
        #expect(try await send("/gone").isGone)
        #expect(try await send("/busy").retryAfter == .seconds(86_400))
        let silent = try await send("/silent")
        #expect(silent == WebhookAnswer(status: nil, failure: "it did not answer in time"))
        #expect(try await send("/cut").failure != nil)
        #expect(!server.requests.contains { $0.line.contains("/else") })
        #expect(server.requests.first?.message?.last == #"{"type":"ping"}"#)
        try await server.stop()
    }
}
