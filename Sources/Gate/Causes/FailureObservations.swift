public import RunModel

/// What was seen of the failed tests of a run when they were repeated, and what stored runs say of them.
///
/// It is kept in the run directory, so that whoever judges the run again concludes the same causes.
public struct FailureObservations: Sendable, Hashable, Codable {
    /// How many failed tests are looked at; nothing is said about further ones.
    public static let most = 100
    /// How many executions of one test are counted in one way of running it.
    static let mostExecutions = 1_000_000
    /// The longest text besides those of issues, in bytes.
    static let longestText = 4_000

    /// The commit of the base, full hexadecimal; `nil` if there is none.
    public var base: String?
    /// Why no test was run on the base; `nil` if some were, or none had to be. Untrusted text.
    public var obstacle: String?
    /// Whether the changes of the package are all that changed in its repository.
    public var isWholeChange: Bool
    /// Whether the run tested a tree that Kanmon laid out as it lays out that of the base: what such a folder does to a test it does to
    /// both. Of any other folder nobody knows that, nor where a variable leads tests into the working copy.
    public var isLaidOut: Bool
    /// The tests, in the order in which they were looked at.
    public var tests: [FailureObservation]
    /// How long it took.
    public var nanoseconds: Int64
    /// Whether the time was over before all was done.
    public var isCutShort: Bool

    package init(
        base: String? = nil, obstacle: String? = nil, isWholeChange: Bool = false, isLaidOut: Bool = false,
        tests: [FailureObservation] = [], nanoseconds: Int64 = 0, isCutShort: Bool = false
    ) {
        (self.base, self.obstacle) = (base, obstacle)
        (self.isWholeChange, self.isLaidOut) = (isWholeChange, isLaidOut)
        (self.tests, self.nanoseconds, self.isCutShort) = (tests, nanoseconds, isCutShort)
    }
}

/// What was seen of one failed test.
public struct FailureObservation: Sendable, Hashable, Codable {
    /// What happened on the base's tree, run for the purpose.
    public struct OnBase: Sendable, Hashable, Codable {
        /// How often it ended in which way, without the tests that passed in the run.
        public var alone: TrialTally
        /// The same among all tests that ran in the run.
        public var company: TrialTally
        /// How it failed the first time in each of these ways; empty if it never did.
        public var failures: [FailureSample]
        /// Whether the base has no such test.
        public var isMissing: Bool
        /// With an empty home folder and an empty folder for temporary files, among all tests of the run, or without them where the
        /// folder says nothing; `nil` where nobody tried.
        public var emptied: TrialTally?
        /// How it failed there; `nil` if it did not.
        public var emptiedFailure: FailureSample?

        /// How often it ended in which way, in any company, with the user's folders.
        public var tally: TrialTally { alone + company }

        package init(
            alone: TrialTally = TrialTally(), company: TrialTally = TrialTally(), failures: [FailureSample] = [],
            isMissing: Bool = false, emptied: TrialTally? = nil, emptiedFailure: FailureSample? = nil
        ) {
            (self.alone, self.company) = (alone, company)
            (self.failures, self.isMissing) = (failures, isMissing)
            (self.emptied, self.emptiedFailure) = (emptied, emptiedFailure)
        }
    }

    /// How it ended in a stored run of exactly the base's tree that depended on the same as this run.
    public struct Stored: Sendable, Hashable, Codable {
        /// The run.
        public var run: RunID
        /// How it ended.
        public var outcome: Outcome
        /// How it failed; `nil` if it did not.
        public var failure: FailureSample?
        /// Whether all tests ran, and the package lay in the folder in which it lies in this run; `false` where nobody knows.
        public var isHere: Bool

        package init(run: RunID, outcome: Outcome, failure: FailureSample? = nil, isHere: Bool = false) {
            (self.run, self.outcome, self.failure, self.isHere) = (run, outcome, failure, isHere)
        }
    }

    /// Two stored runs of a tree from before the change that disagree on it: both depended on the same as this run, in the same folder.
    public struct Flake: Sendable, Hashable, Codable {
        /// The run that passed it.
        public var passed: RunID
        /// The run that failed it.
        public var failed: RunID
        /// How it failed there.
        public var failure: FailureSample

        package init(passed: RunID, failed: RunID, failure: FailureSample) {
            (self.passed, self.failed, self.failure) = (passed, failed, failure)
        }
    }

    /// What it executes of the change by the per-test coverage of a stored run of the base's tree that depended on the same as this run.
    public struct Recorded: Sendable, Hashable, Codable {
        /// The first changed functions that it executes, as people call them; untrusted text.
        public var functions: [String]
        /// How many there are.
        public var functionCount: Int
        /// Whether it executes nothing of the change, though all of it lies inside the bodies of functions that the map has.
        public var executesNone: Bool
        /// Whether nothing that was recorded in that run executes a function with a line that changes; `nil` where nobody knows.
        public var isUnexecuted: Bool?

        package init(
            functions: [String] = [], functionCount: Int = 0, executesNone: Bool = false, isUnexecuted: Bool? = nil
        ) {
            (self.functions, self.functionCount) = (functions, functionCount)
            (self.executesNone, self.isUnexecuted) = (executesNone, isUnexecuted)
        }
    }

    /// A stored run of exactly the base's tree, of all tests and in the folder of this run, that differs from it in variables and passed
    /// the test.
    public struct PassOtherwise: Sendable, Hashable, Codable {
        /// The run.
        public var run: RunID
        /// The names of the variables that differ, the first ones; untrusted text.
        public var variables: [String]

        package init(run: RunID, variables: [String]) { (self.run, self.variables) = (run, variables) }
    }

    /// How many variables are named.
    public static let mostVariables = 20
    /// The longest name of a variable that is named, in bytes.
    public static let longestVariable = 200
    /// How many of the tests in whose company it fails are named.
    public static let mostFellows = 20
    /// How many stored runs of the base's tree are looked at.
    public static let mostStored = 5

    /// Which test.
    public var test: TestID
    /// Repeated here, each time in a process of its own.
    public var alone: TrialTally
    /// Repeated here among the tests that ran in the same process.
    public var company: TrialTally
    /// The fewest tests that were found in whose company it fails though it passes alone; empty where nobody looked or none were found.
    public var fellows: [TestID]
    /// Run on the base's tree; `nil` where it was not.
    public var base: OnBase?
    /// In stored runs of the base's tree, the newest first.
    public var stored: [Stored]
    /// In stored runs of an earlier tree.
    public var elsewhere: Flake?
    /// What it executes of the change, recorded on the base; `nil` where nobody knows.
    public var recorded: Recorded?
    /// A stored run of the base's tree that passed it with other variables; `nil` where none is known, or nobody knows which differ.
    public var otherwise: PassOtherwise?

    package init(
        test: TestID, alone: TrialTally = TrialTally(), company: TrialTally = TrialTally(), fellows: [TestID] = [],
        base: OnBase? = nil, stored: [Stored] = [], elsewhere: Flake? = nil, recorded: Recorded? = nil,
        otherwise: PassOtherwise? = nil
    ) {
        (self.test, self.alone, self.company, self.fellows) = (test, alone, company, fellows)
        (self.base, self.stored, self.elsewhere) = (base, stored, elsewhere)
        (self.recorded, self.otherwise) = (recorded, otherwise)
    }
}

extension FailureObservations: Limited {
    /// What is beyond a limit.
    public var fault: String? {
        if let fault = Self.fault("tests", count: tests.count, most: Self.most) { return fault }
        if let base, !CommitParents.isName(base) { return "the base is not the full name of a commit" }
        if nanoseconds < 0 { return "the time is negative" }
        if (obstacle?.utf8.count ?? 0) > Self.longestText {
            return "a text is longer than \(Figures.grouped(Self.longestText)) bytes"
        }
        return tests.lazy.compactMap(\.fault).first
    }
}

extension FailureObservation {
    /// What is beyond a limit.
    fileprivate var fault: String? {
        let failures = base?.failures ?? []
        let counts = [
            ("fellows", fellows.count, Self.mostFellows), ("stored", stored.count, Self.mostStored),
            ("failures", failures.count, 2),
            ("functions", recorded?.functions.count ?? 0, FailureCause.mostFunctions),
            ("variables", otherwise?.variables.count ?? 0, Self.mostVariables),
        ]
        for (what, count, most) in counts {
            if let fault = FailureObservations.fault(what, count: count, most: most) { return fault }
        }
        var samples = failures + stored.compactMap(\.failure)
        if let elsewhere { samples.append(elsewhere.failure) }
        if let emptied = base?.emptiedFailure { samples.append(emptied) }
        let longest = 4 * FailureSample.longestMessage
        for sample in samples {
            let count = sample.issues.count
            if let fault = FailureObservations.fault("issues", count: count, most: FailureSample.mostIssues) {
                return fault
            }
            if sample.issues.contains(where: { $0.message.utf8.count > longest }) {
                return "a message is longer than \(Figures.grouped(longest)) bytes"
            }
        }
        let texts = (recorded?.functions ?? []) + (otherwise?.variables ?? [])
        if texts.contains(where: { $0.utf8.count > FailureObservations.longestText }) {
            return "a text is longer than \(Figures.grouped(FailureObservations.longestText)) bytes"
        }
        let functions = recorded?.functionCount ?? 0
        guard (0...FailureObservations.mostExecutions).contains(functions) else {
            return "a count is negative, or larger than a million"
        }
        let tallies = [alone, company] + [base?.alone, base?.company, base?.emptied].compactMap(\.self)
        return tallies.allSatisfy(\.isCredible) ? nil : "a count is negative, or larger than a million"
    }
}

extension TrialTally {
    /// Whether the counts can be those of executions.
    fileprivate var isCredible: Bool {
        [passed, failed, crashed, timedOut, skipped, unended]
            .allSatisfy { (0...FailureObservations.mostExecutions).contains($0) }
    }
}
