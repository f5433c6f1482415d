public import struct Foundation.Date

/// A commit of a line: of a branch by first parents.
public struct LineCommit: Sendable, Hashable {
    /// The commit.
    public let commit: ObjectID
    /// Its tree.
    public let tree: ObjectID
    /// Its parents, the first one first.
    public let parents: [ObjectID]
    /// When it was committed.
    public let committedAt: Date
    /// The name of its author; untrusted text.
    public let author: String
    /// The first line of its message; untrusted text.
    public let subject: String
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
        let log = try await run(
            "log",
            [
                "-z", "--first-parent", "--max-count=\(limit)", "--no-show-signature", "--no-decorate", "--no-notes",
                "--no-color", "--no-patch", "--encoding=UTF-8", "--format=%H %T %ct%n%P%n%an%n%s", "--end-of-options",
            ] + range + ["--"],
            scope: .objects
        ).checked("log")
        return try log.bytes.split(separator: 0).map { entry throws(GitError) in
            guard let commit = LineCommit(entry) else {
                throw .unexpectedOutput(command: "log", detail: "an entry without a commit, its tree and its date")
            }
            return commit
        }
    }
}

extension LineCommit {
    /// Reads `COMMIT TREE SECONDS`, and lines with the parents, the author and the subject.
    fileprivate init?(_ entry: ArraySlice<UInt8>) {
        let lines = entry.split(separator: UInt8(ascii: "\n"), maxSplits: 3, omittingEmptySubsequences: false)
        guard lines.count == 4 else { return nil }
        let names = lines[0].split(separator: UInt8(ascii: " "))
        guard names.count == 3, let commit = ObjectID(bytes: names[0]), let tree = ObjectID(bytes: names[1]),
            let seconds = Double(String(decoding: names[2], as: UTF8.self))
        else { return nil }
        self.commit = commit
        self.tree = tree
        parents = lines[1].split(separator: UInt8(ascii: " ")).compactMap { ObjectID(bytes: $0) }
        // Whoever made the commit has chosen it; what lies behind the year 9999 is shown nowhere.
        committedAt = Date(timeIntervalSince1970: min(max(0, seconds), 253_402_300_799))
        author = String(decoding: lines[2], as: UTF8.self)
        subject = String(decoding: lines[3], as: UTF8.self)
    }
}
