/// A program of the package that runs before the build or after the tests.
public struct RunScript: Sendable, Hashable, Codable {
    /// The program and its arguments; no shell reads them. A program with a slash is a path in the package, one
    /// without is looked up in PATH.
    public var words: [String]
    /// How long it may take.
    public var timeLimit: Duration

    package init(words: [String], timeLimit: Duration = .seconds(10 * 60)) {
        (self.words, self.timeLimit) = (words, timeLimit)
    }
}
