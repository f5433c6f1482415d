public import RunModel

/// A tree laid out as files.
public struct MaterializedTree: Sendable, Hashable {
    /// Something in the tree that a checkout leaves incomplete.
    public enum Remark: Sendable, Hashable {
        /// A submodule whose repository is not here, or does not have the commit: its folder is empty.
        case submoduleNotMaterialized(GitName)
        /// A file that Git LFS keeps elsewhere: only the pointer is there.
        case pointerFile(GitName)
        /// A link to something outside of the tree, which can change without it.
        case linkLeadsOut(GitName)
    }

    /// The tree.
    public let tree: ObjectID
    /// The folder that holds it, absolute.
    public let path: String
    /// What is incomplete.
    public let remarks: [Remark]

    /// What is not as in a checkout and need not matter: where the content does, the build or a test fails for it.
    public var notes: [Note] {
        remarks.compactMap { remark in
            guard case .pointerFile(let name) = remark else { return nil }
            return Note(.lfsPointer, subject: name.description, detail: "Git LFS pointer instead of the file's content")
        }
    }

    /// What keeps a run in the folder from being one of exactly this tree.
    public var differences: [TreeDifference] {
        remarks.compactMap { remark in
            guard case .linkLeadsOut(let name) = remark else { return nil }
            return TreeDifference(name: name, kind: .leadsOut)
        }
    }

    /// What is missing of the tree.
    public var gaps: [Gap] {
        remarks.compactMap { remark in
            guard case .submoduleNotMaterialized(let name) = remark else { return nil }
            return Gap(.submoduleMissing, subject: name.description, detail: "its commit is not in a repository here")
        }
    }
}
