import Access
import Evidence
import Foundation
import HTTPTypes
import Synchronization

/// The browsers that are signed in. They are forgotten when the server ends.
final class SessionList: Sendable {
    /// How long a session lasts, in seconds: a week.
    static let lifetime = 7 * 86_400.0
    /// How many there are of one token at most; for one more, its oldest ends.
    static let mostOfToken = 100
    /// How many there are at most; for one more, the oldest of the token with the most of them ends.
    static let most = 20_000

    private struct Session {
        let token: AccessToken
        let begun: Date
    }

    /// By the SHA-256 of their ids: how long a search takes says nothing of an id.
    private let sessions = Mutex(Sessions())

    private struct Sessions {
        var byKey: [String: Session] = [:]
        /// The keys of each token's sessions, the oldest first.
        var byToken: [String: [String]] = [:]

        mutating func add(_ session: Session, as key: String) {
            let token = session.token.sha256
            if byToken[token]?.count ?? 0 >= SessionList.mostOfToken {
                removeOldest(of: token)
            } else if byKey.count >= SessionList.most {
                let most = byToken.max { ($0.value.count, $0.key) < ($1.value.count, $1.key) }?.key
                removeOldest(of: most ?? token)
            }
            byKey[key] = session
            byToken[token, default: []].append(key)
        }

        mutating func remove(_ key: String) {
            guard let session = byKey.removeValue(forKey: key) else { return }
            let token = session.token.sha256
            byToken[token]?.removeAll { $0 == key }
            if byToken[token]?.isEmpty == true { byToken[token] = nil }
        }

        private mutating func removeOldest(of token: String) {
            if let oldest = byToken[token]?.first { remove(oldest) }
        }
    }

    /// Opens a session. Its id is always a new one of 64 hexadecimal digits, whatever the browser sent.
    func open(_ token: AccessToken, at moment: Date) -> String {
        let id = (0..<4).map { _ in
            let digits = String(UInt64.random(in: 0 ... .max), radix: 16)
            return String(repeating: "0", count: 16 - digits.utf8.count) + digits
        }.joined()
        sessions.withLock { sessions in
            sessions.add(Session(token: token, begun: moment), as: Self.key(id))
        }
        return id
    }

    /// The token that a session was opened with; `nil` if there is none, or it is over.
    func find(_ id: String, at moment: Date) -> AccessToken? {
        let key = Self.key(id)
        return sessions.withLock { sessions in
            guard let session = sessions.byKey[key] else { return nil }
            guard moment.timeIntervalSince(session.begun) < Self.lifetime else {
                sessions.remove(key)
                return nil
            }
            return session.token
        }
    }

    /// Ends a session.
    func close(_ id: String) {
        let key = Self.key(id)
        sessions.withLock { $0.remove(key) }
    }

    private static func key(_ id: String) -> String { Digest.sha256(Array(id.utf8)) }
}

enum SessionCookie {
    private static let name = "kanmon_session"
    /// How many sessions of a request are looked at.
    static let most = 16

    /// The ids in the cookies of a request, in their order: the first 16 that can be ids.
    ///
    /// A browser sends several cookies of one name if another path, or another host of the same domain, has set one, too. Were such a
    /// request refused, whoever can plant a cookie could lock a reader out.
    static func ids(in fields: HTTPFields) -> [String] {
        var found: [String] = []
        for pair in fields[values: .cookie].flatMap({ $0.utf8.split(separator: UInt8(ascii: ";")) }) {
            guard found.count < most else { break }
            let pair = pair.drop { $0 == UInt8(ascii: " ") }
            guard pair.starts(with: "\(name)=".utf8) else { continue }
            let id = String(Substring(pair.dropFirst(name.utf8.count + 1)))
            if Digest.isWellFormed(id), !found.contains(id) { found.append(id) }
        }
        return found
    }

    /// The field by which a request names sessions; `nil` without one.
    static func field(naming ids: [String]) -> String? {
        ids.isEmpty ? nil : ids.map { "\(name)=\($0)" }.joined(separator: "; ")
    }

    /// The field that gives a browser its session; without an id, the one that takes it away.
    static func field(_ id: String?, path: String, isSecure: Bool) -> String {
        let age = id == nil ? 0 : Int(SessionList.lifetime)
        return "\(name)=\(id ?? ""); Path=\(path); Max-Age=\(age); HttpOnly; SameSite=Strict"
            + (isSecure ? "; Secure" : "")
    }
}
