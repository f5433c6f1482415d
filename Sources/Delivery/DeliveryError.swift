import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix

/// Why a run was not delivered.
public struct DeliveryError: Error, Sendable, Hashable {
    /// What can be done about it.
    public enum Kind: Sendable, Hashable {
        /// The server cannot be reached, has no room, or asks to try again later.
        case later
        /// The server failed with this run: it may work later, and others may work now.
        case failed
        /// The server refuses this run: it is refused again unless somebody changes something.
        case refused
        /// The address or the token is wrong: no run can be delivered.
        case settings
        /// The run directory is damaged or gone here.
        case unreadable
    }

    /// What can be done about it.
    public let kind: Kind
    /// What happened, as a fragment in lower case. It may have text of the server in it, which is not trusted.
    public let reason: String
    /// What to do, in the words of the server, if it said so.
    public let hint: String?
    /// How long the server wants to be left alone, if it said so.
    public let retryAfter: Duration?

    init(_ kind: Kind, _ reason: String, hint: String? = nil, retryAfter: Duration? = nil) {
        self.kind = kind
        self.reason = reason
        self.hint = hint
        self.retryAfter = retryAfter
    }

    /// The longest text of a server that is shown, in characters.
    private static let longestText = 300
    /// The longest time that a server may ask for.
    private static let longestWait = 3600

    /// The error for a status that means no success.
    init(status: HTTPResponseStatus, headers: HTTPHeaders, answer: ErrorAnswer?) {
        let words =
            answer.map { String($0.error.prefix(Self.longestText)) }
            ?? "it answered \(status.code) \(status.reasonPhrase)"
        let hint = answer?.hint.map { String($0.prefix(Self.longestText)) }
        let wait = headers.wait(atMost: Self.longestWait)
        switch status.code {
        case 300..<400:
            self.init(.settings, "it leads to another address (\(status.code))", hint: "kanmon login with that address")
        case 401: self.init(.settings, "the token is not accepted (401): \(words)", hint: hint ?? "kanmon login")
        case 404, 405:
            self.init(.settings, "it takes no runs at this address (\(status.code))", hint: "see kanmon doctor")
        case 408, 425, 429, 502, 503, 504: self.init(.later, "\(words) (\(status.code))", hint: hint, retryAfter: wait)
        case 507: self.init(.later, "it has no room (507): \(words)", hint: hint, retryAfter: wait)
        case 500...: self.init(.failed, "\(words) (\(status.code))", hint: hint, retryAfter: wait)
        default: self.init(.refused, "\(words) (\(status.code))", hint: hint)
        }
    }

    /// The error behind one of the connection, with any server.
    package init(connection error: any Error) {
        switch error {
        case let error as DeliveryError: self = error
        case let error as HTTPClientError where [.deadlineExceeded, .readTimeout, .cancelled].contains(error):
            self.init(.later, "it did not answer in time")
        case let error as HTTPClientError where error == .proxyAuthenticationRequired:
            self.init(
                .settings, "the proxy wants to know who asks (407)",
                hint: "write name and password into the variable of the proxy: http://NAME:PASSWORD@HOST:PORT")
        case let error as HTTPClientError where error == .invalidProxyResponse:
            self.init(
                .later, "the proxy refuses to connect to it",
                hint: "unset the variable of the proxy, or name the host in no_proxy")
        case is NIOTooManyBytesError: self.init(.failed, "its answer is too large")
        case is CancellationError:
            self.init(.later, Task.isCancelled ? "the delivery was interrupted" : "it did not answer in time")
        case let error as HTTPClientError:
            self.init(
                .later,
                error == .connectTimeout
                    ? "it cannot be reached in time" : "the connection failed: \(error.shortDescription)")
        case let error as NIOConnectionError:
            let cause = error.connectionErrors.first.map { Self.words($0.error) }
            let unknown = error.dnsAError == nil && error.dnsAAAAError == nil ? nil : "its name is unknown"
            self.init(.later, "it cannot be reached: \(cause ?? unknown ?? "no address")")
        case let error as IOError: self.init(.later, "it cannot be reached: \(Self.words(error))")
        default:
            let failure = TLSFailure(error)
            self.init(
                failure == nil ? .later : .settings, failure?.reason ?? "the connection failed: \(Self.words(error))",
                hint: failure?.hint)
        }
    }

    private static func words(_ error: any Error) -> String {
        guard let error = error as? IOError else { return String("\(error)".prefix(longestText)) }
        return String(cString: strerror(error.errnoCode)).lowercased()
    }
}

/// What a server says when it refuses.
struct ErrorAnswer: Decodable {
    let error: String
    let hint: String?
}
