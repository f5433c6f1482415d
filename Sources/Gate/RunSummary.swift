public import RunModel

/// A run as a list shows it. What its head has, it has by the same names.
public struct RunSummary: HasRunHead, Sendable, Hashable {
    /// Which run it is, and of what.
    public var head: RunHead
    /// What the gate said.
    public var decision: Decision
    /// The exit status that told it.
    public var exitStatus: ExitStatus
    /// How many test cases ended in which way.
    public var outcomes: OutcomeTally
    /// Distinct lines of all measured modules, as they were judged; `nil` without coverage.
    public var lines: CoverageTally?
    /// Where the evidence was when the run was stored.
    public var runDirectory: String?
    /// Whether it was asked to run only some of the tests.
    public var isPartial: Bool
    /// Where all tests passed and the gate blocked: which rules it violates, each with how often, by its code.
    public var broken: [String: Int]
    /// How many failures do not block, because the base's stored run has them, too.
    public var allowedFailures: Int
    /// How many tests failed and passed when they were repeated.
    public var recovered = 0

    /// How it came here; `nil` if it was made or ingested here.
    public var delivery: DeliveryRecord?
    /// Whether it is an earlier run that was judged for the commit in `revision`, because the trees are the same.
    public var isOfKnownTree = false
    /// Whether its evidence is of the present version of Kanmon, or of another tool.
    public var isCurrent = true

    /// Whether no test ran because the build failed, so that the run says nothing of any test or module.
    public var isUntested: Bool { exitStatus == .buildFailed && outcomes.executed == 0 }

    package init(
        _ head: RunHead, decision: Decision, exitStatus: ExitStatus, outcomes: OutcomeTally, lines: CoverageTally?,
        runDirectory: String? = nil, isPartial: Bool = false, broken: [String: Int] = [:],
        allowedFailures: Int = 0, delivery: DeliveryRecord? = nil
    ) {
        self.head = head
        self.decision = decision
        self.exitStatus = exitStatus
        self.outcomes = outcomes
        self.lines = lines
        self.runDirectory = runDirectory
        self.isPartial = isPartial
        self.broken = broken
        self.allowedFailures = allowedFailures
        self.delivery = delivery
    }

    /// Makes the summary of a run.
    public init(_ run: TestRun, _ verdict: Verdict) {
        self.init(
            run.head, decision: verdict.decision, exitStatus: verdict.exitStatus, outcomes: run.outcomes,
            lines: run.coverage.map { _ in
                verdict.modules.filter { $0.notMeasurable == nil }.reduce(CoverageTally()) { $0 + $1.lines }
            },
            isPartial: run.isPartial, broken: Rules.counts(verdict.violations),
            allowedFailures: verdict.allowedFailures.count, delivery: run.delivery)
        recovered = run.tests.count { $0.isFlaky }
        isCurrent = run.isCurrent
    }
}

extension RunSummary {
    /// How far it is to be trusted.
    public var trust: Trust { Trust(self.revision, delivery, isCurrent: isCurrent) }

    /// The commit that it was judged for, where that is not its own verdict.
    public var judgedCommit: String? { isOfKnownTree ? self.revision?.commit : nil }

    /// Whether it speaks for its commit and its branch: a working copy is its author's alone, and so is what came from a
    /// person's machine.
    public var isExact: Bool { trust.speaksForBranch }

    /// Whether it is of a commit that its branch has, or of a project outside of git.
    ///
    /// What was staged, or was pushed and not let in, is an attempt; so is a commit of the default branch that is judged against
    /// a base that somebody named, and one that the named branch does not have.
    public var isOfBranch: Bool { trust.speaksForBranch && self.revision.isOfBranch(decision) }

    /// Whether it is a state of its branch: of a commit that the branch has, and whole.
    public var isState: Bool { isOfBranch && !isPartial }

    /// Whether it passed by itself: no failure of its base was let through, which says that its branch adds none, and not that it is well.
    public var hasPassed: Bool { decision == .passed && allowedFailures == 0 }

    /// Why it is not of its branch, in a word or two; `nil` for one that is.
    public var doubt: String? {
        if let doubt = trust.doubt { return doubt }
        guard !isOfBranch, let revision = self.revision else { return nil }
        return (revision.attempt ?? .staged).words
    }

    /// Whether it says how its tree fares: of exactly this tree, whole, and sure of what it says.
    public var answersForTree: Bool { isWholeOfTree && decision != .undecided }

    /// Whether it is of exactly its tree, and whole, so that the newest such run speaks for the tree, sure or not. Of which commit
    /// the reports of another tool are was only told, so they speak for none.
    public var isWholeOfTree: Bool { self.engine != .foreign && isToldWhole }

    /// Whether it is, or is told to be, of exactly its tree, and whole.
    public var isToldWhole: Bool { self.revision?.isExact == true && trust.speaksForBranch && !isPartial }
}

extension Revision? {
    /// Whether the branch has what was judged so: a commit that was there, or that a push brought.
    public func isOfBranch(_ decision: Decision) -> Bool {
        guard let revision = self else { return true }
        guard revision.commit != nil else { return false }
        switch revision.attempt {
        case nil: return true
        case .push: return decision == .passed
        case .staged, .otherBase, .otherBranch, .otherBuild: return false
        }
    }
}

/// A project and its latest run.
public struct ProjectSummary: Sendable, Hashable {
    /// The name of the project.
    public var name: String
    /// How many runs of it are stored.
    public var runs: Int
    /// The run that began last; `nil` when none is left.
    public var latest: RunSummary?

    package init(name: String, runs: Int, latest: RunSummary? = nil) {
        (self.name, self.runs, self.latest) = (name, runs, latest)
    }
}

/// The lines of one module in one run, as they were judged.
public struct ModuleInRun: Sendable, Hashable {
    /// The run.
    public var run: RunID
    /// The module's manifest name.
    public var module: String
    /// Distinct lines: covered of all.
    public var lines: CoverageTally
    /// The floor on its lines; `nil` without one.
    public var floor: Percentage?

    package init(run: RunID, module: String, lines: CoverageTally, floor: Percentage? = nil) {
        self.run = run
        self.module = module
        self.lines = lines
        self.floor = floor
    }
}
