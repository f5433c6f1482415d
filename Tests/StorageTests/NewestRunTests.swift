import Foundation
import Gate
import RunModel
import TestSupport
import Testing

@testable import Storage

/// Which run of a tree speaks for it.
@Suite struct NewestRunTests {
    private static func run(_ original: TestRun) -> TestRun {
        var run = original
        run.inputs = RunInputs(
            toolchain: run.toolchain, platform: "p", dependencies: [], checkout: "c", environment: "e", places: "x",
            settings: "s")
        return run
    }

    @Test func `where the newest run of a tree is not sure, no older one answers for it`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        let (sure, unsure) = (Self.run(SampleRuns.passing(1)), Self.run(SampleRuns.undecided(2)))
        func answer() throws -> RunID? {
            try store.reusableRun(
                ofTree: sure.revision?.tree ?? "", project: sure.project, inputs: try #require(sure.inputs),
                since: .distantPast, until: SampleRuns.moment.addingTimeInterval(86_400 * 365))?.id
        }
        try store.ingest(sure)
        #expect(try answer() == sure.id)
        try store.ingest(unsure, decision: .undecided)
        #expect(try answer() == nil)
        let again = Self.run(SampleRuns.passing(3))
        try store.ingest(again)
        #expect(try answer() == again.id)
    }

    @Test func `a run from another place does not answer here, and may elsewhere`() throws {
        let inputs = try #require(Self.run(SampleRuns.passing()).inputs)
        var other = inputs
        other.places = "y"
        #expect(other != inputs && other.elsewhere == inputs.elsewhere)
        other.environment = "f"
        #expect(other.elsewhere != inputs.elsewhere)
    }
}
