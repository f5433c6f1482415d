public import struct Foundation.Date

/// A commit with the whole of its message.
public struct CommitMessage: Sendable, Hashable {
    /// The commit.
    public let commit: ObjectID
    /// The message; untrusted text.
    public let message: String
}

extension GitRepository {
    /// The content of a file in a commit; `nil` when there is no such file. Links and submodules are none.
    ///
    /// - Parameter path: Relative to the top of the repository.
    public func file(at path: String, in commit: ObjectID) async throws(GitError) -> [UInt8]? {
        if let content = known.content(of: path, in: commit) { return content }
        var content: [UInt8]?
        if let object = try await blob(at: path, in: commit) {
            if case .object(let blob) = await objects.answer(to: object.hexadecimal) {
                content = blob.bytes
            } else {
                content = try await run("cat-file", ["blob", GitArgument(object.hexadecimal)], scope: .objects)
                    .checked("cat-file").bytes
            }
        }
        known.keep(content, of: path, in: commit)
        return content
    }

    /// The object that holds a file; `nil` when there is no such file.
    private func blob(at path: String, in commit: ObjectID) async throws(GitError) -> ObjectID? {
        let known = known.entry(of: path, in: commit)
        if known == nil {
            let place = path.utf8.lastIndex(of: UInt8(ascii: "/"))
            let name = place.map { path[path.utf8.index(after: $0)...] } ?? path[...]
            if let entries = await entries(of: place.map { String(path[..<$0]) } ?? "", in: commit) {
                return entries.first { $0.isFile && $0.name == GitName(String(name)) }?.object
            }
        }
        let entry = if let known { known } else { try await entry(of: path, in: commit) }
        // `<mode> <type> <object>TAB<path>`
        let fields = entry.prefix { $0 != UInt8(ascii: "\t") }.split(separator: UInt8(ascii: " "))
        guard fields.count == 3, fields[0].starts(with: "100".utf8) else { return nil }
        return ObjectID(bytes: fields[2])
    }

    /// The names of what lies in a folder of a commit, not below it; none when there is no such folder.
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

    /// What is in a folder of a commit; `nil` where that cannot be told without a process of its own: also for no such folder,
    /// because nothing is known of a commit that is not there.
    private func entries(of folder: String, in commit: ObjectID) async -> [GitObject.Entry]? {
        // Such a path would be taken from the working directory.
        if folder.hasPrefix("./") || folder.hasPrefix("../") { return nil }
        let name = folder.isEmpty ? "\(commit)^{tree}" : "\(commit):\(folder)"
        return if case .object(let object) = await objects.answer(to: name) { object.entries } else { nil }
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
        let log = try await run(
            "log",
            [
                "-z", "-n\(limit)", "--no-show-signature", "--no-decorate", "--no-notes", "--no-color", "--no-patch",
                "--encoding=UTF-8", "--format=%H%n%B",
            ] + range + ["--"],
            scope: .objects
        ).checked("log")
        var messages: [CommitMessage] = []
        for entry in log.bytes.split(separator: 0) {
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
    /// When a text came into a file for the first time, by the history of what is checked out; `nil` when it never did.
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
