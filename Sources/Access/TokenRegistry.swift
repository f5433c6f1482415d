import Evidence
import RunModel
import Synchronization

public import struct Foundation.Date

/// The tokens of a running server: read again when their file has changed, so that a revoked token ends at once.
public final class TokenRegistry: Sendable {
    private struct State {
        var edition: FileEdition?
        /// By the SHA-256 of their secrets, so that the time of a search reveals nothing about a secret.
        var tokens: [String: AccessToken] = [:]
        /// The names of those that are distrusted, with the ones that they had before.
        var distrusted: Set<Name> = []
        /// Whether there ever was a token here.
        var hadTokens = false
        /// Why the file cannot be read.
        var error: AccessError?
    }

    private let file: TokenFile
    private let state = Mutex(State())

    /// Watches a file. It is read now, so that `hasTokens` stays true if the tokens are removed before the first request.
    public init(_ file: TokenFile) {
        self.file = file
        // An error is thrown to the first who asks.
        _ = try? current()
    }

    /// Whether there are tokens, valid or not. Once true, this stays true until the server ends, so that neither removing the
    /// file nor the expiry of the last token opens the server to everybody.
    public var hasTokens: Bool {
        get throws(AccessError) {
            try current().hadTokens
        }
    }

    /// The valid token of a secret; `nil` if the text is no secret, or its token is unknown, expired or revoked.
    ///
    /// Every connection asks for it now and then, so it takes as long among thousands of tokens as with one.
    public func token(of secret: String, at moment: Date) throws(AccessError) -> AccessToken? {
        let tokens = try current().tokens
        guard let secret = TokenSecret(secret) else { return nil }
        return tokens[secret.sha256].flatMap { $0.isValid(at: moment) ? $0 : nil }
    }

    /// The token as it is now, by what it was when its holder signed in; `nil` if it is no longer valid.
    public func current(_ token: AccessToken, at moment: Date) throws(AccessError) -> AccessToken? {
        try current().tokens[token.sha256].flatMap { $0.isValid(at: moment) ? $0 : nil }
    }

    /// Whether a name is that of a token that is distrusted.
    public func isDistrusted(_ name: String) throws(AccessError) -> Bool {
        try current().distrusted.contains(Name(name))
    }

    private func current() throws(AccessError) -> State {
        let edition = FileEdition(of: file.path)
        let now = state.withLock { state -> State in
            guard edition != state.edition || state.error != nil else { return state }
            do throws(AccessError) {
                let tokens = try file.tokens()
                state.tokens = Dictionary(tokens.map { ($0.sha256, $0) }) { $1 }
                let names = tokens.lazy.filter { $0.distrusted != nil }.flatMap { [$0.name] + ($0.formerNames ?? []) }
                state.distrusted = Set(names.map { Name($0) })
                state.hadTokens = state.hadTokens || !state.tokens.isEmpty
                state.error = nil
            } catch {
                // Nobody gets in by damaging the file.
                state.tokens = [:]
                state.distrusted = []
                state.hadTokens = true
                state.error = error
            }
            state.edition = edition
            return state
        }
        if let error = now.error { throw error }
        return now
    }
}
