import Evidence
import RunModel
import Synchronization

public import struct Foundation.Date

/// The tokens of a running server: read again when their file has changed, so that a revoked token ends at once.
public final class TokenRegistry: Sendable {
    private struct State {
        var edition: FileEdition?
        /// By the SHA-256 of their secrets: how long a search takes says nothing of a secret.
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

    /// Watches a file. It is read now, so that tokens that are removed before anybody asks have been there.
    public init(_ file: TokenFile) {
        self.file = file
        // Whoever asks is told of an error.
        _ = try? current()
    }

    /// Whether there are tokens, valid or not. Once there were, this stays so until the server ends: nobody opens it by
    /// removing the file, or when the last token expires.
    public var hasTokens: Bool {
        get throws(AccessError) {
            try current().hadTokens
        }
    }

    /// The valid token of a secret; `nil` for a text that is none, and for an unknown, expired or revoked one.
    ///
    /// Every connection asks for it now and then, so that it takes as long among thousands of tokens as with one.
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
