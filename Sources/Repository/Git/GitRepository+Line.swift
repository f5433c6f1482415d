public import struct Foundation.Date

/// A commit of a line: of a branch by first parents.
public struct LineCommit: Sendable, Hashable {
    /// The commit.
    public let commit: ObjectID
    /// Its tree.
    public let tree: ObjectID
    /// Its parents, the first one first.
    public let parents: [ObjectID]
    /// When it was committed; 1970 where the commit does not say it.
    public let committedAt: Date
    /// The name of its author, of which the first 1,000 bytes are kept; untrusted text.
    public let author: String
    /// The first line of its message, of which as much is kept; untrusted text.
    public let subject: String

    package init(
        commit: ObjectID, tree: ObjectID, parents: [ObjectID], committedAt: Date, author: String, subject: String
    ) {
        (self.commit, self.tree, self.parents) = (commit, tree, parents)
        (self.committedAt, self.author, self.subject) = (committedAt, author, subject)
    }
}

extension GitRepository {
    /// A commit and those before it by first parents, the newest first.
    ///
    /// - Parameters:
    ///   - head: The newest one.
    ///   - base: It and all that lead to it are left out; `nil` for none.
    ///   - limit: At most this many.
    public func line(
        to head: ObjectID, from base: ObjectID? = nil, limit: Int
    ) async throws(GitError) -> [LineCommit] {
        let range = [GitArgument(head.hexadecimal)] + (base.map { [GitArgument("^\($0.hexadecimal)")] } ?? [])
        let entries = try await log(
            "%H %T %ct%n%P%n%an%n%s",
            ["--first-parent", "--max-count=\(limit)", "--end-of-options"] + range + ["--"])
        return try entries.map { entry throws(GitError) in
            guard let commit = LineCommit(entry) else {
                throw .unexpectedOutput(command: "log", detail: "an entry without a commit and its tree")
            }
            return commit
        }
    }
}

extension LineCommit {
    /// How many bytes of a text are kept, because a commit may have any number of them.
    private static let longestText = 1_000

    /// Reads `COMMIT TREE SECONDS`, and lines with the parents, the author and the subject. Git leaves the seconds out of a commit that
    /// some other program made wrong.
    fileprivate init?(_ entry: ArraySlice<UInt8>) {
        let lines = entry.split(separator: UInt8(ascii: "\n"), maxSplits: 3, omittingEmptySubsequences: false)
        guard lines.count == 4 else { return nil }
        let names = lines[0].split(separator: UInt8(ascii: " "))
        guard names.count >= 2, let commit = ObjectID(bytes: names[0]), let tree = ObjectID(bytes: names[1]) else {
            return nil
        }
        let seconds = names.count > 2 ? Double(String(decoding: names[2], as: UTF8.self)) ?? 0 : 0
        self.init(
            commit: commit, tree: tree,
            parents: lines[1].split(separator: UInt8(ascii: " ")).compactMap { ObjectID(bytes: $0) },
            // Whoever made the commit has chosen it; what lies behind the year 9999 is shown nowhere.
            committedAt: Date(timeIntervalSince1970: min(max(0, seconds), 253_402_300_799)),
            author: Self.text(lines[2]), subject: Self.text(lines[3]))
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        String(decoding: bytes.prefix(longestText), as: UTF8.self)
    }
}
