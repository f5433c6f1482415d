import Foundation
import Gate
import RunModel
import TestSupport
import Testing

@testable import Storage

@Suite struct CausesTests {
    @Test func `causes are kept with a verdict`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        let run = SampleRuns.failing()
        var verdict = Verdict.sample(for: run)
        verdict.causes = FailureCauses(
            run.failures.map {
                FailureCause(
                    test: $0.id, kind: .unknown, doubt: .moreOften, alone: TrialTally(passed: 1, failed: 2),
                    company: TrialTally(crashed: 3), fellows: [run.tests[0].id], base: TrialTally(timedOut: 1),
                    storedRun: SampleRuns.id(7), functions: [SampleRuns.hostile])
            }, base: "b", obstacle: SampleRuns.hostile, nanoseconds: 5, isCutShort: true)
        _ = try store.ingest(run, verdict: verdict, runDirectory: nil)
        #expect(try store.run(run.id)?.verdict == verdict)
        #expect(try store.ownVerdict(of: run.id)?.causes == verdict.causes)
    }

    @Test func `runs of a tree are told with what they depend on`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        var run = SampleRuns.passing()
        let inputs = RunInputs(
            platform: "p", dependencies: [], checkout: "c", environment: "e", places: "q", settings: "s")
        run.inputs = inputs
        _ = try store.ingest(run, verdict: Verdict.sample(for: run), runDirectory: nil)
        let tree = try #require(run.revision?.tree)
        let found = try store.treeRuns(ofTree: tree, at: "", project: run.project, limit: 5)
        #expect(found.map(\.summary.id) == [run.id])
        #expect(found.map(\.inputs) == [inputs])
        #expect(try store.treeRuns(ofTree: tree, at: "other", project: run.project, limit: 5) == [])
        #expect(try store.treeRuns(ofTree: "0", at: "", project: run.project, limit: 5) == [])
    }
}
