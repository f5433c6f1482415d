import Evidence
import Synchronization

public import struct Foundation.Date

/// The tokens of a running server: read again when their file has changed, so that a revoked token ends at once.
public final class TokenRegistry: Sendable {
    private struct State {
        var edition: FileEdition?
        var tokens: [AccessToken] = []
        /// Whether there ever was a token here.
        var hadTokens = false
        /// Why the file cannot be read.
        var error: AccessError?
    }

    private let file: TokenFile
    private let state = Mutex(State())

    /// Watches a file.
    public init(_ file: TokenFile) { self.file = file }

    /// Whether there are tokens, valid or not. Once there were, this stays so until the server ends: nobody opens it by
    /// removing the file, or when the last token expires.
    public var hasTokens: Bool {
        get throws(AccessError) {
            try current().hadTokens
        }
    }

    /// The valid token of a secret; `nil` for a text that is none, and for an unknown, expired or revoked one.
    ///
    /// Every token is compared, in a time that does not depend on which one is found.
    public func token(of secret: String, at moment: Date) throws(AccessError) -> AccessToken? {
        let tokens = try current().tokens
        guard let secret = TokenSecret(secret) else { return nil }
        let sha256 = secret.sha256
        var found: AccessToken?
        for token in tokens where TokenSecret.isEqual(token.sha256, sha256) { found = token }
        return found.flatMap { $0.isValid(at: moment) ? $0 : nil }
    }

    /// The token as it is now, by what it was when its holder signed in; `nil` if it is no longer valid.
    public func current(_ token: AccessToken, at moment: Date) throws(AccessError) -> AccessToken? {
        try current().tokens.first { $0.sha256 == token.sha256 && $0.isValid(at: moment) }
    }

    /// Whether a name is that of a token that is distrusted.
    public func isDistrusted(_ name: String) throws(AccessError) -> Bool {
        try current().tokens.contains { $0.isCalled(name) && $0.distrusted != nil }
    }

    private func current() throws(AccessError) -> State {
        let edition = FileEdition(of: file.path)
        let now = state.withLock { state -> State in
            guard edition != state.edition || state.error != nil else { return state }
            do throws(AccessError) {
                state.tokens = try file.tokens()
                state.hadTokens = state.hadTokens || !state.tokens.isEmpty
                state.error = nil
            } catch {
                // Nobody gets in by damaging the file.
                state.tokens = []
                state.error = error
            }
            state.edition = edition
            return state
        }
        if let error = now.error { throw error }
        return now
    }
}
