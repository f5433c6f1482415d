/// A difference between a folder and a tree.
public struct TreeDifference: Sendable, Hashable, CustomStringConvertible {
    /// The kind of difference.
    public enum Kind: Sendable, Hashable {
        /// It exists, but the tree has nothing of this name.
        case added
        /// The tree has it, but it does not exist.
        case missing
        /// It has another content or is of another kind.
        case changed
        /// It is a link to something that is no part of the tree.
        case leadsOut
    }

    /// Its path in the tree.
    public let name: GitName
    /// The kind of difference.
    public let kind: Kind

    /// The difference as a sentence without full stop.
    public var description: String {
        switch kind {
        case .added: "\(name) is not part of the tree"
        case .missing: "\(name) is missing"
        case .changed: "\(name) is not what the tree has"
        case .leadsOut: "\(name) leads to something that is not part of the tree"
        }
    }
}

extension [TreeDifference] {
    /// The first of them in words, and how many more there are.
    public var summary: String {
        let shown = prefix(3).map(\.description).joined(separator: ", ")
        return count > 3 ? shown + ", and \(count - 3) more" : shown
    }
}
