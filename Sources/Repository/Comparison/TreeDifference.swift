/// Something in a folder that is not as a tree has it.
public struct TreeDifference: Sendable, Hashable, CustomStringConvertible {
    /// In which way it differs.
    public enum Kind: Sendable, Hashable {
        /// It lies there, and the tree has nothing of this name.
        case added
        /// The tree has it, and it does not lie there.
        case missing
        /// It has another content, or is another kind of thing.
        case changed
        /// It is a link of the tree to something that is no part of the tree.
        case leadsOut
    }

    /// Its path in the tree.
    public let name: GitName
    /// In which way it differs.
    public let kind: Kind

    /// What is wrong, as a sentence without its full stop.
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
