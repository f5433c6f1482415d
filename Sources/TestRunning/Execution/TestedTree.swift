import RunModel

/// Checks whether the tested files are still the tree that was checked out. Only the caller uses git.
public struct TestedTree: Sendable {
    /// Whether the folder was checked out for this run only: then a difference leaves the run undecided.
    public var isLaidOut: Bool
    /// The differences from the tree, each as a sentence; additional files count only in the given absolute folders. In a
    /// tree that Kanmon checked out SwiftPM may write the versions of its dependencies as it builds.
    public var differences: @Sendable (_ folders: [String], _ isBuilt: Bool) async -> [String]
    /// Which of the given absolute folders are no part of the tree, each as a sentence.
    public var strangers: @Sendable (_ folders: [String]) -> [String]

    package init(
        isLaidOut: Bool, differences: @escaping @Sendable (_ folders: [String], _ isBuilt: Bool) async -> [String],
        strangers: @escaping @Sendable (_ folders: [String]) -> [String]
    ) {
        (self.isLaidOut, self.differences, self.strangers) = (isLaidOut, differences, strangers)
    }
}
