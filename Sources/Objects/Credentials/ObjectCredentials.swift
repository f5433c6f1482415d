import Foundation

/// What requests to a store are signed with. Only the access key is ever shown.
struct ObjectCredentials: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible {
    /// The name of the key, which every request tells.
    let accessKey: String
    /// The secret, which no request tells.
    let secret: String
    /// The token of a session, which requests tell; `nil` for credentials that last.
    let sessionToken: String?
    /// When they end; `nil` for those that do not say so.
    let expires: Date?

    /// Takes credentials.
    ///
    /// - Returns: `nil` if a part is empty or has characters that no field of a request may have.
    init?(accessKey: String, secret: String, sessionToken: String? = nil, expires: Date? = nil) {
        func isPlain(_ text: String) -> Bool {
            !text.isEmpty && text.utf8.count <= 16 << 10 && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
        }
        guard isPlain(accessKey), isPlain(secret), sessionToken.map(isPlain) ?? true else { return nil }
        self.accessKey = accessKey
        self.secret = secret
        self.sessionToken = sessionToken
        self.expires = expires
    }

    /// Without the secret.
    var description: String { "credentials of the key \(accessKey)" }
    /// Without the secret.
    var debugDescription: String { description }

    /// A text without what must not be told, should it be in it.
    func removed(from text: String) -> String {
        [secret, sessionToken].compactMap(\.self).reduce(text) { $0.replacingOccurrences(of: $1, with: "***") }
    }
}
