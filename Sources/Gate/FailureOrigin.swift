public import RunModel

public import struct Foundation.Date

/// Whether a failed test failed before the change already, as far as stored runs say: they prove nothing about the change itself.
public struct FailureOrigin: Sendable, Hashable, Codable {
    /// Which test.
    public var test: TestID
    /// What is known of it.
    public var kind: Kind

    /// What is known of a failed test.
    public enum Kind: Sendable, Hashable, Codable {
        /// The test passed in the base's stored run.
        case new
        /// The base's stored run has no such test.
        case newTest
        /// The test failed in the base's stored run, and no other run of the same sources passed it.
        case redOnBase(since: FirstFailure)
        /// Of the same sources one run passed the test, and another failed it: possibly the judged run.
        case flaky(passed: RunID, failed: RunID)
        /// Why nobody can say.
        case unknown(reason: String)
    }

    /// The earliest known run of a row of runs in which a test failed.
    public struct FirstFailure: Sendable, Hashable, Codable {
        /// The run.
        public var run: RunID
        /// Its commit, full hexadecimal.
        public var commit: String?
        /// The author of the commit; untrusted text.
        public var author: String?
        /// When the run began; `nil` if it is older than the runs that were read.
        public var startedAt: Date?
        /// Whether the test passed in the run before.
        public var isFirst: Bool
        /// What a search has found to have broken the test; `nil` where nobody has looked, or no commit could be named.
        public var culprit: Culprit?

        package init(
            run: RunID, commit: String?, author: String?, startedAt: Date?, isFirst: Bool, culprit: Culprit? = nil
        ) {
            (self.run, self.commit, self.author) = (run, commit, author)
            (self.startedAt, self.isFirst, self.culprit) = (startedAt, isFirst, culprit)
        }
    }

    package init(test: TestID, kind: Kind) { (self.test, self.kind) = (test, kind) }

    /// How many failed tests of a run are looked up at most: the first ones.
    public static let most = 1_000

    /// What is known of the failed tests of a run, in their order.
    ///
    /// - Parameters:
    ///   - past: The executions of the failed tests in runs before.
    ///   - baseline: What the run was compared with.
    public static func all(of run: TestRun, past: PastResults, against baseline: Baseline?) -> [FailureOrigin] {
        let failures = run.failures.prefix(most)
        guard !failures.isEmpty else { return [] }
        let bases = BaseOutcomes(baseline)
        let tree = run.revision.flatMap { $0.isExact ? $0.tree : nil }
        return failures.map { test in
            let executions = past.executions[test.id] ?? []
            // What passes and fails on the very sources of a base is not broken there: which of the two its run saw is chance.
            let kind =
                flaky(bases.onTheirTrees(executions), in: run.id, of: tree)
                ?? bases.redOnBase(test.id, executions, past.culprits) ?? flaky(executions, in: run.id, of: tree)
            return FailureOrigin(test: test.id, kind: kind ?? bases.kind(ofFailure: test.id))
        }
    }

    /// Two runs of one tree that disagree on a test, the newest ones that do.
    private static func flaky(_ executions: [PastExecution], in run: RunID, of tree: String?) -> Kind? {
        var passed: [Name: RunID] = [:]
        var failed: [Name: RunID] = tree.map { [Name($0): run] } ?? [:]
        for execution in executions {
            guard let run = execution.run, let tree = run.tree.map({ Name($0) }) else { continue }
            if execution.outcome.isFailure {
                failed[tree] = failed[tree] ?? run.id
            } else {
                passed[tree] = passed[tree] ?? run.id
            }
            if let passed = passed[tree], let failed = failed[tree] { return .flaky(passed: passed, failed: failed) }
        }
        return nil
    }
}

/// How tests ended in the stored runs of the bases.
private struct BaseOutcomes {
    private var outcomes: [[TestID: Outcome]] = []
    private var runs: [(id: RunID, commit: String?)] = []
    private var absence = "the run was not compared with a base"

    init(_ baseline: Baseline?) {
        guard let baseline else { return }
        for base in [baseline] + (baseline.others ?? []).map(\.baseline) {
            guard let run = base.run else {
                absence = Self.absence(of: base)
                (outcomes, runs) = ([], [])
                return
            }
            runs.append((run.id, base.commit?.commit))
            outcomes.append(Dictionary(run.outcomes.map { ($0.id, $0.outcome) }) { $0.isFailure ? $0 : $1 })
        }
    }

    private static func absence(of base: Baseline) -> String {
        if let commit = base.commit { return "no complete run of the base \(commit.commit.prefix(12)) is stored" }
        if let reason = base.absence { return "there is no base: \(reason)" }
        return base.gaps.isEmpty ? "the run was not compared with a base" : "the base is not known"
    }

    /// The executions on the trees that the stored runs of the bases tested, as far as these are known.
    func onTheirTrees(_ executions: [PastExecution]) -> [PastExecution] {
        let bases = Set(runs.map(\.id))
        var trees: Set<Name> = []
        for run in executions.compactMap(\.run) where bases.contains(run.id) {
            if let tree = run.tree { trees.insert(Name(tree)) }
        }
        return executions.filter { execution in
            guard let tree = execution.run?.tree else { return false }
            return trees.contains(Name(tree))
        }
    }

    /// Since when a test fails that fails on every base; `nil` for any other.
    func redOnBase(
        _ test: TestID, _ executions: [PastExecution], _ culprits: [Culprit]
    ) -> FailureOrigin.Kind? {
        guard let base = runs.first, outcomes.allSatisfy({ $0[test]?.isFailure == true }) else { return nil }
        var first = FailureOrigin.FirstFailure(
            run: base.id, commit: base.commit, author: nil, startedAt: nil, isFirst: false)
        let before = executions.drop { $0.run?.id != base.id }
        let branch = before.first?.run?.branch.map { Name($0) }
        var failed: Set<String> = []
        for execution in before {
            guard let run = execution.run, run.branch.map({ Name($0) }) == branch else { continue }
            guard execution.outcome.isFailure else {
                first.isFirst = true
                first.culprit = culprits.first { $0.answers(test, lastPassedOn: run.commit, failedOn: failed) }
                break
            }
            if let commit = run.commit { failed.insert(commit) }
            (first.run, first.commit, first.author, first.startedAt) = (run.id, run.commit, run.author, run.startedAt)
        }
        return .redOnBase(since: first)
    }

    /// What the bases say of a failed test that does not fail on all of them.
    func kind(ofFailure test: TestID) -> FailureOrigin.Kind {
        guard !outcomes.isEmpty else { return .unknown(reason: absence) }
        let known = outcomes.map { $0[test] }
        if known.contains(where: { $0 == .passed || $0 == .knownIssue }) { return .new }
        if known.allSatisfy({ $0 == nil }) { return .newTest }
        return .unknown(reason: "it did not run on the base")
    }
}
