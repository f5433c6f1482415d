import Foundation

extension TreeLayout {
    /// The layout of a submodule; `nil` if its repository is missing or does not have the commit.
    ///
    /// The repository is found from the user's checkout: in the modules of this repository, or in the folder itself.
    func layout(of submodule: GitName, having commit: ObjectID) async throws(ShadowTreeError) -> TreeLayout? {
        guard let name = submodule.text, let workTree else { return nil }
        let checkout = "\(workTree)/\(name)"
        guard FileManager.default.fileExists(atPath: checkout + "/.git") else { return nil }
        let answer: GitOutput
        do throws(GitError) {
            answer = try await program.run(
                "rev-parse", ["--path-format=absolute", "--absolute-git-dir"], options: ["-C", GitArgument(checkout)])
        } catch {
            throw .git(error)
        }
        guard answer.status == 0, let repository = GitName(bytes: answer.line).text, repository != gitDirectory else {
            return nil
        }
        let layout = TreeLayout(
            program: program, gitDirectory: repository, workTree: checkout, path: "\(path)/\(name)",
            index: "\(index)-\(submodule.indexName)")
        do {
            try FileManager.default.createDirectory(atPath: layout.path, withIntermediateDirectories: true)
        } catch {
            throw .fileSystem("make folder", path: layout.path, code: EEXIST)
        }
        let object = try await layout.git("cat-file", ["-e", "\(commit)^{commit}"])
        return object.status == 0 ? layout : nil
    }

    func tree(of commit: ObjectID) async throws(ShadowTreeError) -> ObjectID {
        let answer = try await checked("rev-parse", ["--verify", "\(commit)^{tree}"])
        guard let tree = ObjectID(bytes: answer.line) else {
            throw .git(.unexpectedOutput(command: "rev-parse", detail: "no tree for commit \(commit)"))
        }
        return tree
    }
}

extension GitName {
    /// The name as a unique part of a file name.
    fileprivate var indexName: String {
        bytes.map { byte in
            let isPlain = (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
            return isPlain ? String(UnicodeScalar(byte)) : "_" + String(byte, radix: 16)
        }.joined()
    }
}

extension MaterializedTree.Remark {
    /// The same remark, for a tree inside of another.
    func inside(_ folder: GitName) -> MaterializedTree.Remark {
        func joined(_ name: GitName) -> GitName { GitName(bytes: folder.bytes + [UInt8(ascii: "/")] + name.bytes) }
        switch self {
        case .submoduleNotMaterialized(let name): return .submoduleNotMaterialized(joined(name))
        case .pointerFile(let name): return .pointerFile(joined(name))
        case .linkLeadsOut(let name): return .linkLeadsOut(joined(name))
        }
    }
}
