public import RunModel

/// A checked out tree.
public struct MaterializedTree: Sendable, Hashable {
    /// A part of the tree that the checkout leaves incomplete.
    public enum Remark: Sendable, Hashable {
        /// A submodule whose repository is missing or does not have the commit: its folder is empty.
        case submoduleNotMaterialized(GitName)
        /// A file of Git LFS of which only the pointer exists.
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

    /// Incomplete parts that may not matter: if their content is needed, the build or a test fails.
    public var notes: [Note] {
        remarks.compactMap { remark in
            guard case .pointerFile(let name) = remark else { return nil }
            return LFSPointer.note(name)
        }
    }

    /// The differences that make a run in the folder not exact.
    public var differences: [TreeDifference] {
        remarks.compactMap { remark in
            guard case .linkLeadsOut(let name) = remark else { return nil }
            return TreeDifference(name: name, kind: .leadsOut)
        }
    }

    /// The missing parts of the tree.
    public var gaps: [Gap] {
        remarks.compactMap { remark in
            guard case .submoduleNotMaterialized(let name) = remark else { return nil }
            return Gap(.submoduleMissing, subject: name.description, detail: "its commit is not in a repository here")
        }
    }
}
