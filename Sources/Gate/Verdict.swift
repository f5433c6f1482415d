public import RunModel

/// The three ways a run can be judged.
public enum Decision: String, Sendable, Hashable, Codable, CaseIterable {
    /// Everything asked was done, and the evidence for it is complete.
    case passed
    /// A rule is violated.
    case failed
    /// The evidence does not establish what happened.
    case undecided
}

/// How one module stands against its floors: a row of the table under a verdict.
public struct ModuleCoverage: Sendable, Hashable, Codable {
    /// The module's manifest name.
    public var module: String
    /// Distinct lines; those that are unstable count as not covered.
    public var lines = CoverageTally()
    /// Regions.
    public var regions = CoverageTally()
    /// Functions.
    public var functions = CoverageTally()
    /// The floors that were applied.
    public var floors = Floors()
    /// Why it is not measured; `nil` when it is.
    public var notMeasurable: String?
    /// How many files the policy excluded from it.
    public var excludedFiles = 0

    /// The tally for one metric.
    public func tally(_ metric: CoverageMetric) -> CoverageTally {
        switch metric {
        case .line: lines
        case .region: regions
        case .function: functions
        }
    }

    /// Whether one metric is under its floor.
    public func isUnderFloor(_ metric: CoverageMetric) -> Bool {
        guard notMeasurable == nil, let floor = floors[metric], tally(metric).total > 0 else { return false }
        return !floor.isReached(by: tally(metric))
    }
}

/// What the gate says of a run, with everything it was derived from.
public struct Verdict: Sendable, Hashable, Codable {
    /// Passed, failed or undecided.
    public var decision: Decision
    /// The rules that are broken, gravest first.
    public var violations: [Violation]
    /// What the evidence does not establish.
    public var gaps: [Gap]
    /// Every module of the package that is not a test target, in the order of the package.
    public var modules: [ModuleCoverage]
    /// Every entry of the quarantine, in the order of the policy.
    public var quarantine: [QuarantineStatus]
    /// What every exclude takes out of the coverage, in the order of the policy; empty without coverage.
    public var exclusions: [ExclusionStatus]
    /// The lines that earlier runs of the same sources covered otherwise, ordered by path: no floor is reached by them.
    public var unstable: [UnstableFile]
    /// How the run stands against its base; `nil` when it was not compared, or ran only some of the tests.
    public var change: ChangeStatus?
    /// What is known of the failed tests before the change, in the order of the run.
    public var failureOrigins: [FailureOrigin]
    /// What all tests would have covered; `nil` unless tests were left out that a change cannot break.
    public var estimate: CoverageEstimate?
    /// The policy that was applied.
    public var policy: Policy
    /// What comparing with the base came to; `nil` when there is none.
    public var base: BaseReview?
    /// Who owns which file, as the base says; `nil` where there is no `CODEOWNERS`. Nothing is judged by it.
    public var owners: CodeOwnersFile?
    /// Who changed the lines last at which tests failed that nobody owns; `nil` where nobody looked.
    public var authors: FailureAuthors?
    /// What came of new and changed tests that were repeated; `nil` where there were none.
    public var probation: Probation?
    /// Why tests failed; `nil` where nobody looked. Nothing is judged by it but what is in `allowedFailures`.
    public var causes: FailureCauses?
    /// The failures that do not block, because the base's stored run has them, too; in the order of the run.
    public var allowedFailures: [AllowedFailure]

    /// Makes a verdict from its parts; `init(judging:by:)` is the way to come by one.
    public init(
        decision: Decision,
        violations: [Violation],
        gaps: [Gap],
        modules: [ModuleCoverage],
        quarantine: [QuarantineStatus] = [],
        exclusions: [ExclusionStatus] = [],
        unstable: [UnstableFile] = [],
        change: ChangeStatus? = nil,
        failureOrigins: [FailureOrigin] = [],
        estimate: CoverageEstimate? = nil,
        policy: Policy,
        base: BaseReview? = nil,
        owners: CodeOwnersFile? = nil,
        authors: FailureAuthors? = nil,
        probation: Probation? = nil,
        causes: FailureCauses? = nil,
        allowedFailures: [AllowedFailure] = []
    ) {
        self.decision = decision
        self.violations = violations
        self.gaps = gaps
        self.modules = modules
        self.quarantine = quarantine
        self.exclusions = exclusions
        self.unstable = unstable
        self.change = change
        self.failureOrigins = failureOrigins
        self.estimate = estimate
        self.policy = policy
        self.base = base
        self.owners = owners
        self.authors = authors
        self.probation = probation
        self.causes = causes
        self.allowedFailures = allowedFailures
    }

    /// The commits that it rests on, as `BaseCommit.key(of:)` writes them; empty for none.
    public var baseKey: String { BaseCommit.key(of: base?.commits ?? []) }

    /// The entry of the quarantine that keeps failures of a test from blocking, if there is one.
    public func quarantine(of test: TestID) -> QuarantineStatus? {
        quarantine.first { $0.isInForce && $0.id == test }
    }

    /// What is known of a failed test before the change; `nil` for any other test, and for those behind the first
    /// `FailureOrigin.most` that failed.
    public func origin(of test: TestID) -> FailureOrigin.Kind? { failureOrigins.first { $0.test == test }?.kind }

    /// What is known of the failed tests before the change.
    public var originsByTest: [TestID: FailureOrigin.Kind] {
        Dictionary(failureOrigins.map { ($0.test, $0.kind) }) { first, _ in first }
    }

    /// The exit status that tells this verdict.
    public var exitStatus: ExitStatus { ExitStatus(self) }
}
