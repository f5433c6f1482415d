import Gate
import RunModel
import TestSupport
import Testing

@testable import Storage

@Suite struct SelectionTests {
    @Test func `trials are read back, the newest run first`() throws {
        let place = try TemporaryStore()
        let trial = SelectionTrial(
            base: SampleRuns.id(9), tests: 5, deselected: 3, time: .seconds(2), deselectedTime: .seconds(1),
            failures: 2, missed: 1)
        for number in 1...3 {
            var run = SampleRuns.passing(number)
            if number != 2 { run.trial = trial }
            _ = try place.open().ingest(run, verdict: .sample(for: run), runDirectory: nil)
        }
        let project = SampleRuns.passing().project
        let ledger = try place.open().selectionLedger(of: project, limit: 10)
        #expect(ledger.entries.map(\.run) == [SampleRuns.id(3), SampleRuns.id(1)])
        #expect(ledger.entries.map(\.trial) == [trial, trial])
        #expect(try place.open().selectionLedger(of: project, limit: 1).entries.count == 1)
        #expect(try place.open().selectionLedger(of: "other", limit: 1).entries == [])
        _ = try place.open().prune(keeping: Retention(newest: 1), isDryRun: false)
        #expect(try place.open().selectionLedger(of: project, limit: 10).entries.count == 1)
        #expect(try place.open().check() == [])
    }
}
