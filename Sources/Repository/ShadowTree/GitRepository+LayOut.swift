extension GitRepository {
    /// Checks a commit or tree out into an empty folder, with its submodules as far as their repositories are here.
    ///
    /// It lies there as in any checkout: links are links, and filters apply. No file or index of anybody is involved.
    ///
    /// - Parameters:
    ///   - folder: Absolute.
    ///   - index: Where git keeps the index of the folder, outside of it; files beside it begin with its name.
    /// - Returns: What is not there as it is in a checkout at another place.
    public func layOut(
        _ tree: ObjectID, in folder: String, index: String
    ) async throws(ShadowTreeError) -> [MaterializedTree.Remark] {
        let layout = TreeLayout(
            program: git, gitDirectory: commonDirectory, workTree: workTree, path: folder, index: index)
        return try await layout.materialize(try await layout.tree(of: tree), isElsewhere: true)
    }

    /// How many files a commit or tree has, without those of its submodules, and how many bytes git keeps of them.
    public func extent(of tree: ObjectID) async throws(GitError) -> (files: Int, bytes: Int) {
        // What a partial clone lacks would be fetched object by object. Its size is left out.
        let list = try await run(
            "ls-tree", ["-r", "-l", "-z", "--full-tree", GitArgument(tree.hexadecimal)], scope: .objects,
            adding: ["GIT_NO_LAZY_FETCH": "1"]
        ).checked("ls-tree")
        var (files, bytes) = (0, 0)
        // `<mode> <type> <object> <size>TAB<path>`, where a submodule has no size.
        for entry in list.bytes.split(separator: 0) {
            let fields = entry.prefix { $0 != UInt8(ascii: "\t") }.split(separator: UInt8(ascii: " "))
            let size = fields.last.flatMap { Int(String(decoding: $0, as: UTF8.self)) }
            files += 1
            // No sum of sizes that an object claims to have overflows.
            bytes += min(max(0, size ?? 0), 1 << 32)
        }
        return (files, bytes)
    }
}
