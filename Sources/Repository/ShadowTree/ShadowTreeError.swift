import Glibc

/// Why a tree could not be checked out exactly.
public enum ShadowTreeError: Error, Sendable, Hashable, CustomStringConvertible {
    /// An error of git.
    case git(GitError)
    /// Another run uses the shadow tree; its owner, if known.
    case busy(LockOwner?)
    /// A call of the operating system failed.
    case fileSystem(_ operation: String, path: String, code: Int32)
    /// The path of the shadow tree is no folder.
    case notAFolder(path: String)
    /// Files that are not part of the tree could not be removed.
    case leftover(tree: ObjectID, [GitName])
    /// Files differ from what a checkout of the tree gives.
    case different(tree: ObjectID, [GitName])
    /// The index is of another tree.
    case wrongTree(expected: ObjectID, found: String)

    /// What happened, as a fragment after "failed to".
    public var description: String {
        switch self {
        case .git(let error): error.description
        case .busy(let owner): "use the shadow tree: \(owner.map { "\($0) holds it" } ?? "another run holds it")"
        case .fileSystem(let operation, let path, let code):
            "\(operation) \(path): \(String(cString: strerror(code)))"
        case .notAFolder(let path): "use the shadow tree: \(path) is not a folder"
        case .leftover(let tree, let names):
            "check out tree \(tree): \(Self.list(names)) cannot be removed and \(names.count == 1 ? "is" : "are") no part of it"
        case .different(let tree, let names):
            "check out tree \(tree): \(Self.list(names)) \(names.count == 1 ? "differs" : "differ") from a checkout"
        case .wrongTree(let expected, let found):
            "check out tree \(expected): the index holds \(found)"
        }
    }

    /// What to do about it.
    public var hint: String? {
        switch self {
        case .git(let error): error.hint
        case .busy: "wait until the other run ends, or end it"
        case .notAFolder(let path): "remove \(path)"
        case .leftover, .different: "run again; if it persists, remove the folder kanmon from the git directory"
        case .fileSystem, .wrongTree: nil
        }
    }

    private static func list(_ names: [GitName]) -> String {
        let shown = names.prefix(3).map(\.description).joined(separator: ", ")
        return names.count > 3 ? shown + " and \(names.count - 3) more" : shown
    }
}
