public import RunModel

/// What a change did to one file.
public struct ChangedFile: Sendable, Hashable, Codable {
    /// Relative to the package.
    public var path: String
    /// New executable lines: covered of all.
    public var tally: CoverageTally
    /// New lines that are not covered.
    public var missed: [ClosedRange<Int>]
    /// Lines that only moved and were not covered before either: listed, not charged.
    public var debt: [ClosedRange<Int>] = []
    /// All lines that were added or changed, executable or not.
    public var added: [ClosedRange<Int>] = []
}

/// Lines of one file that nobody touched and that are covered otherwise than at the base.
public struct IndirectChange: Sendable, Hashable, Codable {
    /// Relative to the package.
    public var path: String
    /// Lines that lost their coverage.
    public var lost: [ClosedRange<Int>] = []
    /// Lines that gained coverage.
    public var gained: [ClosedRange<Int>] = []
    /// Lines on which runs of one tree disagree: no change is read from them.
    public var unstable: [ClosedRange<Int>] = []
}

/// How a run stands against its base.
public struct ChangeStatus: Sendable, Hashable, Codable {
    /// How many lines are of one class.
    public struct ClassCount: Sendable, Hashable, Codable {
        /// The class.
        public var name: LineClass
        /// How many lines are in it.
        public var lines: Int

        package init(_ name: LineClass, _ lines: Int) { (self.name, self.lines) = (name, lines) }
    }

    /// The commit compared with.
    public var base: BaseCommit
    /// The run that says what the base covered; `nil` when none is stored.
    public var baseRun: RunID?
    /// New executable lines: covered of all.
    public var lines = CoverageTally()
    /// The rule on them that was applied; `nil` when there is none.
    public var rule: PatchRule?
    /// Files with new executable lines, ordered by path.
    public var files: [ChangedFile] = []
    /// Lines that nobody touched and that changed, or that cannot be told, ordered by path.
    public var indirect: [IndirectChange] = []
    /// The lines of the project now, but for those that are unstable; `nil` without the base's coverage.
    public var project: CoverageTally?
    /// The lines of the base that are still there; `nil` without its coverage.
    public var before: CoverageTally?
    /// How many lines are in which class, without those in none.
    public var classes: [ClassCount] = []
    /// Failed tests that execute none of the changed functions, as far as it was recorded; ascending.
    public var unrelatedFailures: [TestID] = []
    /// What limits the comparison.
    public var notes: [Note] = []

    /// Whether a failed test executes none of the changed functions, as far as it was recorded.
    public func isUnrelated(_ test: TestID) -> Bool {
        var (low, high) = (0, unrelatedFailures.count)
        while low < high {
            let middle = (low + high) / 2
            if unrelatedFailures[middle] < test { low = middle + 1 } else { high = middle }
        }
        return low < unrelatedFailures.count && unrelatedFailures[low] == test
    }

    /// Whether the change has enough lines for the rule to be judged.
    public var isJudged: Bool { rule.map { lines.total > 0 && lines.total >= $0.minimumLines } ?? false }

    /// How many lines only moved and are not charged.
    public var debt: Int { files.reduce(0) { $0 + $1.debt.reduce(0) { $0 + $1.count } } }
}

extension Policy {
    /// Whether a rule compares with the lines of a base.
    public var asksForComparison: Bool { comparesLines || probation != nil }

    /// Whether a rule compares what lines are covered with a base.
    var comparesLines: Bool { patch != nil || project?.mayDrop != nil }

    /// The same without the rules that need the base, for a run that is judged where nobody knows its base.
    public var withoutBase: Policy {
        var policy = self
        (policy.patch, policy.project, policy.ratchet, policy.probation) = (nil, nil, nil, nil)
        return policy
    }
}
