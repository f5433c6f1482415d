public import Gate
public import RunModel

/// A test that ended differently in two runs.
public struct ChangedTest: Sendable, Hashable {
    /// Which test.
    public var id: TestID
    /// How it ended in the first run; `nil` when it is not in it.
    public var before: Outcome?
    /// How it ended in the second run; `nil` when it is not in it.
    public var after: Outcome?
}

/// The line coverage of a module in two runs.
public struct ModuleChange: Sendable, Hashable {
    /// The module's manifest name.
    public var module: String
    /// In the first run; `nil` when it was not measured there.
    public var before: CoverageTally?
    /// In the second run; `nil` when it was not measured there.
    public var after: CoverageTally?
}

/// What changed from one run to another. Every list is ordered by identity, and a test is in one list at most.
///
/// A test that only one of them has is in no list where the other ran a part of the tests only, or none because its build failed.
public struct RunComparison: Sendable, Hashable {
    /// The first run.
    public var before: RunSummary
    /// The second run.
    public var after: RunSummary
    /// Tests that fail now and did not in the first run.
    public var regressed: [ChangedTest] = []
    /// Tests that were not in the first run and fail.
    public var addedFailing: [ChangedTest] = []
    /// Tests that failed and fail.
    public var stillFailing: [ChangedTest] = []
    /// Tests that failed, and ran to a good end now.
    public var fixed: [ChangedTest] = []
    /// Tests that were not in the first run and do not fail.
    public var added: [ChangedTest] = []
    /// Tests that are gone.
    public var removed: [ChangedTest] = []
    /// Tests that are skipped now and were not.
    public var newlySkipped: [ChangedTest] = []
    /// Tests that ended otherwise in some other way: not run now, or run again.
    public var otherwise: [ChangedTest] = []
    /// Every module measured in one of the runs, in the order of the second, then of the first; none where one of them ran a
    /// part of the tests only, or none.
    public var modules: [ModuleChange] = []

    init(before: RunSummary, after: RunSummary) {
        self.before = before
        self.after = after
    }

    /// Puts a test into the list it belongs to.
    mutating func sort(_ test: ChangedTest) {
        switch (test.before, test.after) {
        case (_, nil): removed.append(test)
        case (nil, let after?) where after.isFailure: addedFailing.append(test)
        case (let before?, let after?) where after.isFailure:
            if before.isFailure { stillFailing.append(test) } else { regressed.append(test) }
        case (nil, _): added.append(test)
        case (_, .skipped?): newlySkipped.append(test)
        case (let before?, let after?) where before.isFailure && after.wasExecuted: fixed.append(test)
        default: otherwise.append(test)
        }
    }
}
