import Synchronization

/// Compares a folder on disk with a tree, to prove that exactly that tree is built there.
///
/// It does not rely on the index, settings or lists of ignored files: every byte of every file is compared. A file
/// also counts as equal if it is what a checkout here writes (line ends, LFS).
public struct TreeComparison: Sendable {
    let repository: GitRepository
    /// The top of the work tree, absolute and with links resolved.
    let top: String
    let tree: ObjectID
    /// Folders below the top that are no part of the build, absolute.
    let excluded: [String]
    /// The folder of the package that is tested, absolute.
    private let package: String?
    private let memory: Memory?

    /// The state in which all contents were those of the tree, so that they are read again only after a change.
    public final class Memory: Sendable {
        /// With the files that the tree does not have.
        fileprivate let equal = Mutex<(state: Int, added: [GitName])?>(nil)

        /// Remembers nothing yet.
        public init() {}
    }

    /// Prepares the comparison.
    ///
    /// - Parameters:
    ///   - repository: The one that has the tree.
    ///   - top: The folder that is to hold the tree, absolute and with links resolved.
    ///   - excluded: Folders in it that nothing is built from, absolute. `.git` at the top, and `.build` beside a `Package.swift`, are
    ///     left out anyway.
    ///   - package: The folder of the package that is tested, absolute: a `.build` below it that is not its own is a difference.
    ///   - memory: What earlier comparisons of the same folder and tree found.
    public init(
        of top: String, with tree: ObjectID, in repository: GitRepository, without excluded: [String] = [],
        testing package: String? = nil, remembering memory: Memory? = nil
    ) {
        self.repository = repository
        self.top = top
        self.tree = tree
        self.excluded = excluded
        self.package = package
        self.memory = memory
    }

    /// The differences, ordered by name; contents are compared only if there are no others.
    ///
    /// - Parameter isCounted: Whether a file that the tree does not have counts as a difference.
    public func differences(
        counting isCounted: (GitName) -> Bool = { _ in true }
    ) async throws(GitError)
        -> [TreeDifference]
    {
        // Taken before the contents are read, so that a change meanwhile gives another state.
        let walk = FolderWalk(top, without: excluded, testing: package)
        let found = walk.entries
        if let known = memory?.equal.withLock({ $0 }), known.state == walk.state {
            return known.added.filter(isCounted).map { TreeDifference(name: $0, kind: .added) }
        }
        let listing = try await listing()
        var differences = listing.unknownSubmodules.map { TreeDifference(name: $0, kind: .missing) }
        var added = found.filter { listing.entries[$0.key] == nil }.map(\.key)
        added.removeAll { found[$0] == .emptyFolder && listing.unknownSubmodules.contains($0) }
        // A checkout makes the `.git` of each submodule; any other is no part of a tree.
        let own = listing.submodules.map { GitName(bytes: $0.bytes + Array("/.git".utf8)) }
        added += walk.repositories.subtracting(own)
        added.sort { $0.bytes.lexicographicallyPrecedes($1.bytes) }
        differences += added.filter(isCounted).map { TreeDifference(name: $0, kind: .added) }
        for (name, entry) in listing.entries {
            switch (entry.kind, found[name]) {
            case (_, nil): differences.append(TreeDifference(name: name, kind: .missing))
            case (.link, .link): break
            case (.file(let wanted), .file(let isExecutable)) where wanted == isExecutable: break
            default: differences.append(TreeDifference(name: name, kind: .changed))
            }
        }
        if differences.isEmpty {
            differences = try await differentContents(listing) + strayLinks(listing)
            if differences.isEmpty { memory?.equal.withLock { $0 = (walk.state, added) } }
        }
        return differences.sorted { $0.name.bytes.lexicographicallyPrecedes($1.name.bytes) }
    }

    private func listing() async throws(GitError) -> TreeListing {
        var listing = TreeListing()
        var open = [TreeListing.Source(gitDirectory: repository.gitDirectory, prefix: [], tree: tree)]
        while let source = open.popLast() {
            let output = try await git(source, "ls-tree", ["-r", "-z", "--full-tree", "\(source.tree)"])
                .checked("ls-tree")
            for (name, commit) in try listing.add(output.bytes, of: source) {
                if let inside = try await self.source(of: name, commit) {
                    open.append(inside)
                } else {
                    listing.addUnknown(name)
                }
            }
        }
        return listing
    }

    /// The repository of a submodule, found from its checkout here or in the user's work tree.
    private func source(of submodule: GitName, _ commit: ObjectID) async throws(GitError) -> TreeListing.Source? {
        guard let name = submodule.text else { return nil }
        for folder in [top] + (repository.workTree.map { [$0] } ?? []) {
            let checkout = "\(folder)/\(name)"
            guard FileContent.real(Array("\(checkout)/.git".utf8)) != nil else { continue }
            let answer = try await repository.git.run(
                "rev-parse", ["--path-format=absolute", "--absolute-git-dir"], options: ["-C", GitArgument(checkout)])
            guard answer.status == 0, let directory = GitName(bytes: answer.line).text,
                directory != repository.gitDirectory
            else { continue }
            let options: [GitArgument] = ["--git-dir=\(directory)"]
            let found = try await repository.git.run(
                "rev-parse", ["--verify", "--quiet", "\(commit)^{tree}"], options: options, scope: .objects)
            guard found.status == 0, let tree = ObjectID(bytes: found.line) else { continue }
            return TreeListing.Source(
                gitDirectory: directory, prefix: submodule.bytes + [UInt8(ascii: "/")], tree: tree)
        }
        return nil
    }

    private func git(
        _ source: TreeListing.Source, _ command: String, _ arguments: [GitArgument], input: [UInt8] = []
    ) async throws(GitError) -> GitOutput {
        try await repository.git.run(
            command, arguments,
            options: ["-C", GitArgument(top), "--git-dir=\(source.gitDirectory)", "--work-tree=\(top)"],
            scope: .objects, input: input)
    }
}

extension TreeComparison {
    private func path(_ name: GitName) -> [UInt8] { Array("\(top)/".utf8) + name.bytes }

    /// The files and links with another content than in the tree.
    private func differentContents(_ listing: TreeListing) async throws(GitError) -> [TreeDifference] {
        guard let own = listing.repositories.first else { return [] }
        var differences: [TreeDifference] = []
        let files = listing.entries.filter { $0.value.kind != .link }.map { (name: $0.key, entry: $0.value) }
        for (number, source) in listing.repositories.enumerated() {
            let links = listing.entries.filter { $0.value.kind == .link && $0.value.repository == number }
                .map { (name: $0.key, object: $0.value.object) }
            for (link, text) in zip(links, try await texts(of: links.map(\.object), source))
            where FileContent.text(ofLinkAt: path(link.name)) != text {
                differences.append(TreeDifference(name: link.name, kind: .changed))
            }
        }
        let objects = try await objects(of: files.map(\.name), own)
        for (file, object) in zip(files, objects) where object != file.entry.object {
            let source = listing.repositories[file.entry.repository]
            // After this many differences the rest need no filter, which may take long.
            if differences.count < Self.most, try await isCheckout(file.name, source) { continue }
            differences.append(TreeDifference(name: file.name, kind: .changed))
        }
        return differences
    }

    /// After how many differences filters are no longer run: each further file with other bytes counts as changed.
    private static let most = 20

    /// The contents of small objects, read at once.
    private func texts(of objects: [ObjectID], _ source: TreeListing.Source) async throws(GitError) -> [[UInt8]] {
        guard !objects.isEmpty else { return [] }
        let input = objects.flatMap { Array("\($0)\n".utf8) }
        var rest = try await git(source, "cat-file", ["--batch"], input: input).checked("cat-file").bytes[...]
        return try objects.map { object throws(GitError) in
            // `<object> <kind> <size>`, then the content and the end of a line.
            let head = rest.prefix { $0 != UInt8(ascii: "\n") }
            rest = rest.dropFirst(head.count + 1)
            guard let size = Int(String(decoding: head, as: UTF8.self).split(separator: " ").last ?? ""),
                size < rest.count
            else { throw .unexpectedOutput(command: "cat-file", detail: "no content of \(object)") }
            defer { rest = rest.dropFirst(size + 1) }
            return Array(rest.prefix(size))
        }
    }

    /// The object ids of the contents of files, without filters.
    private func objects(of names: [GitName], _ source: TreeListing.Source) async throws(GitError) -> [ObjectID] {
        let newline = UInt8(ascii: "\n")
        let listed = names.filter { !$0.bytes.contains(newline) }
        var found: [GitName: ObjectID] = [:]
        if !listed.isEmpty {
            // git takes a path that begins with a quote for a quoted one, so each begins with `./`.
            let input = listed.reduce(into: [UInt8]()) { $0 += Array("./".utf8) + $1.bytes + [newline] }
            let output = try await git(source, "hash-object", ["--no-filters", "--stdin-paths"], input: input)
                .checked("hash-object")
            let objects = output.bytes.split(separator: newline).map { ObjectID(bytes: $0) }
            guard objects.count == listed.count else {
                throw .unexpectedOutput(command: "hash-object", detail: "not as many answers as files")
            }
            for (name, object) in zip(listed, objects) { found[name] = object }
        }
        for name in names where name.bytes.contains(newline) {
            let file = GitArgument(bytes: Array("./".utf8) + name.bytes)
            found[name] = ObjectID(
                bytes: try await git(source, "hash-object", ["--no-filters", "--", file]).checked("hash-object").line)
        }
        return try names.map { name throws(GitError) in
            guard let object = found[name] else {
                throw .unexpectedOutput(command: "hash-object", detail: "no object name")
            }
            return object
        }
    }

    /// Whether a file is what a checkout writes.
    private func isCheckout(_ name: GitName, _ source: TreeListing.Source) async throws(GitError) -> Bool {
        let object = GitArgument(
            bytes: Array("\(source.tree):".utf8) + name.bytes.dropFirst(source.prefix.count))
        let expected = try await git(source, "cat-file", ["--filters", object]).checked("cat-file").bytes
        return FileContent.beginning(of: path(name), limit: expected.count + 1) == expected
    }

    /// The links that lead out of the folder, or to files in it that are no part of the tree.
    ///
    /// A link to nothing is the same in every checkout.
    private func strayLinks(_ listing: TreeListing) -> [TreeDifference] {
        let links = listing.entries.filter { $0.value.kind == .link }.map(\.key)
        guard !links.isEmpty else { return [] }
        let folders = listing.folders
        let beginning = Array("\(top)/".utf8)
        return links.compactMap { link in
            guard let real = FileContent.real(path(link)) else { return nil }
            if real.elementsEqual(top.utf8) { return nil }
            let name = GitName(bytes: real.dropFirst(beginning.count))
            let isInside = real.starts(with: beginning) && (listing.entries[name] != nil || folders.contains(name))
            return isInside ? nil : TreeDifference(name: link, kind: .leadsOut)
        }
    }
}
