import Access
import Evidence
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import Pages
import RunModel

extension DashboardResponder {
    /// What the path of a call for programs begins with.
    static let programs = "/api/v1/"

    /// Answers a program that delivers runs.
    func deliveryAnswer(_ path: String, _ request: Request, _ context: DashboardContext) async -> Response {
        let answer: Answer
        do {
            answer = try await programAnswer(path, request, context)
        } catch let error as DeliveryError {
            answer = error.answer
        } catch let refusal as DeliveryRefusal {
            answer = DeliveryError(refusal).answer
        } catch {
            if let error = error as? EvidenceError, let refusal = DeliveryError(error) {
                answer = refusal.answer
            } else {
                context.logger.error("a delivery failed", metadata: ["error": .string(String(reflecting: "\(error)"))])
                let isFull = desk.map { !$0.hasRoom } ?? false
                let failure = DeliveryError(
                    .internalServerError, "something went wrong", hint: "the log has it as \(context.incident)")
                answer = (isFull ? .full : failure).answer
            }
        }
        if request.method == .put { counts.answered(answer.status.code) }
        return answer.response(withBody: request.method != .head)
    }

    private func programAnswer(_ path: String, _ request: Request, _ context: DashboardContext) async throws -> Answer {
        let steps = path.utf8.dropFirst(Self.programs.utf8.count)
            .split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map { String(Substring($0)) }
        switch (steps.first, steps.count) {
        case ("whoami", 1):
            guard request.method == .get else { throw Self.wrongMethod("GET") }
            return .json(IdentityResponse(try caller(request.head, context), key: try key?.verifyingKey()), .ok)
        case ("verdicts", 1):
            guard request.method == .get else { throw Self.wrongMethod("GET") }
            return try verdictAnswer(request.head, context)
        case ("runs", 2):
            guard request.method == .put else { throw Self.wrongMethod("PUT") }
            return try await takeRun(steps[1], request, context)
        case ("blobs", 2):
            guard request.method == .put else { throw Self.wrongMethod("PUT") }
            return try await takeBlob(steps[1], request, context)
        default: throw DeliveryError.notFound
        }
    }

    private static func wrongMethod(_ allowed: String) -> DeliveryError {
        DeliveryError(.methodNotAllowed, "this address answers \(allowed) only", allow: allowed)
    }

    /// Who calls: always by a token in a header, never by a cookie, which a browser would send for any page.
    func caller(_ head: HTTPRequest, _ context: DashboardContext) throws -> AccessToken {
        let hint = "kanmon token create makes one, where the server runs"
        guard let control else { throw DeliveryError(.unauthorized, "this server has no tokens", hint: hint) }
        do {
            guard let token = try control.bearer(of: head.headerFields, at: now()) else {
                throw DeliveryError(.unauthorized, "a token is needed", hint: hint)
            }
            return token
        } catch is CredentialError {
            if case .tooManyAttempts(let seconds) = failedAttempt(context) {
                throw DeliveryError(.tooManyRequests, "too many failed attempts", retryAfter: seconds)
            }
            throw DeliveryError(.unauthorized, "the token is not valid: unknown, expired or revoked", hint: hint)
        }
    }

    /// Who delivers, and where to.
    private func sender(_ head: HTTPRequest, _ context: DashboardContext) throws -> (AccessToken, DeliveryDesk) {
        let token = try caller(head, context)
        guard token.scope.delivers else {
            throw DeliveryError(
                .forbidden, "a token of scope '\(token.scope.rawValue)' delivers nothing",
                hint: "use one of scope submit or attest")
        }
        guard let desk else { throw DeliveryError(.forbidden, "this server takes no deliveries") }
        return (token, desk)
    }

    /// The length that a body says it has.
    private static func length(of head: HTTPRequest, limit: Int) throws -> Int {
        guard head.headerFields[.transferEncoding] == nil, let text = head.headerFields[.contentLength],
            let length = Int(text), length >= 0
        else { throw DeliveryError(.lengthRequired, "the field Content-Length is needed") }
        guard length <= limit else {
            throw DeliveryError(.contentTooLarge, "the body has \(length) bytes, the limit is \(limit)")
        }
        return length
    }

    private func takeRun(_ name: String, _ request: Request, _ context: DashboardContext) async throws -> Answer {
        let (token, desk) = try sender(request.head, context)
        guard let id = RunID(name) else { throw DeliveryError(.badRequest, "'\(name)' is no run id") }
        let length = try Self.length(of: request.head, limit: Delivery.largestList)
        guard desk.hasRoom else { throw DeliveryError.full }
        if let seconds = runLimit.admit(id.description, of: token.sha256, at: now()) {
            throw DeliveryError(.tooManyRequests, "too many runs in a minute", retryAfter: seconds)
        }
        let body = try await request.body.collect(upTo: Delivery.largestList)
        guard body.readableBytes == length else { throw DeliveryError(.badRequest, "the body is shorter than it says") }
        let delivery: Delivery
        do {
            delivery = try JSONDecoder().decode(Delivery.self, from: Data(body.readableBytesView))
        } catch {
            throw DeliveryError(.badRequest, "the body is no list of files")
        }
        guard delivery.schemaVersion == 1 else {
            throw DeliveryError(
                .badRequest, "the list has version \(delivery.schemaVersion), this server reads 1",
                hint: "update the server")
        }
        guard token.covers(delivery.project) else {
            throw DeliveryError(.forbidden, "the token '\(token.name)' is not for this project")
        }
        try delivery.check()
        let record = DeliveryRecord(
            token: token.name, isAttested: token.scope.attests, receivedAt: now(), address: context.address)
        var receipt = try await desk.take(
            id, delivery, from: DeliverySender(record: record, isAdmin: token.scope == .admin))
        if receipt.state != .incomplete { receipt.page = links.href(.run(id)) }
        return .json(receipt, receipt.state.status)
    }

    private func takeBlob(_ name: String, _ request: Request, _ context: DashboardContext) async throws -> Answer {
        let (_, desk) = try sender(request.head, context)
        guard Digest.isWellFormed(name) else { throw DeliveryError(.badRequest, "the address names no SHA-256") }
        let length = try Self.length(of: request.head, limit: BlobStore.largest)
        if desk.blobs.size(of: name) != nil {
            desk.blobs.touch(name)
            return .json(BlobResponse(sha256: name), .ok)
        }
        guard desk.hasRoom else { throw DeliveryError.full }
        let blob = try desk.blobs.receive(name)
        for try await buffer in request.body {
            try buffer.withUnsafeReadableBytes { try blob.append($0) }
        }
        guard blob.count == length else {
            throw DeliveryError(.unprocessableContent, "\(blob.count) bytes arrived of \(length)")
        }
        try blob.finish()
        counts.received(blob.count)
        return .json(BlobResponse(sha256: name), .created)
    }
}

extension DeliveryReceipt.State {
    /// The status that tells it.
    fileprivate var status: HTTPResponse.Status {
        switch self {
        case .stored: .created
        case .known: .ok
        case .incomplete: .accepted
        }
    }
}

/// What a token may do, for its holder.
private struct IdentityResponse: Encodable {
    let token: String
    let scope: String
    let projects: [String]
    let expires: Date?
    /// What the server signs with; `nil` where it signs nothing.
    let key: String?

    init(_ token: AccessToken, key: VerifyingKey?) {
        self.key = key?.description
        self.token = token.name
        scope = token.scope.rawValue
        projects = token.projects.map(\.description)
        expires = token.expires
    }

    enum CodingKeys: CodingKey { case token, scope, projects, expires, key }

    /// `expires` is there in any case: `null` if it never does.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(token, forKey: .token)
        try container.encode(scope, forKey: .scope)
        try container.encode(projects, forKey: .projects)
        try container.encode(expires, forKey: .expires)
        try container.encodeIfPresent(key, forKey: .key)
    }
}

/// A file that the server has.
private struct BlobResponse: Encodable {
    let sha256: String
}
