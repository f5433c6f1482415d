public import Access
import Evidence
import Foundation
import HTTPTypes

/// Who may read without a credential.
public enum OpenReading: Sendable, Hashable {
    /// Anyone who reaches the address.
    case always
    /// Anyone, until there is a token: for an address that only this machine reaches.
    case untilTokens
    /// Nobody.
    case never
}

/// Checks credentials: tokens in a header, and sessions of browsers that signed in with one.
public final class AccessControl: Sendable {
    private let tokens: TokenRegistry
    private let reading: OpenReading
    /// The proxy that is believed.
    let proxy: TrustedProxy?
    /// What the badges and feeds of projects are opened with.
    let keys: AddressKeys?
    let sessions = SessionList()
    let failures = AttemptLimit(most: 10, seconds: 60)

    /// Makes the control of a server.
    ///
    /// - Parameters:
    ///   - tokens: The tokens, which may change while it runs.
    ///   - reading: Who may read without one.
    ///   - proxy: The proxy that is believed; `nil` for none.
    ///   - keys: What the badges and feeds of projects are opened with; without, they need a token as any page.
    public init(
        tokens: TokenRegistry, reading: OpenReading, proxy: TrustedProxy? = nil, keys: AddressKeys? = nil
    ) {
        self.tokens = tokens
        self.reading = reading
        self.proxy = proxy
        self.keys = keys
    }

    /// Whether a reader needs a credential now.
    func guardsReading() throws -> Bool {
        switch reading {
        case .always: false
        case .never: true
        case .untilTokens: try tokens.hasTokens
        }
    }

    /// The token in the field `Authorization`; `nil` if the field is absent.
    ///
    /// - Throws: `CredentialError` for a field that holds no valid token.
    func bearer(of fields: HTTPFields, at moment: Date) throws -> AccessToken? {
        let values = fields[values: .authorization]
        guard let value = values.first else { return nil }
        guard values.count == 1, let secret = Self.secret(in: value),
            let token = try tokens.token(of: secret, at: moment)
        else { throw CredentialError() }
        return token
    }

    /// The token that a request holds, in a header or by a session; `nil` without a valid one.
    func holder(of fields: HTTPFields, at moment: Date) -> AccessToken? {
        // Testing for a field is much faster than looking for a token.
        guard fields.contains(.authorization) || fields.contains(.cookie) else { return nil }
        guard let token = try? bearer(of: fields, at: moment) ?? session(of: fields, at: moment) else { return nil }
        return token
    }

    /// The token of a secret that was typed in; `nil` if it is not valid.
    func token(of secret: String, at moment: Date) throws -> AccessToken? { try tokens.token(of: secret, at: moment) }

    /// The token that a session in the field `Cookie` was opened with: the first one whose token is valid; `nil` without any.
    func session(of fields: HTTPFields, at moment: Date) throws -> AccessToken? {
        for id in SessionCookie.ids(in: fields) {
            if let token = sessions.find(id, at: moment), let current = try tokens.current(token, at: moment) {
                return current
            }
        }
        return nil
    }

    /// Ends the sessions that the field `Cookie` names.
    func closeSessions(of fields: HTTPFields) { for id in SessionCookie.ids(in: fields) { sessions.close(id) } }

    func isDistrusted(_ name: String) throws -> Bool { try tokens.isDistrusted(name) }

    private static func secret(in value: String) -> String? {
        let parts = value.split(separator: " ", omittingEmptySubsequences: true)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        return String(parts[1])
    }
}

/// A credential was sent that is none, or no longer.
struct CredentialError: Error {}
