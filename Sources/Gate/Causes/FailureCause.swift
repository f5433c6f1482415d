public import RunModel

/// Why a test failed, with its proof. It only explains: no verdict depends on it, unless the settings let failures
/// pass that the base's stored run has, too (`AllowedFailure`).
public struct FailureCause: Sendable, Hashable, Codable {
    /// The classes. A failure that the change has caused is `yours`, `order` or `unknown`; every other class has a positive proof.
    public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        /// It fails here and passes on the base, and something of the change reaches it, or may.
        case yours
        /// It fails on the base in the same way.
        case broken = "already-broken"
        /// It passes and fails here, and did so before the change, or nothing executes the change.
        case flaky
        /// It fails on the base now, in the same way, where it passed before, or with other variables: something outside of the sources
        /// has changed.
        case environment
        /// It passes alone and fails among others.
        case order
        /// Nothing executes the change, yet the base passes it: something besides the sources differs.
        case unreached = "not-reached"
        /// The base has no such test.
        case new
        /// Nobody can say.
        case unknown
    }

    /// What an unknown cause lacks.
    public enum Doubt: String, Sendable, Hashable, Codable, CaseIterable {
        /// The base was not asked, or had no answer.
        case base = "base-not-asked"
        /// It fails on the base, too, but in another way.
        case otherFailure = "other-failure"
        /// It fails on the base now and then, and here more often, or always.
        case moreOften = "more-often"
        /// It passes now and then, and nothing shows that it did so before the change.
        case unsteady
        /// It was not repeated often enough.
        case tooFew = "too-few"
        /// It fails on the base in the same way, but in another folder or without the other tests, which may be why.
        case otherPlace = "other-place"
        /// It fails on the base in the same way, but not with an empty home folder: what was left there may be why.
        case leftBehind = "left-behind"
        /// It passes on the base, and executes nothing of the change by itself.
        case indirect = "nothing-executed"
    }

    /// Which test.
    public var test: TestID
    /// Its class.
    public var kind: Kind
    /// What it lacks; `nil` for every other class than `unknown`.
    public var doubt: Doubt?
    /// Repeated here, each time in a process of its own.
    public var alone: TrialTally
    /// Repeated here among other tests.
    public var company: TrialTally
    /// The fewest tests that were found in whose company it fails; empty where none are known.
    public var fellows: [TestID]
    /// Run on the base's tree for the purpose.
    public var base: TrialTally
    /// The stored run of the base's tree that the class rests on; `nil` where it rests on none.
    public var storedRun: RunID?
    /// Of a broken test: the stored runs of the base's tree that surely failed it in the same way, and no less often; `nil` for none.
    public var sameRuns: [RunID]?
    /// The first changed functions that it executes, as people call them; untrusted text.
    public var functions: [String]
    /// How many there are.
    public var functionCount: Int
    /// Of one that fails by the environment or is not reached: the variables that differ in the stored run that passed it; `nil` where none
    /// does. Untrusted text.
    public var variables: [String]?

    /// How many functions are named.
    public static let mostFunctions = 5

    /// Repeated here in any way.
    public var here: TrialTally { alone + company }
    /// Whether it passes now and then, and only since the change.
    public var isNewFlake: Bool { kind == .yours && here.passed > 0 }

    package init(
        test: TestID, kind: Kind, doubt: Doubt? = nil, alone: TrialTally = TrialTally(),
        company: TrialTally = TrialTally(), fellows: [TestID] = [], base: TrialTally = TrialTally(),
        storedRun: RunID? = nil, sameRuns: [RunID]? = nil, functions: [String] = [], variables: [String]? = nil
    ) {
        (self.test, self.kind, self.doubt) = (test, kind, doubt)
        (self.alone, self.company, self.fellows) = (alone, company, fellows)
        (self.base, self.storedRun, self.sameRuns) = (base, storedRun, sameRuns)
        self.functions = Array(functions.prefix(Self.mostFunctions))
        functionCount = functions.count
        self.variables = variables
    }
}

/// The causes of the failures of a run, as far as somebody looked for them.
public struct FailureCauses: Sendable, Hashable, Codable {
    /// The causes in the order of the run's tests.
    public var entries: [FailureCause]
    /// The commit of the base, full hexadecimal; `nil` if there is none.
    public var base: String?
    /// Why no test was run on the base; `nil` if some were, or none had to be. Untrusted text.
    public var obstacle: String?
    /// How long it took to find them.
    public var nanoseconds: Int64
    /// Whether the time was over before all was done.
    public var isCutShort: Bool

    package init(
        _ entries: [FailureCause] = [], base: String? = nil, obstacle: String? = nil, nanoseconds: Int64 = 0,
        isCutShort: Bool = false
    ) {
        (self.entries, self.base, self.obstacle) = (entries, base, obstacle)
        (self.nanoseconds, self.isCutShort) = (nanoseconds, isCutShort)
    }

    /// Concludes from what was seen.
    ///
    /// - Parameters:
    ///   - changes: How files differ from the base; `nil` if nobody compared them.
    ///   - name: What people call the function of a symbol.
    public init(
        of run: TestRun, _ seen: FailureObservations, changes: [FileChange]?, named name: (String) -> String = { $0 }
    ) {
        let observations = Dictionary(seen.tests.map { ($0.test, $0) }) { first, _ in first }
        let failures = run.failures.filter { observations[$0.id] != nil }
        let files = TestFiles(run)
        let known = Set(run.tests.map(\.id))
        let isWhole = seen.isWholeChange && run.isReachedBySourcesAlone
        let contacts =
            run.testMap?.contacts(
                of: failures, with: changes ?? [], isWhole: isWhole, file: { files.file(of: $0) }, named: name) ?? [:]
        let isUnexecuted = isWhole && run.executesNone(of: changes ?? [])
        let match = FailureMatch(changes ?? [])
        let entries = failures.compactMap { test -> FailureCause? in
            guard var observation = observations[test.id] else { return nil }
            // Whoever wrote them down may name anything.
            observation.fellows.removeAll { !known.contains($0) }
            // Of a test that the run did not record, what is known of the base speaks.
            var contact =
                contacts[test.id] ?? observation.recorded.map { ChangeContact($0, isWhole: isWhole) }
                ?? ChangeContact()
            // On both sides nobody executes it, so that no test can hand it on to this one.
            if isUnexecuted, observation.recorded?.isUnexecuted == true, contact.functions.isEmpty {
                contact = ChangeContact(executesNone: true, isNone: true)
            }
            return FailureCause(of: test, observation, contact, match, isLaidOut: seen.isLaidOut)
        }
        self.init(
            entries, base: seen.base, obstacle: seen.obstacle, nanoseconds: seen.nanoseconds,
            isCutShort: seen.isCutShort)
    }

    /// These, where the run is compared with the base that they were looked for against; causes against another base say nothing.
    func against(_ baseline: Baseline?) -> FailureCauses? {
        baseline?.commit.map { Name($0.commit) } == base.map { Name($0) } ? self : nil
    }

    /// The causes by test.
    public var byTest: [TestID: FailureCause] {
        Dictionary(entries.map { ($0.test, $0) }) { first, _ in first }
    }
}

extension TestRun {
    /// Whether sources reach tests only by being executed in their processes: not by packages beside this one, nor by programs, macros,
    /// plugins and scripts of the package, of which the per-test coverage may know nothing.
    fileprivate var isReachedBySourcesAlone: Bool {
        localPackages.isEmpty && !self.steps.contains { $0.kind == .before }
            && self.modules.allSatisfy { [.library, .test, .systemLibrary, .binary].contains($0.kind) }
    }
}
