/// A test whose outcome varies, and how.
public struct FlakyTest: Sendable, Hashable {
    /// Which test.
    public var id: TestID
    /// The number of trees on which it both failed and passed, in one run or in several: the proof that it is flaky.
    public var disagreements: Int
    /// How often its outcome changed from one run of a branch to the next, on the branch where that was most often; runs of changed
    /// working copies do not count.
    public var flips: Int
    /// The number of runs whose last attempt failed.
    public var failures: Int
    /// The number of runs in which it failed and then passed, or passed and failed when it was repeated.
    public var recoveries: Int
    /// The number of runs in which it was executed.
    public var executions: Int
    /// The last run in which an attempt or a repetition failed.
    public var lastFailure: RunID?
    /// Since when it fails in every run of the default branch; `nil` if it does not.
    public var breakage: Breakage?

    package init(
        id: TestID,
        disagreements: Int = 0,
        flips: Int = 0,
        failures: Int = 0,
        recoveries: Int = 0,
        executions: Int = 0,
        lastFailure: RunID? = nil,
        breakage: Breakage? = nil
    ) {
        self.breakage = breakage
        self.id = id
        self.disagreements = disagreements
        self.flips = flips
        self.failures = failures
        self.recoveries = recoveries
        self.executions = executions
        self.lastFailure = lastFailure
    }
}

extension FlakyTest {
    /// A test whose outcome varies is one of two things.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// It fails now and then.
        case flaky
        /// It fails in every run since one: to repeat it helps nobody.
        case broken
    }

    /// Since when a test is broken.
    public struct Breakage: Sendable, Hashable {
        /// The first run in which it failed and after which it did not pass.
        public var since: RunID
        /// In how many runs in a row it failed.
        public var failures: Int

        package init(since: RunID, failures: Int) { (self.since, self.failures) = (since, failures) }
    }

    /// What it is.
    public var kind: Kind { breakage == nil ? .flaky : .broken }

    /// Whether it is flaky, or was before it broke: it both failed and passed on a tree, or its outcome changed more often on a branch
    /// than a fault and its fix explain.
    public var isSuspect: Bool { disagreements > 0 || flips > 2 }

    /// How often an attempt of it fails; of a broken test how often one did before.
    public var rate: FailureRate {
        let failed = breakage?.failures ?? 0
        return FailureRate(failures: failures + recoveries - failed, executions: executions - failed)
    }
}

/// The runs in which flaky tests were looked for: those that answer for their tree.
public struct FlakyWindow: Sendable, Hashable {
    /// How many there are.
    public var runs: Int
    /// How many of them passed.
    public var green: Int
    /// How many of those had a test that failed and passed when it was repeated.
    public var hidden: Int

    package init(runs: Int = 0, green: Int = 0, hidden: Int = 0) {
        (self.runs, self.green, self.hidden) = (runs, green, hidden)
    }
}
