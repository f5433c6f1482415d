public import Foundation
public import RunModel

/// How a project stands: its default branch, and what regressed there.
public struct ProjectState: Sendable {
    /// The project.
    public var name: String
    /// How many runs of it are stored.
    public var runs: Int
    /// The default branch; `nil` when no run of all tests is on it.
    public var branch: String?
    /// The latest run of all tests there, or of all branches where there is none.
    public var latest: RunListEntry?
    /// The tests that fail there now, with the run in which each began to.
    public var regressions: [Regression]

    /// Makes a state from its parts.
    public init(name: String, runs: Int, branch: String?, latest: RunListEntry?, regressions: [Regression]) {
        self.name = name
        self.runs = runs
        self.branch = branch
        self.latest = latest
        self.regressions = regressions
    }
}

/// A test that passed on a branch and fails since.
public struct Regression: Sendable, Hashable {
    /// Which test.
    public var test: TestID
    /// The first run in which it failed.
    public var since: RunListEntry
    /// The last run in which it passed; `nil` when none is known.
    public var lastPassed: RunListEntry?

    /// Makes a regression from its parts.
    public init(test: TestID, since: RunListEntry, lastPassed: RunListEntry?) {
        self.test = test
        self.since = since
        self.lastPassed = lastPassed
    }
}

/// The lines of the modules in one run.
public struct ModuleLines: Sendable, Hashable {
    /// The run.
    public var run: RunID
    /// The module.
    public var module: String
    /// Distinct lines, as they were judged.
    public var lines: CoverageTally

    /// Makes an entry from its parts.
    public init(run: RunID, module: String, lines: CoverageTally) {
        self.run = run
        self.module = module
        self.lines = lines
    }
}

/// What became of a test in one run.
public struct TestHistoryPoint: Sendable, Hashable {
    /// The run.
    public var run: RunID
    /// When the run began.
    public var startedAt: Date
    /// The commit that was tested, where known.
    public var commit: String?
    /// The branch, where known.
    public var branch: String?
    /// How the test ended.
    public var outcome: Outcome
    /// How often it was executed in that run.
    public var attempts: Int
    /// How long its last attempt took, where known.
    public var duration: Duration?

    /// Makes a point from its parts.
    public init(
        run: RunID,
        startedAt: Date,
        commit: String?,
        branch: String?,
        outcome: Outcome,
        attempts: Int,
        duration: Duration?
    ) {
        self.run = run
        self.startedAt = startedAt
        self.commit = commit
        self.branch = branch
        self.outcome = outcome
        self.attempts = attempts
        self.duration = duration
    }
}

/// A test that does not always end in the same way, and the signs of it.
public struct FlakyEntry: Sendable, Hashable {
    /// Which test.
    public var test: TestID
    /// On how many trees it both failed and passed.
    public var disagreements: Int
    /// How often its outcome changed from one run of a branch to the next.
    public var flips: Int
    /// In how many runs it failed in the end.
    public var failures: Int
    /// In how many runs it failed and then passed.
    public var recoveries: Int
    /// In how many runs it was executed.
    public var executions: Int
    /// The last run in which it failed.
    public var lastFailure: RunID?

    /// Makes an entry from its parts.
    public init(
        test: TestID,
        disagreements: Int,
        flips: Int,
        failures: Int,
        recoveries: Int,
        executions: Int,
        lastFailure: RunID?
    ) {
        self.test = test
        self.disagreements = disagreements
        self.flips = flips
        self.failures = failures
        self.recoveries = recoveries
        self.executions = executions
        self.lastFailure = lastFailure
    }
}

/// A slow test and how long it takes.
public struct SlowEntry: Sendable, Hashable {
    /// Which test.
    public var test: TestID
    /// In the latest run.
    public var latest: Duration
    /// The middle of the durations of the runs looked at.
    public var median: Duration
    /// The longest of them.
    public var longest: Duration
    /// How many runs it has a duration in.
    public var runs: Int

    /// Makes an entry from its parts.
    public init(test: TestID, latest: Duration, median: Duration, longest: Duration, runs: Int) {
        self.test = test
        self.latest = latest
        self.median = median
        self.longest = longest
        self.runs = runs
    }
}
