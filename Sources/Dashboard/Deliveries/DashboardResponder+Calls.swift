import Access
import Evidence
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOHTTP1
import RunModel

extension DashboardResponder {
    /// Answers a machine that delivers runs, and remembers that it called.
    func deliveryAnswer(_ path: String, _ request: Request, _ context: DashboardContext) async -> Response {
        var call = DeliveryCall(DeliveryRoute(path: path), request.head.headerFields)
        let answer: Answer
        var refusal: CallError?
        do {
            answer = try await programAnswer(request, context, &call)
        } catch {
            let found = deliveryError(error, context)
            (answer, refusal) = (found.answer, found)
        }
        note(call, refusal)
        if request.method == .put, !call.isOfProgress {
            counts.answered(answer.status.code, refusal: refusal?.code, isDelivered: call.isDelivered)
        }
        let sent = try? sized(answer, for: call.token?.name ?? context.peer)
        let crowded = CallError(.serviceUnavailable, "too many answers wait to be read", retryAfter: 10)
        return (sent ?? crowded.answer).response(withBody: request.method != .head)
    }

    /// What an error says to the machine that called.
    private func deliveryError(_ error: any Error, _ context: DashboardContext) -> CallError {
        switch error {
        case let error as CallError: return error
        case let refusal as DeliveryRefusal: return CallError(refusal)
        case is HTTPParserError: return CallError(.badRequest, "the request broke off")
        case Refusal.crowded:
            return CallError(.serviceUnavailable, "too many questions wait for their answer", retryAfter: 10)
        default: break
        }
        if let error = error as? EvidenceError, let refusal = CallError(error) { return refusal }
        context.logger.error("a delivery failed", metadata: ["error": .string(String(reflecting: "\(error)"))])
        if let deliveries, !deliveries.hasRoom { return .full }
        return CallError(
            .internalServerError, "something went wrong", hint: "the log has it as \(context.incident)")
    }

    /// Remembers a call. A file that arrived says nothing that the offer of its run does not say, and the progress of a run is
    /// only a picture, so that it is nothing if it is refused; nor is a question for a verdict, which delivers nothing.
    private func note(_ call: DeliveryCall, _ refusal: CallError?) {
        switch call.route {
        case .blob where refusal == nil, .progress where refusal != nil, .verdict where refusal != nil: return
        default: break
        }
        // Whoever only reads is no machine that delivers, and is told so.
        guard call.token?.scope.delivers == true else { return }
        let moment = now()
        ledger.note(
            call, waiting: call.waiting,
            refusal: refusal.map { RefusedDelivery(code: $0.code, reason: $0.reason, moment: moment) }, at: moment)
    }

    private func programAnswer(
        _ request: Request, _ context: DashboardContext, _ call: inout DeliveryCall
    ) async throws -> Answer {
        guard let route = call.route else { throw CallError.notFound }
        guard request.method.rawValue == route.method else {
            throw CallError(
                .methodNotAllowed, "this address answers \(route.method) only", allow: route.method)
        }
        switch route {
        case .identity:
            let token = try caller(request.head, context, &call)
            return .json(IdentityResponse(token, key: try key?.verifyingKey()), .ok)
        case .verdict: return try await verdictAnswer(request.head, context, &call)
        case .run(let id): return try await takeRun(id, request, context, &call)
        case .blob(let sha256): return try await takeBlob(sha256, request, context, &call)
        case .progress(let id): return try await takeProgress(id, request, context, &call)
        }
    }

    /// Who calls: always by a token in a header, never by a cookie, which a browser would send for any page.
    func caller(
        _ head: HTTPRequest, _ context: DashboardContext, _ call: inout DeliveryCall
    ) throws -> AccessToken {
        let hint = "kanmon token create makes one, where the server runs"
        guard let control else { throw CallError(.unauthorized, "this server has no tokens", hint: hint) }
        do {
            guard let token = try control.bearer(of: head.headerFields, at: now()) else {
                throw CallError(.unauthorized, "a token is needed", hint: hint)
            }
            call.token = token
            return token
        } catch is CredentialError {
            if case .tooManyAttempts(let seconds) = failedAttempt(context) {
                throw CallError(.tooManyRequests, "too many failed attempts", retryAfter: seconds)
            }
            throw CallError(.unauthorized, "the token is not valid: unknown, expired or revoked", hint: hint)
        }
    }

    /// Who delivers, and where to.
    func sender(
        _ head: HTTPRequest, _ context: DashboardContext, _ call: inout DeliveryCall
    ) throws -> (AccessToken, DeliveryService) {
        let token = try caller(head, context, &call)
        guard token.scope.delivers else {
            throw CallError(
                .forbidden, "a token of scope '\(token.scope.rawValue)' delivers nothing",
                hint: "use one of scope submit or attest")
        }
        guard let deliveries else { throw CallError(.forbidden, "this server takes no deliveries") }
        return (token, deliveries)
    }

    /// The length that a body says it has.
    static func length(of head: HTTPRequest, limit: Int) throws -> Int {
        guard head.headerFields[.transferEncoding] == nil, let text = head.headerFields[.contentLength],
            let length = Int(text), length >= 0
        else { throw CallError(.lengthRequired, "the field Content-Length is needed") }
        guard length <= limit else {
            throw CallError(.contentTooLarge, "the body has \(length) bytes, the limit is \(limit)")
        }
        return length
    }
}
