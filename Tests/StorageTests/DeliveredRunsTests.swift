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

    @Test func `of each token the machines that delivered last are told one by one, and the rest is summed`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        for (number, host) in ["a", "b", "c", "b", "d"].enumerated() {
            try store.ingest(
                Self.delivered(
                    SampleRuns.passing(number + 1), by: "anna", isAttested: false, on: host, after: Double(number)))
        }
        try store.ingest(Self.delivered(SampleRuns.passing(8), by: "ci", isAttested: true, on: "agent"))
        let project = SampleRuns.passing().project
        func runs(_ host: String?, _ count: Int, _ seconds: Double, others: Int? = nil) -> DeliveredRuns {
            DeliveredRuns(
                project: project, host: host, token: "anna", trust: .laptop, count: count,
                latest: SampleRuns.moment.addingTimeInterval(seconds), others: others)
        }
        let agent = DeliveredRuns(
            project: project, host: "agent", token: "ci", trust: .ci, count: 1, latest: SampleRuns.moment)
        let all = try store.deliveredRuns(since: .distantPast, most: 4)
        #expect(Set(all) == [runs("d", 1, 4), runs("b", 2, 3), runs("c", 1, 2), runs("a", 1, 0), agent])
        let some = try store.deliveredRuns(since: .distantPast, most: 2)
        #expect(Set(some) == [runs("d", 1, 4), runs("b", 2, 3), runs(nil, 2, 2, others: 2), agent])
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
