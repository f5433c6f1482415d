public import RunModel

/// A tree laid out as files.
public struct MaterializedTree: Sendable, Hashable {
    /// Something in the tree that a checkout leaves incomplete.
    public enum Remark: Sendable, Hashable {
        /// A submodule: its folder is not there.
        case submoduleNotMaterialized(GitName)
        /// A file that Git LFS keeps elsewhere: only the pointer is there.
        case pointerFile(GitName)
    }

    /// The tree.
    public let tree: ObjectID
    /// The folder that holds it, absolute.
    public let path: String
    /// What is incomplete.
    public let remarks: [Remark]

    /// The remarks as notes of a run. They do not block: where the files matter, the build or a test fails for it.
    public var notes: [Note] {
        remarks.map { remark in
            switch remark {
            case .submoduleNotMaterialized(let name):
                Note(.submoduleMissing, subject: name.description, detail: "submodule not materialized")
            case .pointerFile(let name):
                Note(.lfsPointer, subject: name.description, detail: "Git LFS pointer instead of the file's content")
            }
        }
    }
}
