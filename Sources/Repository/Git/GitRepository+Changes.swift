public import RunModel

extension GitRepository {
    /// The side that is compared with the base.
    public enum DiffTarget: Sendable, Hashable {
        /// A tree of the repository.
        case tree(ObjectID)
        /// The files in the work tree, with new ones that are not ignored.
        case workingCopy
    }

    /// How the files of a package differ from a base.
    ///
    /// Renames are followed in the whole repository. Settings and attributes of the repository have no effect: a file
    /// that is declared binary or has a filter is compared line by line like any other. A file behind symbolic links
    /// of the repository is listed again under each link, where the compiler sees it. Unchanged lines of Swift sources whose
    /// context changed are found, too.
    ///
    /// - Parameter subpath: Where the package lies below the top of the work tree; empty for the top.
    public func changes(
        from base: ObjectID, to target: DiffTarget, package subpath: String
    ) async throws(GitError) -> [FileChange] {
        let output: GitOutput
        let links: [TreeLink]
        switch target {
        case .tree(let tree):
            links = try await self.links(of: target)
            // It prints the same as `diff` in less than half of the time.
            output = try await compare(
                "diff-tree", ["-r", GitArgument(base.hexadecimal), GitArgument(tree.hexadecimal)])
        case .workingCopy:
            (output, links) = try await withCopyOfIndex { index throws(GitError) in
                // Adds new files to the copy, so that renames are found among them; no object is written.
                _ = try await run(
                    "add", ["--intent-to-add", "--ignore-errors", "--", ":/"],
                    scope: .objects, adding: ["GIT_INDEX_FILE": index])
                let variables = ["GIT_INDEX_FILE": index]
                return (
                    try await compare("diff", [GitArgument(base.hexadecimal)], adding: variables),
                    try await self.links(of: target, adding: variables)
                )
            }
        }
        var reader = DiffReader(output.bytes)
        var files = try reader.read()
        for index in files.indices { files[index].exposed = try await exposed(in: files[index], base, target) }
        // Those behind links come first, so that moved lines are searched there first.
        return MoveFinder.changes(of: TreeLink.images(of: files, behind: links) + files, package: subpath)
    }

    /// The names of all files that differ between two commits or trees, in git's order, then those of files behind links to them.
    public func changedPaths(from base: ObjectID, to target: ObjectID) async throws(GitError) -> [GitName] {
        let answer = try await run(
            "diff-tree",
            [
                "-r", "-z", "--name-only", "--no-renames", "--no-ext-diff", "--ignore-submodules=none",
                GitArgument(base.hexadecimal), GitArgument(target.hexadecimal),
            ],
            scope: .objects)
        let names = GitName.list(try answer.checked("diff-tree").bytes)
        guard !names.isEmpty else { return [] }
        let files = names.map { FileDiff(basePath: $0, path: $0) }
        return names + TreeLink.images(of: files, behind: try await links(of: .tree(target))).compactMap(\.path)
    }

    /// The tree of a commit; `nil` when there is no such commit.
    public func tree(of commit: ObjectID) async throws(GitError) -> ObjectID? {
        switch await objects.answer(to: "\(commit)^{tree}") {
        case .object(let tree): return tree.id
        case .none: return nil
        case .strayLink, .unknown: break
        }
        let answer = try await run("rev-parse", ["--verify", "--quiet", "\(commit)^{tree}"], scope: .objects)
        return answer.status == 0 ? ObjectID(bytes: answer.line) : nil
    }

    /// Whether the repository has a tree, by its full name.
    public func hasTree(_ name: String) async throws(GitError) -> Bool {
        guard let tree = ObjectID(name) else { return false }
        return try await run("cat-file", ["-e", "\(tree)^{tree}"], scope: .objects).status == 0
    }

    private func compare(
        _ command: String, _ operands: [GitArgument], adding variables: [String: String] = [:]
    ) async throws(GitError) -> GitOutput {
        try await run(
            command,
            [
                "--raw", "-z", "--abbrev=40", "--patch", "--unified=0", "--inter-hunk-context=0", "--text",
                "--no-ext-diff", "--no-textconv", "--no-color", "--no-relative", "--submodule=short",
                "--ignore-submodules=none", "--diff-algorithm=histogram", "--find-renames=50%", "-l1000",
                "-O/dev/null",
            ] + operands + ["--"],
            scope: .objects, adding: variables
        ).checked(command)
    }
}
