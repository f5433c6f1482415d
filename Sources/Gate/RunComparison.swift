public import RunModel

/// A test that ended differently in two runs, or fails in both.
public struct ChangedTest: Sendable, Hashable {
    /// What became of a test, in the order in which it is told.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// It fails now and did not.
        case regressed
        /// It was not in the first run and fails.
        case addedFailing
        /// It failed and fails.
        case stillFailing
        /// It failed, and ran to a good end now.
        case fixed
        /// It was not in the first run and does not fail.
        case added
        /// It is gone.
        case removed
        /// It is skipped now and was not.
        case newlySkipped
        /// It ended otherwise in some other way: not run now, or run again.
        case otherwise
    }

    /// Which test.
    public var id: TestID
    /// How it ended in the first run; `nil` when it is not in it.
    public var before: Outcome?
    /// How it ended in the second run; `nil` when it is not in it.
    public var after: Outcome?

    package init(id: TestID, before: Outcome?, after: Outcome?) {
        (self.id, self.before, self.after) = (id, before, after)
    }

    /// What became of it.
    public var kind: Kind {
        switch (before, after) {
        case (_, nil): .removed
        case (nil, let after?): after.isFailure ? .addedFailing : .added
        case (let before?, let after?) where after.isFailure: before.isFailure ? .stillFailing : .regressed
        case (_, .skipped?): .newlySkipped
        case (let before?, let after?): before.isFailure && after.wasExecuted ? .fixed : .otherwise
        }
    }
}

/// A test that ran to a good end in two runs and takes clearly longer in the second: at least twice as long, and at least a tenth
/// of a second.
public struct SlowerTest: Sendable, Hashable {
    /// Which test.
    public var id: TestID
    /// How long it took in the first run.
    public var before: Duration
    /// How long it took in the second run.
    public var after: Duration

    package init(id: TestID, before: Duration, after: Duration) {
        (self.id, self.before, self.after) = (id, before, after)
    }

    /// Whether the times of a test in two runs differ so much that it is one; smaller differences are those of any two runs.
    public static func isSlower(before: Duration, after: Duration) -> Bool {
        after >= before * 2 && after - before >= .milliseconds(100)
    }
}

/// The line coverage of a module in two runs.
public struct ModuleChange: Sendable, Hashable, Codable {
    /// The module's manifest name.
    public var module: String
    /// In the first run; `nil` when it was not measured there.
    public var before: CoverageTally?
    /// In the second run; `nil` when it was not measured there.
    public var after: CoverageTally?

    package init(module: String, before: CoverageTally?, after: CoverageTally?) {
        (self.module, self.before, self.after) = (module, before, after)
    }
}

/// What changed from one run to another.
///
/// A test that only one of them has is left out where the other ran a part of the tests only, or none because its build failed.
public struct RunComparison: Sendable, Hashable {
    /// The first run.
    public var before: RunSummary
    /// The second run.
    public var after: RunSummary
    /// The tests that changed: by kind, and as they were given within one.
    public let tests: [ChangedTest]
    /// Every module measured in one of the runs, in the order of the second, then of the first; none where one of them ran a
    /// part of the tests only, or none.
    public var modules: [ModuleChange]
    /// The tests that take clearly longer in the second run, the largest difference first.
    public var slower: [SlowerTest]
    /// What display names call the tests (`NamedTest.title`).
    public var titles: [TestID: String] = [:]

    package init(
        before: RunSummary, after: RunSummary, tests: [ChangedTest] = [], slower: [SlowerTest] = [],
        modules: [ModuleChange] = []
    ) {
        self.before = before
        self.after = after
        let byKind = Dictionary(grouping: tests, by: \.kind)
        self.tests = ChangedTest.Kind.allCases.flatMap { byKind[$0] ?? [] }
        self.slower = slower.sorted { ($0.after - $0.before, $1.id) > ($1.after - $1.before, $0.id) }
        self.modules = modules
    }

    /// The tests of which one thing became.
    public func tests(_ kind: ChangedTest.Kind) -> [ChangedTest] { tests.filter { $0.kind == kind } }

    /// Whether one of the runs ran a part of the tests only, so that the others and the modules are not compared.
    public var isOfPart: Bool { before.isPartial || after.isPartial }
}
