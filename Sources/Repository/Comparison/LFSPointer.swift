public import RunModel

/// Files that Git LFS should have replaced by their content, and that are only pointers to it.
enum LFSPointer {
    /// The arguments of `git ls-files` that list the files of Git LFS in a work tree.
    static let question: [GitArgument] = ["-z", "--full-name", "--", ":(top,attr:filter=lfs)"]

    private static let signature = Array("version https://git-lfs.github.com/spec/".utf8)

    /// Those of a list that are pointers in a folder.
    static func names(in list: [UInt8], below folder: String) -> [GitName] {
        GitName.list(list).filter { name in
            FileContent.beginning(of: Array("\(folder)/".utf8) + name.bytes, limit: signature.count) == signature
        }
    }

    /// The note on one of them.
    static func note(_ name: GitName) -> Note {
        Note(.lfsPointer, subject: name.description, detail: "Git LFS pointer instead of the file's content")
    }
}

extension GitRepository {
    /// The notes on files in the work tree that are only pointers of Git LFS.
    public func notesOfPointers() async throws(GitError) -> [Note] {
        guard let workTree else { return [] }
        let list = try await run("ls-files", LFSPointer.question, scope: .objects).checked("ls-files").bytes
        return LFSPointer.names(in: list, below: workTree).map(LFSPointer.note)
    }
}
