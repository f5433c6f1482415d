public import RunModel

/// A failed test that does not block, because the base's stored run failed it in the same way, and both settings let that pass.
public struct AllowedFailure: Sendable, Hashable, Codable {
    /// Which test.
    public var test: TestID
    /// The stored run of the base.
    public var run: RunID

    package init(test: TestID, run: RunID) { (self.test, self.run) = (test, run) }
}

extension GateChangeCode {
    static let brokenBaseAllowed = GateChangeCode(
        "broken-base-allowed", "Failures that the base's stored run has, too, do not block any more.")
}

extension AllowedFailure {
    /// The failures of a run that do not block, in its order.
    ///
    /// What is not known lets nothing through: without a cause, a base or a branch, or where a test has no end of its own, there are none.
    ///
    /// - Parameters:
    ///   - rules: The stricter of the settings of the run and of the base.
    ///   - causes: Why tests failed, and which stored runs of the base's tree have failed them in the same way. They may have been concluded
    ///     when the run was compared with another base; then they say nothing.
    static func all(
        of run: TestRun, by rules: Policy, against baseline: Baseline?, _ causes: FailureCauses?
    ) -> [AllowedFailure] {
        guard rules.allowsBrokenBase, let baseline, baseline.others == nil, let commit = baseline.commit,
            let base = baseline.run, let causes, causes.base == commit.commit, run.isBeside(commit), run.isWithoutBreak
        else { return [] }
        let outcomes = Dictionary(base.outcomes.map { ($0.id, $0.outcome) }) { $0 == .failed ? $1 : $0 }
        let byTest = causes.byTest
        return run.failures.filter { test in
            guard outcomes[test.id] == .failed, let cause = byTest[test.id], cause.kind == .broken else { return false }
            return cause.sameRuns?.contains(base.id) == true && test.isComparedWhole
        }.map { AllowedFailure(test: $0.id, run: base.id) }
    }
}

extension TestRun {
    /// Whether it is of another branch than the base. Which branch is not known may be the same one.
    fileprivate func isBeside(_ base: BaseCommit) -> Bool {
        guard base.kind == .mergeBase, let branch = self.revision?.branch, !branch.isEmpty else { return false }
        // `origin/main`, or `main` where there is no remote. Some servers say either of the branch that they build.
        return Name(branch) != Name(base.name) && !base.name.ends(with: "/\(branch)")
            && !branch.ends(with: "/\(base.name)")
    }

    /// Whether every test came to its own end each time: what a crash or a time limit has cut off is not known.
    fileprivate var isWithoutBreak: Bool {
        let cut: Set<Outcome> = [.crashed, .timedOut, .notRun]
        return gaps.isEmpty
            && tests.allSatisfy { test in
                !cut.contains(test.outcome) && !test.attempts.contains { cut.contains($0.outcome) }
            }
    }
}

extension String {
    /// By bytes.
    fileprivate func ends(with end: String) -> Bool { utf8.suffix(end.utf8.count).elementsEqual(end.utf8) }
}

extension TestResult {
    /// Whether all that failed it was compared with the base: nothing was cut off, it is known for which arguments it failed, and no other
    /// attempt failed in another way.
    fileprivate var isComparedWhole: Bool {
        let failing = issues.filter(\.isFailure)
        guard let sample = FailureSample(self), (1...FailureSample.mostIssues).contains(failing.count),
            failing.allSatisfy({ $0.message.utf8.count < FailureSample.longestMessage }),
            arguments.isEmpty || failing.allSatisfy({ $0.argument != nil })
        else { return false }
        return attempts.allSatisfy { attempt in
            FailureMatch().isSurelyNoMore(
                FailureSample(outcome: attempt.outcome, issues: attempt.issues.filter(\.isFailure)), than: sample)
        }
    }
}
