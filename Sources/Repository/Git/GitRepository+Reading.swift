public import struct Foundation.Date

/// A commit with the whole of its message.
public struct CommitMessage: Sendable, Hashable {
    /// The commit.
    public let commit: ObjectID
    /// The message; untrusted text.
    public let message: String
}

extension GitRepository {
    /// The content of a file in a commit; `nil` when there is no such file.
    ///
    /// Links are followed within the commit. A link that leads elsewhere gives `nil` too; `isStrayLink` detects it.
    /// - Parameter path: Relative to the top of the repository.
    public func file(at path: String, in commit: ObjectID) async throws(GitError) -> [UInt8]? {
        if let content = known.content(of: path, in: commit) { return content }
        let content = try await self.content(of: path, in: commit)
        known.keep(content, of: path, in: commit)
        return content
    }

    /// The same, of a file that is read once: it takes no place among those that are kept.
    public func source(at path: String, in commit: ObjectID) async throws(GitError) -> [UInt8]? {
        try await content(of: path, in: commit)
    }

    /// Whether a path of a commit is, or is below, a link that leads out of the commit, to nothing, or in a circle.
    public func isStrayLink(at path: String, in commit: ObjectID) async -> Bool {
        guard await object(at: path, in: commit) == .strayLink else { return false }
        // For a missing name in a linked folder, git answers the same.
        let (folder, name) = Self.parts(of: path)
        return await entries(of: folder, in: commit)?.contains { $0.name == name } ?? true
    }

    /// Whether a commit has a file at a path, or a link whose target is not in the commit.
    public func hasFile(at path: String, in commit: ObjectID) async throws(GitError) -> Bool {
        if try await file(at: path, in: commit) != nil { return true }
        return await isStrayLink(at: path, in: commit)
    }

    private func content(of path: String, in commit: ObjectID) async throws(GitError) -> [UInt8]? {
        switch await object(at: path, in: commit) {
        case .object(let object): return object.kind == .blob ? object.bytes : nil
        case .strayLink: return nil
        case .none:
            let (folder, name) = Self.parts(of: path)
            guard let entries = await self.entries(of: folder, in: commit) else { break }
            // A missing object must not count as no file; the object of a submodule is in another repository.
            guard let entry = entries.first(where: { $0.name == name }), !entry.isSubmodule else { return nil }
            throw .unexpectedOutput(command: "cat-file", detail: "the object of \(GitName(path)) is missing")
        case .unknown: break
        }
        // `<mode> <type> <object>TAB<path>`
        let entry = try await self.entry(of: path, in: commit)
        let fields = entry.prefix { $0 != UInt8(ascii: "\t") }.split(separator: UInt8(ascii: " "))
        if entry.starts(with: "120000 ".utf8) {
            throw .unexpectedOutput(command: "ls-tree", detail: "the link \(GitName(path)) cannot be followed")
        }
        guard fields.count == 3, fields[0].starts(with: "100".utf8) else { return nil }
        return try await run("cat-file", ["blob", GitArgument(bytes: fields[2])], scope: .objects)
            .checked("cat-file").bytes
    }

    private static func parts(of path: String) -> (folder: String, name: GitName) {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return ("", GitName(path)) }
        return (String(path[..<slash]), GitName(bytes: path.utf8[slash...].dropFirst()))
    }

    /// The object at a path of a commit, through links too; the commit's tree for the empty path.
    private func object(at path: String, in commit: ObjectID) async -> ObjectReader.Answer {
        // git would resolve such a path from the working directory.
        if path.hasPrefix("./") || path.hasPrefix("../") { return .unknown }
        return await objects.answer(to: path.isEmpty ? "\(commit)^{tree}" : "\(commit):\(path)")
    }

    /// The names in a folder of a commit, without subfolders' contents; none if there is no such folder.
    public func names(in commit: ObjectID, of folder: String) async throws(GitError) -> [GitName] {
        if let entries = await entries(of: folder, in: commit) { return entries.map(\.name) }
        let paths = folder.isEmpty ? [] : ["--", GitArgument(folder + "/")]
        let names = try await run(
            "ls-tree", ["-z", "--full-tree", "--name-only", GitArgument(commit.hexadecimal)] + paths,
            scope: .objects, adding: Self.literalPaths
        ).checked("ls-tree")
        return GitName.list(names.bytes).map { name in
            GitName(bytes: folder.isEmpty ? name.bytes[...] : name.bytes.dropFirst(folder.utf8.count + 1))
        }
    }

    /// The entries of a folder of a commit; `nil` if the object reader cannot tell, also for a missing folder,
    /// because the commit itself may be missing.
    private func entries(of folder: String, in commit: ObjectID) async -> [GitObject.Entry]? {
        if case .object(let object) = await self.object(at: folder, in: commit) { object.entries } else { nil }
    }

    private func entry(of path: String, in commit: ObjectID) async throws(GitError) -> [UInt8] {
        try await run(
            "ls-tree", ["-z", "--full-tree", GitArgument(commit.hexadecimal), "--", GitArgument(path)],
            scope: .objects, adding: Self.literalPaths
        ).checked("ls-tree").bytes
    }

    /// The paths of all files of a commit below a folder, relative to the top of the repository.
    public func files(in commit: ObjectID, below folder: String = "") async throws(GitError) -> [GitName] {
        let entries =
            if let entries = known.entries(below: folder, in: commit) { entries } else {
                try await entries(below: folder, in: commit)
            }
        known.keep(entries, below: folder, in: commit)
        return entries.split(separator: 0).map { entry in
            GitName(bytes: entry.drop { $0 != UInt8(ascii: "\t") }.dropFirst())
        }
    }

    private func entries(below folder: String, in commit: ObjectID) async throws(GitError) -> [UInt8] {
        let paths = folder.isEmpty ? [] : ["--", GitArgument(folder + "/")]
        return try await run(
            "ls-tree", ["-r", "-z", "--full-tree", GitArgument(commit.hexadecimal)] + paths,
            scope: .objects, adding: Self.literalPaths
        ).checked("ls-tree").bytes
    }

    /// The messages of the commits that lead to `head`, the newest first; without those that lead to `base`.
    public func messages(
        from base: ObjectID?, to head: ObjectID, limit: Int
    ) async throws(GitError) -> [CommitMessage] {
        if base == head { return [] }
        let range = [GitArgument(head.hexadecimal)] + (base.map { [GitArgument("^\($0.hexadecimal)")] } ?? [])
        var messages: [CommitMessage] = []
        for entry in try await log("%H%n%B", ["-n\(limit)"] + range + ["--"]) {
            let parts = entry.split(separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
            guard let commit = ObjectID(bytes: parts[0]) else {
                throw .unexpectedOutput(command: "log", detail: "an entry without a commit")
            }
            let message = parts.count == 2 ? String(decoding: parts[1], as: UTF8.self) : ""
            messages.append(CommitMessage(commit: commit, message: message))
        }
        return messages
    }

    /// A name in brackets or with a star is a name, not a pattern.
    private static let literalPaths = ["GIT_LITERAL_PATHSPECS": "1"]
}

extension GitRepository {
    /// The first commit with a text in a file, in the history of HEAD; `nil` if there is none.
    public func firstCommit(of text: String, in path: String) async throws(GitError) -> Date? {
        let log = try await run(
            "log",
            [
                "--reverse", "--no-show-signature", "--no-decorate", "--no-notes", "--no-color", "--no-patch",
                "--format=%ct", GitArgument("-S\(text)"), "HEAD", "--", GitArgument(path),
            ],
            scope: .objects, adding: Self.literalPaths
        )
        // Before the first commit there is no HEAD.
        guard log.status == 0, let line = log.bytes.split(separator: UInt8(ascii: "\n")).first else { return nil }
        return Double(String(decoding: line, as: UTF8.self)).map { Date(timeIntervalSince1970: $0) }
    }
}
