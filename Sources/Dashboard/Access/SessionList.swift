import Access
import Evidence
import Foundation
import HTTPTypes
import Synchronization

/// The browsers that are signed in. They are forgotten when the server ends.
final class SessionList: Sendable {
    /// How long a session lasts, in seconds: a week.
    static let lifetime = 7 * 86_400.0
    /// How many there are at most; for one more, the oldest ends.
    private static let most = 10_000

    private struct Session {
        let token: AccessToken
        let begun: Date
    }

    /// By the SHA-256 of their ids: how long a search takes says nothing of an id.
    private let sessions = Mutex<[String: Session]>([:])

    /// Opens a session. Its id is always a new one, whatever the browser sent.
    func open(_ token: AccessToken, at moment: Date) -> String {
        let id = (0..<4).map { _ in
            let digits = String(UInt64.random(in: 0 ... .max), radix: 16)
            return String(repeating: "0", count: 16 - digits.utf8.count) + digits
        }.joined()
        sessions.withLock { sessions in
            if sessions.count >= Self.most, let oldest = sessions.min(by: { $0.value.begun < $1.value.begun })?.key {
                sessions[oldest] = nil
            }
            sessions[Self.key(id)] = Session(token: token, begun: moment)
        }
        return id
    }

    /// The token that a session was opened with; `nil` if there is none, or it is over.
    func find(_ id: String, at moment: Date) -> AccessToken? {
        let key = Self.key(id)
        return sessions.withLock { sessions in
            guard let session = sessions[key] else { return nil }
            guard moment.timeIntervalSince(session.begun) < Self.lifetime else {
                sessions[key] = nil
                return nil
            }
            return session.token
        }
    }

    /// Ends a session.
    func close(_ id: String) {
        let key = Self.key(id)
        sessions.withLock { $0[key] = nil }
    }

    private static func key(_ id: String) -> String { Digest.sha256(Array(id.utf8)) }
}

/// The cookie of a session.
enum SessionCookie {
    private static let name = "kanmon_session"

    /// The id in the cookies of a request; `nil` without one, and where there are two, of which one may be planted.
    static func id(in fields: HTTPFields) -> String? {
        let pairs = fields[values: .cookie].flatMap { $0.split(separator: ";") }.map { $0.trimmingPrefix(" ") }
        let found = pairs.filter { $0.hasPrefix("\(name)=") }
        guard found.count == 1, let pair = found.first else { return nil }
        return String(pair.dropFirst(name.utf8.count + 1))
    }

    /// The field that gives a browser its session; without an id, the one that takes it away.
    static func field(_ id: String?, path: String, isSecure: Bool) -> String {
        let age = id == nil ? 0 : Int(SessionList.lifetime)
        return "\(name)=\(id ?? ""); Path=\(path); Max-Age=\(age); HttpOnly; SameSite=Strict"
            + (isSecure ? "; Secure" : "")
    }
}
