import Foundation

extension TreeLayout {
    /// Lays the tree out, and its submodules within it.
    ///
    /// - Parameter top: The folder of the whole, for a submodule.
    func materialize(
        _ tree: ObjectID, in top: String? = nil
    ) async throws(ShadowTreeError) -> [MaterializedTree.Remark] {
        // We have the lock: what another process left is of one that was killed.
        for index in [index, cleanIndex] { unlink(index + ".lock") }
        let isNew = access(index, F_OK) != 0
        try await outwaitSecond(of: tree)
        try await readTree(tree)
        let entries = try await checked("ls-files", ["--stage", "-z"]).bytes
        try await obeyRules(of: entries, layingOut: tree, isNew: isNew)
        let submodules = submodules(among: entries)
        var present: [GitName: TreeLayout] = [:]
        for (name, commit) in submodules { present[name] = try await layout(of: name, having: commit) }
        try await clean(tree, without: submodules.map(\.name), keeping: present.keys.map(\.self))
        try await compare(tree, without: submodules.map(\.name))
        var remarks: [MaterializedTree.Remark] = []
        for (name, commit) in submodules {
            guard let layout = present[name] else {
                remarks.append(.submoduleNotMaterialized(name))
                continue
            }
            let inside = try await layout.materialize(try await layout.tree(of: commit), in: top ?? path)
            remarks += inside.map { $0.inside(name) }
        }
        remarks += strayLinks(among: entries, top: top ?? path).map { .linkLeadsOut($0) }
        return remarks + (try await pointerFiles()).map { .pointerFile($0) }
    }

    private var cleanIndex: String { index + "-clean" }

    /// Lets the second pass in which another tree was laid out.
    ///
    /// SwiftPM looks at sizes and at whole seconds: a file that is written twice in one second, as long as before, is the same
    /// file to it, and what was built of the first would be taken for the second.
    private func outwaitSecond(of tree: ObjectID) async throws(ShadowTreeError) {
        var status = stat()
        guard lstat(index, &status) == 0 else { return }
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        guard status.st_mtim.tv_sec == now.tv_sec else { return }
        if try await git("write-tree").text == tree.hexadecimal { return }
        // The clock of files is a tick behind that of processes.
        try? await Task.sleep(for: .nanoseconds(1_000_000_000 - now.tv_nsec) + .milliseconds(20))
    }

    private func readTree(_ tree: ObjectID) async throws(ShadowTreeError) {
        let arguments: [GitArgument] = [
            "--reset", "-u", "--no-sparse-checkout", "--no-recurse-submodules", "\(tree.hexadecimal)",
        ]
        if try await git("read-tree", arguments).status == 0 { return }
        // A damaged index is the one failure that is ours: without it everything is written anew.
        unlink(index)
        _ = try await checked("read-tree", arguments)
    }

    private var rulesFile: String { index + "-rules" }

    /// Writes every file anew when what git applies to files is another than when they were written: it touches only those
    /// that the trees differ in, so that the others would stay as an older `.gitattributes` wanted them.
    ///
    /// - Parameter isNew: Whether all files have just been written.
    private func obeyRules(
        of entries: [UInt8], layingOut tree: ObjectID, isNew: Bool
    ) async throws(ShadowTreeError) {
        let answer = try await git("config", CheckoutRules.question)
        var rules: [UInt8]
        do {
            rules = try CheckoutRules.bytes(of: answer, in: gitDirectory)
        } catch {
            throw .git(error)
        }
        for entry in entries.split(separator: 0) where entry.ends(with: ".gitattributes".utf8) { rules += [0] + entry }
        let known = FileManager.default.contents(atPath: rulesFile).map(Array.init)
        if known == rules { return }
        if !isNew {
            unlink(index)
            try await readTree(tree)
        }
        // Whoever is killed before this writes them anew once more.
        guard FileManager.default.createFile(atPath: rulesFile, contents: Data(rules)) else {
            throw .fileSystem("write", path: rulesFile, code: errno)
        }
    }

    private func submodules(among entries: [UInt8]) -> [(name: GitName, commit: ObjectID)] {
        entries.split(separator: 0).compactMap { entry in
            // `160000 <commit> 0TAB<path>`
            guard entry.starts(with: "160000 ".utf8), let tab = entry.firstIndex(of: UInt8(ascii: "\t")),
                let commit = ObjectID(bytes: entry[..<tab].dropFirst(7).prefix { $0 != UInt8(ascii: " ") })
            else { return nil }
            return (GitName(bytes: entry[(tab + 1)...]), commit)
        }
    }

    /// Removes what is no part of the tree, and makes sure that it is gone.
    ///
    /// - Parameter kept: Submodules that are laid out and cleaned for themselves.
    private func clean(
        _ tree: ObjectID, without submodules: [GitName], keeping kept: [GitName]
    ) async throws(ShadowTreeError) {
        var index = index
        if !submodules.isEmpty {
            // git does not look into the folder of a submodule. An index without submodules makes it an ordinary one.
            index = cleanIndex
            unlink(index)
            let names = submodules.reduce(into: [UInt8]()) { list, name in list += name.bytes + [0] }
            _ = try await checked("read-tree", ["--no-sparse-checkout", "\(tree.hexadecimal)"], index: index)
            _ = try await checked("update-index", ["--force-remove", "-z", "--stdin"], index: index, input: names)
        }
        let patterns = kept.map(Self.pattern)
        let excludes = patterns.flatMap { ["-e", $0] as [GitArgument] }
        _ = try await checked("clean", ["-ffdx", "--quiet"] + excludes, index: index)
        // Not `status`: it compares with HEAD, which is another commit, and obeys settings that hide files.
        let leftover = GitName.list(
            try await checked(
                "ls-files", ["--others", "-z"] + patterns.flatMap { ["-x", $0] as [GitArgument] }, index: index
            ).bytes)
        guard leftover.isEmpty else { throw .leftover(tree: tree, leftover) }
    }

    /// A pattern of git that matches exactly this folder.
    private static func pattern(for folder: GitName) -> GitArgument {
        let special = Set("\\*?[!# ".utf8)
        let escaped = folder.bytes.flatMap { special.contains($0) ? [UInt8(ascii: "\\"), $0] : [$0] }
        return GitArgument(bytes: [UInt8(ascii: "/")] + escaped + [UInt8(ascii: "/")])
    }

    /// Makes sure that every file is as the tree has it, and that the index is of this tree.
    private func compare(_ tree: ObjectID, without submodules: [GitName]) async throws(ShadowTreeError) {
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
    private func isCheckout(of name: GitName, in tree: ObjectID) async throws(ShadowTreeError) -> Bool {
        let object = GitArgument(bytes: Array("\(tree.hexadecimal):".utf8) + name.bytes)
        let expected = try await checked("cat-file", ["--filters", object]).bytes
        return contents(of: name, limit: expected.count + 1) == expected
    }

    /// Files that Git LFS should have replaced by their content.
    private func pointerFiles() async throws(ShadowTreeError) -> [GitName] {
        let list = try await checked("ls-files", ["-z", "--", ":(attr:filter=lfs)"]).bytes
        let signature = Array("version https://git-lfs.github.com/spec/".utf8)
        return GitName.list(list).filter { contents(of: $0, limit: signature.count) == signature }
    }

    /// The beginning of a file; `nil` when it is none.
    private func contents(of name: GitName, limit: Int) -> [UInt8]? {
        FileContent.beginning(of: Array("\(path)/".utf8) + name.bytes, limit: limit)
    }

    /// The links that lead out of the folder: what is read through them is no part of any tree.
    private func strayLinks(among entries: [UInt8], top: String) -> [GitName] {
        guard let top = FileContent.real(Array(top.utf8)) else { return [] }
        let beginning = top + [UInt8(ascii: "/")]
        return entries.split(separator: 0).compactMap { entry in
            guard entry.starts(with: "120000 ".utf8), let tab = entry.firstIndex(of: UInt8(ascii: "\t")) else {
                return nil
            }
            let name = GitName(bytes: entry[(tab + 1)...])
            guard let real = FileContent.real(Array("\(path)/".utf8) + name.bytes) else { return nil }
            return real.starts(with: beginning) || real == top ? nil : name
        }
    }
}

extension Collection<UInt8> {
    fileprivate func ends(with other: String.UTF8View) -> Bool { suffix(other.count).elementsEqual(other) }
}
