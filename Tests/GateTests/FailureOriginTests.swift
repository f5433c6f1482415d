import Foundation
import Gate
import RunModel
import TestSupport
import Testing

@Suite struct FailureOriginTests {
    private static let day = Date(timeIntervalSince1970: 1_790_000_000)
    private static let test = TestID(module: "ATests", suite: "S", name: "t()")

    private func result(_ outcome: Outcome, _ id: TestID = test) -> TestResult {
        TestResult(id: id, library: .swiftTesting, outcome: outcome, attempts: [TestAttempt(outcome: outcome)])
    }

    private func run(tree: String? = nil) -> TestRun {
        var run = SampleRuns.passing(9)
        run.tests = [result(.failed)]
        run.revision = Revision(commit: nil, tree: tree, branch: "topic", isDirty: tree == nil)
        return run
    }

    /// A base whose stored run, number 5, ended so.
    private func baseline(_ outcome: Outcome?, others: [Baseline] = []) -> Baseline {
        Baseline(
            commit: BaseCommit(commit: "c5", kind: .mergeBase, name: "main"), head: GateSettings(),
            run: BaseRun(id: SampleRuns.id(5), modules: [], targets: [], tests: outcome.map { [result($0)] } ?? []),
            others: others.isEmpty ? nil : others.map { Baseline.OtherBase($0) })
    }

    private func execution(
        _ number: Int, _ outcome: Outcome, branch: String? = "main", tree: String? = nil
    ) -> PastExecution {
        PastExecution(
            outcome: outcome,
            run: PastRun(
                id: SampleRuns.id(number), startedAt: Self.day + Double(number), branch: branch, commit: "c\(number)",
                tree: tree, author: "Ana \(number)"))
    }

    private func kind(
        _ run: TestRun, _ past: [PastExecution] = [], against baseline: Baseline?
    ) -> FailureOrigin.Kind? {
        let origins = FailureOrigin.all(of: run, past: PastResults([Self.test: past]), against: baseline)
        #expect(origins.map(\.test) == [Self.test])
        return origins.first?.kind
    }

    @Test(arguments: [
        (Outcome.passed as Outcome?, FailureOrigin.Kind.new), (.knownIssue, .new), (nil, .newTest),
        (.skipped, .unknown(reason: "it did not run on the base")),
        (.notRun, .unknown(reason: "it did not run on the base")),
    ]) func `what did not fail on the base`(_ outcome: Outcome?, _ expected: FailureOrigin.Kind) {
        // A test that was not run is a failure of the run, but says nothing of the test.
        #expect(kind(run(), against: baseline(outcome)) == expected)
    }

    @Test func `a test that failed on the base is traced to the first run of its branch that failed it`() {
        let past = [
            execution(8, .failed), execution(7, .passed, branch: "topic"), execution(5, .failed),
            execution(4, .crashed),
            execution(3, .passed, branch: "topic"), execution(2, .passed), execution(1, .failed),
        ]
        #expect(
            kind(run(), past, against: baseline(.failed))
                == .redOnBase(
                    since: FailureOrigin.FirstFailure(
                        run: SampleRuns.id(4), commit: "c4", author: "Ana 4", startedAt: Self.day + 4, isFirst: true)))
        #expect(
            kind(run(), Array(past.prefix(4)), against: baseline(.failed))
                == .redOnBase(
                    since: FailureOrigin.FirstFailure(
                        run: SampleRuns.id(4), commit: "c4", author: "Ana 4", startedAt: Self.day + 4, isFirst: false)))
        #expect(
            kind(run(), against: baseline(.failed))
                == .redOnBase(
                    since: FailureOrigin.FirstFailure(
                        run: SampleRuns.id(5), commit: "c5", author: nil, startedAt: nil, isFirst: false)))
    }

    @Test func `what a search has found between the last pass and now is told, and nothing else`() {
        let past = [execution(5, .failed), execution(4, .crashed), execution(3, .passed)]
        func found(
            good: String, bad: String = "c5", commit: String = "c4", reason: CulpritSearch.Reason? = nil
        ) -> Culprit {
            Culprit(
                test: Self.test, good: good, bad: bad,
                suspects: [Culprit.Suspect(commit: commit, subject: "s", author: "Ana", committedAt: Self.day)],
                probability: 0.9993, reason: reason, runs: 9, builds: 5, duration: .seconds(1), foundAt: Self.day)
        }
        func told(_ culprits: [Culprit]) -> Culprit? {
            let origins = FailureOrigin.all(
                of: run(), past: PastResults([Self.test: past], culprits: culprits), against: baseline(.failed))
            guard case .redOnBase(let since) = origins.first?.kind else { return nil }
            return since.culprit
        }
        #expect(told([found(good: "c2"), found(good: "c3")]) == found(good: "c3"))
        #expect(told([found(good: "c2")]) == nil)
        #expect(told([found(good: "c3", reason: .severalLeft)]) == nil)
        // No run is stored of the commit.
        #expect(told([found(good: "c3", commit: "d1")]) == found(good: "c3", commit: "d1"))
        // The search has gone on after this row of failures.
        #expect(told([found(good: "c3", bad: "c9")]) == found(good: "c3", bad: "c9"))
        // What broke another branch that left this one where the test passed last broke nothing here.
        #expect(told([found(good: "c3", bad: "d9", commit: "d1")]) == nil)
        #expect(found(good: "c3").percentage == "99.9 %")
        #expect(found(good: "c3").probabilityText == "0.999")
    }

    @Test func `of several bases one that passed the test is enough for new`() {
        #expect(kind(run(), against: baseline(.failed, others: [baseline(.passed)])) == .new)
        #expect(kind(run(), against: baseline(.passed, others: [baseline(.failed)])) == .new)
        guard case .redOnBase = kind(run(), against: baseline(.failed, others: [baseline(.timedOut)])) else {
            Issue.record("it failed on both")
            return
        }
    }

    @Test func `runs of one tree that disagree make it flaky, the judged run too`() {
        let disagreeing = [
            execution(7, .passed, tree: "t1"), execution(6, .passed, tree: "t2"), execution(4, .crashed, tree: "t2"),
        ]
        let flaky = FailureOrigin.Kind.flaky(passed: SampleRuns.id(6), failed: SampleRuns.id(4))
        #expect(kind(run(), disagreeing, against: baseline(.passed)) == flaky)
        #expect(kind(run(), disagreeing, against: nil) == flaky)
        let own = FailureOrigin.Kind.flaky(passed: SampleRuns.id(7), failed: SampleRuns.id(9))
        #expect(kind(run(tree: "t1"), disagreeing, against: baseline(.passed)) == own)
        // Trees that nobody knows are not one tree.
        #expect(kind(run(), [execution(7, .passed), execution(6, .failed)], against: baseline(.passed)) == .new)
    }

    @Test func `a test that runs of the base's tree disagree on is flaky, and not red on the base`() {
        let past = [
            execution(6, .passed, tree: "t5"), execution(5, .failed, tree: "t5"), execution(4, .failed, tree: "t4"),
        ]
        let flaky = FailureOrigin.Kind.flaky(passed: SampleRuns.id(6), failed: SampleRuns.id(5))
        #expect(kind(run(), past, against: baseline(.failed)) == flaky)
        #expect(kind(run(), past, against: baseline(.failed, others: [baseline(.failed)])) == flaky)
        // Of other trees that disagree nothing follows for the base.
        let others = [
            execution(7, .passed, tree: "t4"), execution(5, .failed, tree: "t5"), execution(4, .failed, tree: "t4"),
        ]
        #expect(
            kind(run(), others, against: baseline(.failed))
                == .redOnBase(
                    since: FailureOrigin.FirstFailure(
                        run: SampleRuns.id(4), commit: "c4", author: "Ana 4", startedAt: Self.day + 4, isFirst: false)))
        // Nobody knows what the base's run tested.
        #expect(
            kind(run(), [execution(6, .passed), execution(5, .failed)], against: baseline(.failed))
                == .redOnBase(
                    since: FailureOrigin.FirstFailure(
                        run: SampleRuns.id(5), commit: "c5", author: "Ana 5", startedAt: Self.day + 5, isFirst: false)))
    }

    @Test func `without a run of the base nobody can say, and the reason is told`() {
        var base = baseline(.passed)
        base.run = nil
        #expect(kind(run(), against: base) == .unknown(reason: "no complete run of the base c5 is stored"))
        #expect(
            kind(run(), against: baseline(.passed, others: [base]))
                == .unknown(reason: "no complete run of the base c5 is stored"))
        #expect(kind(run(), against: nil) == .unknown(reason: "the run was not compared with a base"))
        #expect(
            kind(run(), against: Baseline(absence: "it is the first commit", head: GateSettings()))
                == .unknown(reason: "there is no base: it is the first commit"))
        #expect(
            kind(run(), against: Baseline(head: GateSettings(), gaps: [Gap(.baseUnknown, detail: "cut")]))
                == .unknown(reason: "the base is not known"))
    }

    @Test func `a policy that does not ask the past asks it for failed tests alone`() throws {
        var run = run()
        run.tests.append(result(.passed, TestID(module: "ATests", suite: "S", name: "u()")))
        #expect(Policy().testsWithPast(in: run) == [Self.test])
        let verdict = try Verdict(judging: run, by: Policy(), against: baseline(.passed))
        #expect(verdict.origin(of: Self.test) == .new)
        #expect(verdict.failureOrigins.count == 1)
        #expect(try JSONDecoder().decode(Verdict.self, from: JSONEncoder().encode(verdict)) == verdict)
    }

    @Test func `of very many failures the first ones are looked up`() {
        var run = run()
        run.tests = (0..<1_500).map { result(.failed, TestID(module: "A", suite: "", name: "t\($0)()")) }
        #expect(FailureOrigin.all(of: run, past: PastResults(), against: nil).count == FailureOrigin.most)
        #expect(Policy().testsWithPast(in: run).count == FailureOrigin.most)
    }
}
