import Access
import Evidence
import Exports
import HTTPTypes
import RunModel

/// An answer to a program that is not what it asked for: a status, and words for whoever looks after it.
struct CallError: Error, Sendable, Hashable {
    /// The longest reason that is told, in bytes: it may have names of the sender's in it.
    private static let longestReason = 4 << 10

    let status: HTTPResponse.Status
    let reason: String
    var hint: String?
    /// After how many seconds it may try again.
    var retryAfter: Int?
    /// The methods that the address has.
    var allow: String?

    init(
        _ status: HTTPResponse.Status, _ reason: String, hint: String? = nil, retryAfter: Int? = nil,
        allow: String? = nil
    ) {
        self.status = status
        self.reason = reason.cut(toBytes: Self.longestReason)
        self.hint = hint
        self.retryAfter = retryAfter
        self.allow = allow
    }

    static let notFound = CallError(.notFound, "there is no such address", hint: "see /openapi.json")
    static let full = CallError(
        HTTPResponse.Status(code: 507, reasonPhrase: "Insufficient Storage"), "the disk of the server is nearly full",
        hint: "run 'kanmon db prune' there",
        retryAfter: 60)

    static func otherProject(_ token: AccessToken) -> CallError {
        CallError(.forbidden, "the token '\(token.name)' is not for this project")
    }

    init(_ refusal: DeliveryRefusal) {
        switch refusal {
        case .conflict(let reason): self.init(.conflict, reason, hint: "a run never changes; deliver another one")
        case .impossible(let reason): self.init(.unprocessableContent, reason)
        case .tooLarge(let reason): self.init(.contentTooLarge, reason, hint: "split the run into shards")
        case .notNow(let reason): self.init(.serviceUnavailable, reason, retryAfter: 10)
        case .full: self = .full
        }
    }

    /// What is wrong with the evidence; `nil` for an error of the server's own.
    init?(_ error: EvidenceError) {
        switch error {
        case .tooLarge(let file, let reason): self.init(.contentTooLarge, "\(file): \(reason)")
        case .unreadable, .unwritable: return nil
        default: self.init(.unprocessableContent, "\(error)")
        }
    }

    /// What kind of refusal it is.
    var code: RefusalCode {
        switch status.code {
        case 400: .malformed
        case 401: .invalidToken
        case 403: .notAllowed
        case 404: .notFound
        case 405: .wrongMethod
        case 409: .conflict
        case 411: .lengthMissing
        case 413: .tooLarge
        case 422: .impossible
        case 429: .tooMany
        case 503: .notNow
        case 507: .diskFull
        default: .serverFailed
        }
    }

    /// The answer to send.
    var answer: Answer {
        var answer = Answer.json(Body(error: reason, code: code, hint: hint), status)
        if let retryAfter { answer.fields[.retryAfter] = String(retryAfter) }
        if let allow { answer.fields[.allow] = allow }
        if status == .unauthorized { answer.fields[.wwwAuthenticate] = "Bearer" }
        return answer
    }

    private struct Body: Encodable {
        let error: String
        let code: RefusalCode
        let hint: String?
    }
}

extension Answer {
    /// A value for a program, which is not kept.
    static func json(_ value: some Encodable, _ status: HTTPResponse.Status) -> Answer {
        // A value of texts and numbers can always be written.
        let text = (try? JSONText.render(value)) ?? "{}"
        return Answer(
            status: status, contentType: "application/json; charset=utf-8", body: Array("\(text)\n".utf8))
    }
}
