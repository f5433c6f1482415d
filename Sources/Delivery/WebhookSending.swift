import AsyncHTTPClient
import NIOCore
package import NIOHTTP1

/// The result of sending a message to a receiver once.
public struct WebhookAnswer: Sendable, Hashable {
    /// The status; `nil` if none came.
    public let status: Int?
    /// The beginning of the answer's body, at most 64 KiB; untrusted text.
    public let body: String
    /// Why it did not arrive, in words without the address; `nil` if it did.
    public let failure: String?
    /// How long the receiver asks to wait, at most a day; `nil` if it does not say, or not in seconds.
    public let retryAfter: Duration?

    package init(status: Int?, body: String = "", failure: String?, retryAfter: Duration? = nil) {
        self.status = status
        self.body = body
        self.failure = failure
        self.retryAfter = retryAfter
    }

    /// Whether the receiver wants no more messages.
    public var isGone: Bool { status == 410 }
}

extension WebhookAddress {
    /// The longest body of an answer that is read, in bytes.
    private static let largestAnswer = 64 << 10
    /// The longest time that a receiver may ask for, in seconds.
    private static let longestWait = 86_400

    /// Sends a message once. Redirects are not followed: the message is signed for this receiver, and nobody else names addresses.
    ///
    /// - Parameters:
    ///   - body: The JSON.
    ///   - fields: The fields of the signature.
    ///   - proxies: The proxies of the environment.
    ///   - time: How long it may take in all.
    public func send(
        _ body: String, fields: [(String, String)], proxies: ProxySettings, within time: Duration = .seconds(10)
    ) async -> WebhookAnswer {
        let deadline = ContinuousClock.now + time
        let configuration: HTTPClient.Configuration
        do throws(ServerAddressError) {
            configuration = try .calling(origin, through: proxies, silence: .seconds(10))
        } catch {
            return WebhookAnswer(status: nil, failure: "\(error)")
        }
        var request = HTTPClientRequest(url: text)
        request.method = .POST
        request.headers = HTTPHeaders(fields + [("Content-Type", "application/json"), ("User-Agent", "Kanmon")])
        request.body = .bytes(ByteBuffer(string: body))
        let http = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        let answer = await Self.answer(to: request, http, until: deadline)
        try? await http.shutdown()
        return answer
    }

    private static func answer(
        to request: HTTPClientRequest, _ http: HTTPClient, until deadline: ContinuousClock.Instant
    ) async -> WebhookAnswer {
        do {
            let response = try await DeliveryClient.limited(until: deadline) {
                try await http.execute(request, deadline: .distantFuture)
            }
            // The status decides; a body that is too long or too slow changes nothing.
            let body = try? await DeliveryClient.limited(until: deadline) {
                try await response.body.collect(upTo: largestAnswer)
            }
            let status = response.status
            return WebhookAnswer(
                status: Int(status.code), body: body.map { String(buffer: $0) } ?? "",
                failure: (200..<300).contains(status.code) ? nil : "it answered \(status.code)",
                retryAfter: response.headers.wait(atMost: longestWait))
        } catch {
            return WebhookAnswer(status: nil, failure: DeliveryError(connection: error).reason)
        }
    }
}

extension HTTPHeaders {
    /// How long `Retry-After` asks to wait; `nil` if it is no number of seconds.
    package func wait(atMost longest: Int) -> Duration? {
        first(name: "retry-after").flatMap { Int($0) }.map { .seconds(Swift.min(Swift.max($0, 0), longest)) }
    }
}
