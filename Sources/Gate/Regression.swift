public import RunModel

/// A test that fails, and since when; it regressed where a run before is known in which it passed.
public struct Regression: Sendable, Hashable {
    /// Which test.
    public var test: TestID
    /// What its display names call it (`NamedTest.title`); `nil` without one.
    public var title: String?
    /// The first of the runs in a row in which it failed.
    public var since: RunSummary
    /// The run before, in which it passed; `nil` when none is known.
    public var lastPassed: RunSummary?
    /// The commit that the branch had then, which need not be the one that the run was made of; `nil` if unknown.
    public var lastPassedOn: String?
    /// What was said when it failed last; untrusted text.
    public var message: String?
    /// What a search has found to have broken it; `nil` where none was made.
    public var culprit: Culprit?

    package init(
        test: TestID, title: String? = nil, since: RunSummary, lastPassed: RunSummary?, lastPassedOn: String? = nil,
        message: String? = nil, culprit: Culprit? = nil
    ) {
        self.lastPassedOn = lastPassedOn
        self.culprit = culprit
        self.title = title
        self.message = message
        self.test = test
        self.since = since
        self.lastPassed = lastPassed
    }
}
