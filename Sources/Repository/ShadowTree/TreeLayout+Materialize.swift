import Foundation

extension TreeLayout {
    /// Checks the tree out, with its submodules.
    ///
    /// - Parameters:
    ///   - top: For a submodule, the folder of the outermost tree.
    ///   - isElsewhere: Whether it stands for a checkout at another place: relative links that lead out are remarked also where they
    ///     lead to nothing, and absolute ones, which lead to the same from everywhere, are not.
    func materialize(
        _ tree: ObjectID, in top: String? = nil, isElsewhere: Bool = false
    ) async throws(ShadowTreeError) -> [MaterializedTree.Remark] {
        // We have the lock, so leftover index locks are from a killed process.
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
            let inside = try await layout.materialize(
                try await layout.tree(of: commit), in: top ?? path, isElsewhere: isElsewhere)
            remarks += inside.map { $0.inside(name) }
        }
        let stray = strayLinks(among: entries, top: top ?? path, isElsewhere: isElsewhere)
        remarks += stray.map { .linkLeadsOut($0) }
        return remarks + (try await pointerFiles()).map { .pointerFile($0) }
    }

    private var cleanIndex: String { index + "-clean" }

    /// Waits until the second is over in which another tree was checked out.
    ///
    /// SwiftPM compares sizes and whole seconds: a file that is written twice in one second with the same size looks
    /// unchanged, and its old build products would be used.
    private func outwaitSecond(of tree: ObjectID) async throws(ShadowTreeError) {
        var status = stat()
        guard lstat(index, &status) == 0 else { return }
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        guard status.st_mtim.tv_sec == now.tv_sec else { return }
        if try await git("write-tree").text == tree.hexadecimal { return }
        // File times are up to a tick behind the clock.
        try? await Task.sleep(for: .nanoseconds(1_000_000_000 - now.tv_nsec) + .milliseconds(20))
    }

    private func readTree(_ tree: ObjectID) async throws(ShadowTreeError) {
        let arguments: [GitArgument] = [
            "--reset", "-u", "--no-sparse-checkout", "--no-recurse-submodules", "\(tree.hexadecimal)",
        ]
        if try await git("read-tree", arguments).status == 0 { return }
        // The index may be damaged: without it everything is written again.
        unlink(index)
        _ = try await checked("read-tree", arguments)
    }

    private var rulesFile: String { index + "-rules" }

    /// Writes every file again if git's checkout settings have changed: git writes only files that differ between the
    /// trees, so that others would stay in the form of an older `.gitattributes`.
    ///
    /// - Parameter isNew: Whether all files have just been written.
    private func obeyRules(
        of entries: [UInt8], layingOut tree: ObjectID, isNew: Bool
    ) async throws(ShadowTreeError) {
        let answer = try await git("config", CheckoutRules.question)
        var rules: [UInt8]
        do {
            rules = try CheckoutRules.bytes(
                of: answer, in: gitDirectory, variables: program.environment.inherited)
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
        // A run that is killed before this writes them again.
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

    /// Removes files that are no part of the tree, and checks that none is left.
    ///
    /// - Parameter kept: Submodules that are checked out and cleaned separately.
    private func clean(
        _ tree: ObjectID, without submodules: [GitName], keeping kept: [GitName]
    ) async throws(ShadowTreeError) {
        var index = index
        if !submodules.isEmpty {
            // git does not look into the folder of a submodule. With an index without submodules it is an ordinary
            // folder.
            index = cleanIndex
            unlink(index)
            let names = submodules.reduce(into: [UInt8]()) { list, name in list += name.bytes + [0] }
            _ = try await checked("read-tree", ["--no-sparse-checkout", "\(tree.hexadecimal)"], index: index)
            _ = try await checked("update-index", ["--force-remove", "-z", "--stdin"], index: index, input: names)
        }
        let patterns = kept.map(Self.pattern)
        let excludes = patterns.flatMap { ["-e", $0] as [GitArgument] }
        _ = try await checked("clean", ["-ffdx", "--quiet"] + excludes, index: index)
        // Not `status`, which compares with HEAD, another commit, and obeys settings that hide files.
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

    /// Checks that every file is as in the tree, and that the index is of this tree.
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

    /// Whether a file is what a checkout writes. git also reports a file as changed if committing it would store
    /// other content, such as CRLF in a repository that requires LF.
    private func isCheckout(of name: GitName, in tree: ObjectID) async throws(ShadowTreeError) -> Bool {
        let object = GitArgument(bytes: Array("\(tree.hexadecimal):".utf8) + name.bytes)
        let expected = try await checked("cat-file", ["--filters", object]).bytes
        return contents(of: name, limit: expected.count + 1) == expected
    }

    /// Files that Git LFS should have replaced by their content.
    private func pointerFiles() async throws(ShadowTreeError) -> [GitName] {
        LFSPointer.names(in: try await checked("ls-files", LFSPointer.question).bytes, below: path)
    }

    /// The beginning of a file; `nil` when it is none.
    private func contents(of name: GitName, limit: Int) -> [UInt8]? {
        FileContent.beginning(of: Array("\(path)/".utf8) + name.bytes, limit: limit)
    }

    /// The links that lead out of the folder, to files that are no part of the tree.
    private func strayLinks(among entries: [UInt8], top: String, isElsewhere: Bool) -> [GitName] {
        guard let root = FileContent.real(Array(top.utf8)) else { return [] }
        let slash = UInt8(ascii: "/")
        let beginning = root + [slash]
        return entries.split(separator: 0).compactMap { entry in
            guard entry.starts(with: "120000 ".utf8), let tab = entry.firstIndex(of: UInt8(ascii: "\t")) else {
                return nil
            }
            let name = GitName(bytes: entry[(tab + 1)...])
            let place = Array("\(path)/".utf8) + name.bytes
            if isElsewhere, let text = FileContent.text(ofLinkAt: place) {
                if text.first == slash { return nil }
                if Self.leadsOut(text, at: place.dropFirst(top.utf8.count + 1)) { return name }
            }
            guard let real = FileContent.real(place) else { return nil }
            return real.starts(with: beginning) || real == root ? nil : name
        }
    }

    /// Whether a relative link leads out by its text alone; other links on its way are not followed.
    ///
    /// - Parameter path: That of the link, relative to the top.
    private static func leadsOut(_ text: [UInt8], at path: ArraySlice<UInt8>) -> Bool {
        let slash = UInt8(ascii: "/")
        var depth = path.count { $0 == slash }
        for part in text.split(separator: slash) where !part.elementsEqual(".".utf8) {
            depth += part.elementsEqual("..".utf8) ? -1 : 1
            if depth < 0 { return true }
        }
        return false
    }
}

extension Collection<UInt8> {
    fileprivate func ends(with other: String.UTF8View) -> Bool { suffix(other.count).elementsEqual(other) }
}
