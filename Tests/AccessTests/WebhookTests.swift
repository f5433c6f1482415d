import Foundation
import RunModel
import TestSupport
import Testing

@testable import Access

@Suite struct WebhookTests {
    private let temporary: TemporaryFolder
    private var folder: WebhookFolder { WebhookFolder(path: "\(temporary.path)/webhooks") }
    private let moment = Date(timeIntervalSince1970: 1_767_323_045)

    init() throws { temporary = try TemporaryFolder() }

    private func hook(_ id: String = "0123456789ab") throws -> Webhook {
        Webhook(
            id: id, url: "https://chat.example.com/T0/secret-path", projects: [try #require(ProjectPattern("kit*"))],
            events: [.broke], secret: WebhookSecret(), created: moment)
    }

    private func message(_ number: Int) -> WebhookMessage {
        WebhookMessage(
            id: "msg_\(number)", type: "tests.broke", body: "{}", created: moment.addingTimeInterval(Double(number)))
    }

    @Test func `a message is signed as the example of Standard Webhooks is`() throws {
        // The second is computed by hmac and base64 of Python.
        let example = try #require(WebhookSecret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"))
        #expect(
            example.signature(
                id: "msg_p5jXN8AQM9LWM0D4loKWxJek", timestamp: 1_614_265_330, body: #"{"test": 2432232314}"#)
                == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
        let other = try #require(WebhookSecret("whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="))
        #expect(
            other.signature(id: "msg_1", timestamp: 1_767_323_045, body: #"{"type":"ping","data":{"ガ":"é"}}"#)
                == "v1,Bm6kDF4xvr4CFYcKg3Tt/hf8korUk4E5+P96HTik5cQ=")
    }

    @Test func `a secret has 32 random bytes, and no description shows them`() throws {
        let secret = WebhookSecret()
        #expect(secret.text.hasPrefix("whsec_") && Data(base64Encoded: String(secret.text.dropFirst(6)))?.count == 32)
        #expect(WebhookSecret().text != secret.text && WebhookSecret(secret.text) == secret)
        #expect(!"\(secret)".contains(secret.text.dropFirst(6)))
        for wrong in ["", "whsec_", "whsec_AAAA", "whsec_?", "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="] {
            #expect(WebhookSecret(wrong) == nil)
        }
    }

    @Test func `a webhook is kept for its owner alone, and gone with its messages`() throws {
        let hook = try hook()
        #expect(try folder.hooks().isEmpty)
        try folder.add(hook)
        #expect(try folder.hooks() == [hook])
        let files = FileManager.default
        let modes = ["", "/\(hook.id)", "/\(hook.id)/waiting", "/\(hook.id)/hook.json"].map {
            try? files.attributesOfItem(atPath: folder.path + $0)[.posixPermissions] as? Int
        }
        #expect(modes == [0o700, 0o700, 0o700, 0o600])
        #expect(hook.isTold(of: "kit2") && !hook.isTold(of: "other") && hook.host == "chat.example.com")
        try folder.add(message(1), to: hook)
        try folder.remove(hook.id)
        #expect(try folder.hooks().isEmpty && folder.messages(of: hook, on: .waiting).isEmpty)
        // What the server writes down of a message after that makes nothing new.
        try folder.save(message(1), of: hook)
        #expect(!files.fileExists(atPath: "\(folder.path)/\(hook.id)"))
        #expect(throws: AccessError.unknownWebhook(hook.id)) { try folder.remove(hook.id) }
    }

    @Test func `there are no more webhooks than can be sent to side by side`() throws {
        for number in 0..<Webhook.most { try folder.add(try hook("\(100 + number)")) }
        #expect(throws: AccessError.tooManyWebhooks) { try folder.add(try hook("999")) }
    }

    @Test func `a damaged file is told of without its content`() throws {
        let hook = try hook()
        try folder.add(hook)
        let file = "\(folder.path)/\(hook.id)/hook.json"
        try #"{"secret": "whsec_x"#.write(toFile: file, atomically: true, encoding: .utf8)
        let error = #expect(throws: AccessError.damagedWebhook(path: file)) { try folder.hooks() }
        #expect(error.map { !"\($0)".contains("whsec") } == true)
    }

    @Test func `the same news is one message, and a dead letter can be sent again`() throws {
        let hook = try hook()
        try folder.add(hook)
        var first = message(1)
        try folder.add(first, to: hook)
        (first.attempts, first.lastFailure) = (8, "it answered 500")
        try folder.save(first, of: hook)
        try folder.add(message(1), to: hook)
        #expect(try folder.messages(of: hook, on: .waiting) == [first])
        try folder.bury(first, of: hook)
        #expect(try folder.messages(of: hook, on: .waiting).isEmpty)
        #expect(try folder.messages(of: hook, on: .dead) == [first])
        #expect(
            try folder.statuses() == [
                WebhookStatus(id: hook.id, host: hook.host, waiting: 0, deadLetters: 1, isDisabled: false)
            ])
        let later = moment.addingTimeInterval(60)
        #expect(try folder.revive(hook, at: later) == 1)
        let again = try #require(try folder.messages(of: hook, on: .waiting).first)
        #expect(again.id == first.id && again.attempts == 0 && again.due == later)
        #expect(try folder.messages(of: hook, on: .dead).isEmpty)
    }

    @Test func `of too many messages the oldest go`() throws {
        let hook = try hook()
        try folder.add(hook)
        for number in 0..<WebhookFolder.mostMessages + 2 { try folder.add(message(number), to: hook) }
        let kept = try folder.messages(of: hook, on: .waiting)
        #expect(kept.count == WebhookFolder.mostMessages && kept.first?.id == "msg_2")
    }
}
