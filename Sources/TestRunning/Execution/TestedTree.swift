import RunModel

/// How a run finds out whether what it tests still is the tree that was checked out. Only the caller knows git.
public struct TestedTree: Sendable {
    /// Whether the folder was laid out for this run alone: then a difference is nobody's work in progress, and nothing is known
    /// of the tree that was asked for.
    public var isLaidOut: Bool
    /// What differs from the tree, each as a sentence; files that the tree does not have count in the folders given, absolute.
    public var differences: @Sendable (_ folders: [String]) async -> [String]
    /// Which of the folders given, absolute, are no part of the tree, each as a sentence.
    public var strangers: @Sendable (_ folders: [String]) -> [String]

    /// Makes the questions from their parts.
    public init(
        isLaidOut: Bool, differences: @escaping @Sendable (_ folders: [String]) async -> [String],
        strangers: @escaping @Sendable (_ folders: [String]) -> [String]
    ) {
        self.isLaidOut = isLaidOut
        self.differences = differences
        self.strangers = strangers
    }
}
