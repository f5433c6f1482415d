import Foundation
import GRDB
import Gate
import RunModel
import TestSupport
import Testing

@testable import Storage

/// What a copy of a store is asked before another server begins with it.
@Suite struct SnapshotTests {
    private static let record = DeliveryRecord(
        token: "ci", isAttested: true, receivedAt: SampleRuns.moment, address: "192.0.2.1")

    private static func delivered(_ run: TestRun) -> TestRun {
        var run = run
        run.delivery = record
        return run
    }

    @Test func `runs that were not delivered go, and a backup has nothing of them`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        try store.ingest(Self.delivered(SampleRuns.passing(1)))
        #expect(try store.hasOwnRuns() == false)
        try store.ingest(SampleRuns.failing(2))
        #expect(try store.hasOwnRuns())
        try store.removeOwnRuns()
        #expect(try store.allRunIDs() == [SampleRuns.id(1)])
        #expect(try store.runCount() == 1)
        #expect(try store.delivery(of: SampleRuns.id(2)) == nil)
        let project = SampleRuns.passing().project
        let kept = try store.summary(of: SampleRuns.id(1))?.runDirectory
        #expect(
            try store.delivery(of: SampleRuns.id(1))
                == StoredDelivery(project: project, record: Self.record, runDirectory: kept))
        #expect(try store.projectNames() == [project])
        try store.backup(to: place.file("copy"))
        let bytes = try Data(contentsOf: URL(filePath: place.file("copy")))
        #expect(bytes.firstRange(of: Data(SampleRuns.id(1).description.utf8)) != nil)
        #expect(bytes.firstRange(of: Data(SampleRuns.id(2).description.utf8)) == nil)
        #expect(try RunStore.reading(place.file("copy")).isSound())
        #expect(try store.check() == [])
    }

    @Test func `some runs go, and the directories of others are elsewhere`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        for number in 1...3 { try store.ingest(SampleRuns.passing(number)) }
        try store.remove(runs: [SampleRuns.id(1), SampleRuns.id(9)])
        try store.remove(runs: [])
        try store.place(runDirectories: [SampleRuns.id(2): "/srv/runs/two", SampleRuns.id(1): "/srv/runs/one"])
        #expect(try store.allRunIDs() == [SampleRuns.id(2), SampleRuns.id(3)])
        #expect(try store.summary(of: SampleRuns.id(2))?.runDirectory == "/srv/runs/two")
        #expect(try store.summary(of: SampleRuns.id(3))?.runDirectory != "/srv/runs/two")
        #expect(try store.check() == [])
    }

    @Test func `a store with tables, indexes or triggers of somebody else is not sound`() throws {
        for change in [
            "CREATE TRIGGER more AFTER DELETE ON run BEGIN SELECT 1; END", "CREATE TABLE more (id INTEGER)",
            "DROP INDEX run_by_tail", "CREATE VIEW more AS SELECT 1",
        ] {
            let place = try TemporaryStore()
            let store = try place.open()
            try store.ingest(SampleRuns.passing(1))
            #expect(try store.isSound())
            let other = try DatabaseQueue(path: place.path)
            try other.write { database in try database.execute(sql: change) }
            try other.close()
            #expect(try RunStore.reading(place.path).isSound() == false, "\(change)")
        }
    }

    @Test func `a piece comes out as it went in, or not at all`() throws {
        let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 * $0 / 7) }
        let packed = try #require(PackedPiece.packed(bytes))
        #expect(packed.count < bytes.count && PackedPiece.unpacked(packed) == bytes)
        #expect(PackedPiece.unpacked(PackedPiece.packed([]) ?? [1]) == [])
        #expect(PackedPiece.unpacked(Array(packed.dropLast())) == nil)
        #expect(PackedPiece.unpacked([]) == nil)
        #expect(RunStore.schemaVersion == 1)
    }
}
