public import RunModel

/// What a run recorded of one of its source files.
public struct RecordedSource: Sendable {
    /// Relative to the package, byte for byte as the run recorded it.
    public var path: String
    /// The run.
    public var run: RunHead
    /// How its lines were executed; `nil` if that was not measured.
    public var coverage: FileCoverage?
    /// Whether lines have their execution counts; otherwise an executed line has the count 1.
    public var hasExecutionCounts: Bool
    /// The tests that failed in the run, wherever.
    public var failures: [TestResult]
    /// The errors of the compiler, wherever; none unless the build failed.
    public var buildErrors: [BuildDiagnostic]
    /// The text, if the run kept it, and it is not too large.
    public var text: SourceText?
    /// Whether the run kept a text that is too large to be shown.
    public var isTooLarge: Bool

    package init(
        path: String, run: RunHead, coverage: FileCoverage?, hasExecutionCounts: Bool, failures: [TestResult],
        buildErrors: [BuildDiagnostic], text: SourceText?, isTooLarge: Bool = false
    ) {
        self.path = path
        self.run = run
        self.coverage = coverage
        self.hasExecutionCounts = hasExecutionCounts
        self.failures = failures
        self.buildErrors = buildErrors
        self.text = text
        self.isTooLarge = isTooLarge
    }
}
