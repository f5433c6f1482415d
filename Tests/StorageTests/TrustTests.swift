import Foundation
import Gate
import RunModel
import TestSupport
import Testing

@testable import Storage

/// Runs that were delivered: which of them speak for their branch.
@Suite struct TrustTests {
    private static func delivered(_ run: TestRun, isAttested: Bool) -> TestRun {
        var run = run
        run.delivery = DeliveryRecord(
            token: isAttested ? "ci" : "laptop-3", isAttested: isAttested, receivedAt: SampleRuns.moment,
            address: "192.0.2.1")
        return run
    }

    @Test func `how a run came is kept`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        let run = Self.delivered(SampleRuns.passing(), isAttested: true)
        try store.ingest(run)
        #expect(try store.run(run.id)?.run.delivery == run.delivery)
        #expect(try store.summary(of: run.id)?.delivery == run.delivery)
        #expect(try store.summary(of: run.id)?.trust == .ci)
    }

    @Test func `a run from a laptop speaks for no branch, one of CI does`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        let project = SampleRuns.passing().project
        try store.ingest(Self.delivered(SampleRuns.passing(1), isAttested: true))
        try store.ingest(Self.delivered(SampleRuns.failing(2), isAttested: false))
        let exact = [SampleRuns.id(1)]
        #expect(try store.wholeRuns(project: project, branch: nil, limit: 9).map(\.id) == exact)
        #expect(try store.wholeRuns(project: project, branch: "main", limit: 9).map(\.id) == exact)
        #expect(try store.branches(project: project, limit: 9).map(\.id) == exact)
        #expect(Set(try store.modules(project: project, branch: "main", runs: 9).map(\.run)) == Set(exact))
        #expect(try store.runsOfWorkingCopies(project: project, limit: 9).map(\.trust) == [.laptop])
        #expect(try store.runs(project: project, limit: 9).map(\.isExact) == [false, true])
        #expect(try store.runs(project: project, limit: 9).map(\.answersForTree) == [false, true])
        let failed = SampleRuns.failing().tests.filter(\.outcome.isFailure).map(\.id)
        #expect(try store.regressions(of: failed, project: project, branch: "main", runs: 9) == [])
    }

    @Test func `a laptop takes no counts from the run that has them`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        try store.ingest(SampleRuns.passing(1))
        try store.ingest(Self.delivered(SampleRuns.passing(2), isAttested: false))
        #expect(try store.run(SampleRuns.id(1))?.run.coverage?.hasExecutionCounts == true)
        #expect(try store.run(SampleRuns.id(2))?.run.coverage?.hasExecutionCounts == false)
    }

    @Test func `what is trusted replaces what was not, and never the reverse`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        let run = SampleRuns.passing()
        #expect(try store.ingest(Self.delivered(run, isAttested: false)) == .stored)
        #expect(try store.ingest(Self.delivered(run, isAttested: false)) == .alreadyPresent)
        #expect(try store.ingest(Self.delivered(run, isAttested: true)) == .stored)
        #expect(try store.summary(of: run.id)?.trust == .ci)
        #expect(try store.ingest(Self.delivered(run, isAttested: false)) == .alreadyPresent)
        #expect(try store.summary(of: run.id)?.trust == .ci)
        #expect(try store.check().isEmpty)
        #expect(try store.projects().map(\.runs) == [1])
    }

    @Test func `a working copy stays one, whoever delivers it`() throws {
        var run = Self.delivered(SampleRuns.passing(), isAttested: true)
        run.revision?.tree = nil
        #expect(run.trust == .workingCopy)
        let place = try TemporaryStore()
        let store = try place.open()
        try store.ingest(run)
        #expect(try store.wholeRuns(project: run.project, branch: nil, limit: 9) == [])
    }
}
