import Foundation
import Gate
import RunModel
import TestSupport
import Testing

@testable import Storage

/// What machines delivered, counted.
@Suite struct DeliveredRunsTests {
    private static func delivered(
        _ run: TestRun, by token: String, isAttested: Bool, on host: String?, after seconds: Double = 0
    ) -> TestRun {
        var run = run
        run.delivery = DeliveryRecord(
            token: token, isAttested: isAttested, receivedAt: SampleRuns.moment.addingTimeInterval(seconds),
            address: nil)
        run.origin = RunHost(
            host: host, build: RunHost.Build(url: "https://ci.example.com/\(run.id)/", job: nil, node: nil))
        return run
    }

    @Test func `runs are counted by machine, token and trust, whatever build they are of`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        try store.ingest(Self.delivered(SampleRuns.passing(1), by: "ci", isAttested: true, on: "agent \"3\"é"))
        try store.ingest(
            Self.delivered(SampleRuns.passing(2), by: "ci", isAttested: true, on: "agent \"3\"é", after: 60))
        try store.ingest(Self.delivered(SampleRuns.failing(3), by: "anna", isAttested: false, on: "laptop-3"))
        var copy = Self.delivered(SampleRuns.passing(4), by: "ci", isAttested: true, on: nil)
        copy.revision?.isDirty = true
        try store.ingest(copy)
        try store.ingest(SampleRuns.passing(5))
        let project = SampleRuns.passing().project
        let found = try store.deliveredRuns(since: SampleRuns.moment.addingTimeInterval(-86_400))
        #expect(
            Set(found) == [
                DeliveredRuns(
                    project: project, host: "agent \"3\"é", token: "ci", trust: .ci, count: 2,
                    latest: SampleRuns.moment.addingTimeInterval(60)),
                DeliveredRuns(
                    project: project, host: "laptop-3", token: "anna", trust: .laptop, count: 1,
                    latest: SampleRuns.moment),
                DeliveredRuns(
                    project: project, host: nil, token: "ci", trust: .workingCopy, count: 1, latest: SampleRuns.moment),
            ])
        #expect(try store.deliveredRuns(since: SampleRuns.moment.addingTimeInterval(86_400 * 300)) == [])
    }

    @Test func `what is stored of one run goes, and comes again as it was`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        for number in 1...3 { try store.ingest(SampleRuns.passing(number)) }
        let id = SampleRuns.id(2)
        let before = try store.summary(of: id)
        // The second time there is nothing.
        for _ in 0..<2 { try store.remove(run: id) }
        #expect(try store.summary(of: id) == nil)
        #expect(try store.allRunIDs() == [SampleRuns.id(1), SampleRuns.id(3)])
        #expect(try store.check() == [])
        try store.ingest(SampleRuns.passing(2))
        #expect(try store.summary(of: id) == before && before != nil)
        #expect(try store.check() == [])
    }
}
