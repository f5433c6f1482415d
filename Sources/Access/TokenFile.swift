import Evidence
public import Foundation

/// The file with the tokens of a server. Each change replaces it as a whole, so that a reader sees all of a change or nothing.
public struct TokenFile: Sendable {
    /// The largest file that is read, in bytes: 4 MiB, about 10,000 tokens.
    private static let largest = 4 << 20

    /// The path of the file; it need not exist.
    public let path: String

    /// Names a file; nothing is read yet.
    public init(path: String) { self.path = path }

    /// What is in the file.
    private struct Content: Codable {
        var schemaVersion = 1
        var tokens: [AccessToken] = []
    }

    /// All tokens, revoked and expired ones too, in the order they were made; none if there is no file.
    public func tokens() throws(AccessError) -> [AccessToken] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT { return [] }
            throw failure()
        }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        let data: Data
        do {
            data = try file.read(upToCount: Self.largest + 1) ?? Data()
        } catch {
            throw .inaccessible(path: path, reason: "it cannot be read")
        }
        guard data.count <= Self.largest else { throw .damaged(path: path, reason: "it is too large") }
        let content: Content
        do {
            content = try JSONDecoder.steady.decode(Content.self, from: data)
        } catch {
            throw .damaged(path: path, reason: "it is no list of tokens")
        }
        guard content.schemaVersion == 1 else {
            throw .damaged(path: path, reason: "it was written by a newer version")
        }
        return content.tokens
    }

    /// Adds a token.
    public func add(_ token: AccessToken) throws(AccessError) {
        try change { (tokens) throws(AccessError) in
            // A run names the token that delivered it: nobody may take over the name of another.
            guard !tokens.contains(where: { $0.isCalled(token.name) }) else { throw .nameTaken(token.name) }
            tokens.append(token)
        }
    }

    /// Revokes a token for good; one that is revoked already keeps its day.
    ///
    /// - Parameter isDistrusted: Whether nothing that it has delivered is trusted any more either.
    public func revoke(_ name: String, at moment: Date, isDistrusted: Bool = false) throws(AccessError) {
        try change { (tokens) throws(AccessError) in
            guard let index = tokens.firstIndex(where: { $0.name == name }) else { throw .unknownName(name) }
            if tokens[index].revoked == nil { tokens[index].revoked = moment }
            if isDistrusted, tokens[index].distrusted == nil { tokens[index].distrusted = moment }
        }
    }

    /// Gives a token another name. What it delivered keeps the old one, which stays taken.
    public func rename(_ name: String, to other: String) throws(AccessError) {
        try change { (tokens) throws(AccessError) in
            let index = try Self.index(of: name, in: tokens)
            guard !tokens.contains(where: { $0.isCalled(other) }) else { throw .nameTaken(other) }
            tokens[index].formerNames = (tokens[index].formerNames ?? []) + [name]
            tokens[index].name = other
        }
    }

    /// Gives a token another secret; the one before ends with every session that was opened with it.
    public func rotate(_ name: String, to sha256: String) throws(AccessError) {
        try change { (tokens) throws(AccessError) in tokens[try Self.index(of: name, in: tokens)].sha256 = sha256 }
    }

    /// Changes what a token may do from now on.
    ///
    /// - Parameters:
    ///   - scope: What it is for; as before for `nil`.
    ///   - projects: The projects that it is for; as before for `nil`.
    ///   - expires: When it ends, `nil` inside for never; as before for `nil`.
    public func limit(
        _ name: String, scope: AccessScope?, projects: [ProjectPattern]?, expires: Date??
    ) throws(AccessError) {
        try change { (tokens) throws(AccessError) in
            let index = try Self.index(of: name, in: tokens)
            if let scope { tokens[index].scope = scope }
            if let projects { tokens[index].projects = projects }
            if let expires { tokens[index].expires = expires }
        }
    }

    /// The place of a token that was not revoked.
    private static func index(of name: String, in tokens: [AccessToken]) throws(AccessError) -> Int {
        guard let index = tokens.firstIndex(where: { $0.name == name }) else { throw .unknownName(name) }
        guard tokens[index].revoked == nil else { throw .notValid(name) }
        return index
    }

    /// Changes the list while no other process does; on disk when it returns.
    private func change(_ body: (inout [AccessToken]) throws(AccessError) -> Void) throws(AccessError) {
        let lock: ChangeLock
        do throws(EvidenceError) {
            lock = try ChangeLock(path)
        } catch {
            throw .inaccessible(path: path, reason: "\(error)")
        }
        defer { withExtendedLifetime(lock) {} }
        var content = Content(tokens: try tokens())
        try body(&content.tokens)
        try replace(by: content)
    }

    private func replace(by content: Content) throws(AccessError) {
        let bytes: Data
        do {
            bytes = try JSONEncoder.steadyLines.encode(content)
        } catch {
            throw .inaccessible(path: path, reason: "\(error)")
        }
        // A server that cannot read it lets nobody in.
        guard bytes.count <= Self.largest else {
            throw .inaccessible(path: path, reason: "it would have more than \(Self.largest >> 20) MiB")
        }
        do throws(EvidenceError) {
            try SmallFile.replace(path, with: Array(bytes))
        } catch {
            throw .inaccessible(path: path, reason: "\(error)")
        }
    }

    private func failure() -> AccessError {
        .inaccessible(path: path, reason: String(cString: strerror(errno)))
    }
}
