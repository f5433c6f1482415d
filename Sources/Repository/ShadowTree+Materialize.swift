import Glibc

extension ShadowTree {
    /// Makes the folder hold exactly one tree: nothing missing, nothing changed, nothing left over.
    ///
    /// Checkout filters (line ends, LFS) apply as they do for the user. Submodules are not laid out.
    public borrowing func materialize(_ tree: ObjectID) async throws(ShadowTreeError) -> MaterializedTree {
        // We have the lock: what another process left is of one that was killed.
        for index in [index, cleanIndex] { unlink(index + ".lock") }
        try await readTree(tree)
        let submodules = try await submodules()
        try await clean(tree, without: submodules)
        try await compare(tree, without: submodules)
        let pointers = try await pointerFiles()
        return MaterializedTree(
            tree: tree,
            path: path,
            remarks: submodules.map { .submoduleNotMaterialized($0) } + pointers.map { .pointerFile($0) }
        )
    }

    private var cleanIndex: String { index + "-clean" }

    private borrowing func readTree(_ tree: ObjectID) async throws(ShadowTreeError) {
        let arguments: [GitArgument] = [
            "--reset", "-u", "--no-sparse-checkout", "--no-recurse-submodules", "\(tree.hexadecimal)",
        ]
        if try await git("read-tree", arguments).status == 0 { return }
        // A damaged index is the one failure that is ours: without it everything is written anew.
        unlink(index)
        _ = try await checked("read-tree", arguments)
    }

    private borrowing func submodules() async throws(ShadowTreeError) -> [GitName] {
        let entries = try await checked("ls-files", ["--stage", "-z"]).bytes
        return entries.split(separator: 0).compactMap { entry in
            guard entry.starts(with: "160000 ".utf8), let tab = entry.firstIndex(of: UInt8(ascii: "\t")) else {
                return nil
            }
            return GitName(bytes: entry[(tab + 1)...])
        }
    }

    /// Removes what is no part of the tree, and makes sure that it is gone.
    private borrowing func clean(_ tree: ObjectID, without submodules: [GitName]) async throws(ShadowTreeError) {
        var index = index
        if !submodules.isEmpty {
            // git does not look into the folder of a submodule. An index without submodules makes it an ordinary one.
            index = cleanIndex
            unlink(index)
            let names = submodules.reduce(into: [UInt8]()) { list, name in list += name.bytes + [0] }
            _ = try await checked("read-tree", ["--no-sparse-checkout", "\(tree.hexadecimal)"], index: index)
            _ = try await checked("update-index", ["--force-remove", "-z", "--stdin"], index: index, input: names)
        }
        _ = try await checked("clean", ["-ffdx", "--quiet"], index: index)
        // Not `status`: it compares with HEAD, which is another commit, and obeys settings that hide files.
        let leftover = GitName.list(try await checked("ls-files", ["--others", "-z"], index: index).bytes)
        guard leftover.isEmpty else { throw .leftover(tree: tree, leftover) }
    }

    /// Makes sure that every file is as the tree has it, and that the index is of this tree.
    private borrowing func compare(_ tree: ObjectID, without submodules: [GitName]) async throws(ShadowTreeError) {
        let list = try await checked("diff-files", ["--name-only", "-z", "--ignore-submodules=all"]).bytes
        let submodules = Set(submodules)
        var different: [GitName] = []
        for name in GitName.list(list) where !submodules.contains(name) {
            if try await !isCheckout(of: name, in: tree) { different.append(name) }
        }
        guard different.isEmpty else { throw .different(tree: tree, different) }
        let written = try await checked("write-tree").text
        guard written == tree.hexadecimal else { throw .wrongTree(expected: tree, found: written) }
    }

    /// Whether a file is what a checkout writes. git calls a file changed too when checking it in would store something
    /// else: CRLF in a repository that asks for LF.
    private borrowing func isCheckout(of name: GitName, in tree: ObjectID) async throws(ShadowTreeError) -> Bool {
        let object = GitArgument(bytes: Array("\(tree.hexadecimal):".utf8) + name.bytes)
        let expected = try await checked("cat-file", ["--filters", object]).bytes
        return contents(of: name, limit: expected.count + 1) == expected
    }

    /// Files that Git LFS should have replaced by their content.
    private borrowing func pointerFiles() async throws(ShadowTreeError) -> [GitName] {
        let list = try await checked("ls-files", ["-z", "--", ":(attr:filter=lfs)"]).bytes
        let signature = Array("version https://git-lfs.github.com/spec/".utf8)
        return GitName.list(list).filter { contents(of: $0, limit: signature.count) == signature }
    }

    /// The beginning of a file; `nil` when it is none. Names are bytes, so this is the operating system's call.
    private func contents(of name: GitName, limit: Int) -> [UInt8]? {
        let absolute = (Array("\(path)/".utf8) + name.bytes + [0]).map { CChar(bitPattern: $0) }
        let descriptor = Glibc.open(absolute, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { Glibc.close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: limit)
        var count = 0
        while count < limit {
            let read = bytes.withUnsafeMutableBytes {
                Glibc.read(descriptor, $0.baseAddress?.advanced(by: count), limit - count)
            }
            if read < 0 { return nil }
            if read == 0 { break }
            count += read
        }
        return Array(bytes[..<count])
    }
}
