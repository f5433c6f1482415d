import Gate
import RunModel
import TestSupport
import Testing

@testable import Storage

@Suite struct AllowedFailuresTests {
    @Test func `failures that were let through are kept and counted, and their commit has not passed`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        var run = SampleRuns.passing(1)
        run.tests[0].outcome = .failed
        run.tests[0].attempts = [TestAttempt(outcome: .failed, issues: [Issue(message: "x == 1")])]
        var verdict = Verdict.sample(for: run, decision: .passed)
        verdict.policy.allowsBrokenBase = true
        verdict.causes = FailureCauses([
            FailureCause(test: run.tests[0].id, kind: .broken, sameRuns: [SampleRuns.id(8), SampleRuns.id(9)])
        ])
        verdict.allowedFailures = [AllowedFailure(test: run.tests[0].id, run: SampleRuns.id(9))]
        _ = try store.ingest(run, verdict: verdict, runDirectory: nil)
        #expect(try store.ownVerdict(of: run.id) == verdict)
        let summary = try #require(try store.summary(of: run.id))
        #expect(summary.decision == .passed && summary.exitStatus == .passed && summary.allowedFailures == 1)
        let states = try store.wholeRuns(project: run.project, branch: "main", limit: 9)
        #expect(states.map(\.decision) == [.passed] && states.map(\.allowedFailures) == [1])
        // Others of the branch are compared with what passed without help.
        let commit = try #require(run.revision?.commit)
        #expect(try store.states(ofBranch: "main", project: run.project) == [commit: .failed])
        #expect(try store.check() == [])

        let later = SampleRuns.passing(2)
        _ = try store.ingest(later, verdict: Verdict.sample(for: later, decision: .passed), runDirectory: nil)
        #expect(try store.summary(of: later.id)?.allowedFailures == 0)
        #expect(try store.states(ofBranch: "main", project: run.project) == [commit: .passed])
    }
}
