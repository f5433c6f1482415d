import Foundation
import GRDB
import Gate
import RunModel
import TestSupport
import Testing

@testable import Storage

@Suite struct CareTests {
    @Test(arguments: [
        ("UPDATE run SET passed = passed + 1", "the outcomes do not add up"),
        ("UPDATE run SET lines_total = lines_total + 1", "the lines do not add up"),
        ("UPDATE run SET decision = 'undecided'", "the decision differs from the verdict"),
        ("INSERT INTO notable SELECT 1, min(id), 1 FROM test", "the failures do not add up"),
    ])
    func `totals are counted again`(sql: String, finding: String) throws {
        let place = try TemporaryStore()
        let store = try place.open()
        try store.ingest(SampleRuns.passing())
        try store.write { try $0.statement(sql).execute() }
        let found = [StoreProblem(check: .total, detail: "run \(SampleRuns.id(1)): \(finding)")]
        #expect(try store.check() == found)
    }

    @Test func `violations are counted again where the gate blocks`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        try store.ingest(SampleRuns.passing())
        try store.write { connection in
            try connection.statement("UPDATE run SET exit_status = 2").execute()
            try connection.statement("UPDATE verdict SET broken = '{\"floor\":1}'").execute()
        }
        let problem = "run \(SampleRuns.id(1)): the violations do not add up"
        #expect(try store.check() == [StoreProblem(check: .total, detail: problem)])
    }

    @Test(arguments: [
        ("UPDATE verdict SET body = X'0003'", "a packed value is damaged"),
        // An opening brace, compressed.
        ("UPDATE verdict SET body = X'01789CAB0600007C007C'", "a stored StoredVerdict cannot be read"),
        ("UPDATE verdict SET tallies = X'0003'", "a packed value is damaged"),
        ("UPDATE verdict SET statuses = (SELECT id FROM content WHERE body = X'5B5D')", "tallies of more modules"),
        ("UPDATE run SET engine = 'steam'", "unknown Engine 'steam'"),
        ("UPDATE content SET body = X'0003' WHERE id = (SELECT coverage FROM run)", "a packed value is damaged"),
        (
            "UPDATE content SET body = X'FFFFFFFFFFFFFFFFFF7F01' WHERE id = (SELECT coverage FROM run)",
            "an integer is too long"
        ),
        (
            "UPDATE content SET body = X'FFFFFFFFFF01' WHERE id = (SELECT coverage FROM run)",
            "a packed value is too long"
        ),
        ("UPDATE content SET body = X'80' WHERE id = (SELECT coverage FROM run)", "ends before its end"),
        ("UPDATE run SET coverage = facts", "a packed value is"),
        ("UPDATE line_counts SET body = X'00'", "a packed value is damaged"),
        ("UPDATE run_results SET endings = X'7B22'", "a packed value is"),
        ("UPDATE run_results SET durations = (SELECT body FROM line_counts)", "do not fit its tests"),
        ("UPDATE run_results SET editions = test_list", "a description is missing"),
        (
            "INSERT INTO notable SELECT 1, min(id), 0 FROM test; INSERT INTO attempt SELECT 1, min(id), 0, 0, 1 FROM test",
            "an attempt of a test is missing"
        ),
        ("UPDATE step SET arguments = X'7F'", "text 127 is missing"),
        ("DELETE FROM verdict", "has no verdict"),
    ])
    func `a run that cannot be read back is named`(sql: String, finding: String) throws {
        let place = try TemporaryStore()
        let store = try place.open()
        try store.ingest(SampleRuns.passing())
        try store.write { try $0.database.execute(sql: sql) }
        let problems = try store.check()
        #expect(problems.map(\.check) == [.content])
        #expect(problems.first?.detail.contains(finding) == true, "\(problems)")
        #expect(throws: StorageError.self) { try store.run(SampleRuns.id(1)) }
    }

    @Test func `a row that refers to nothing is found`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        try store.ingest(SampleRuns.passing())
        try store.withWriter(foreignKeys: false) { queue in
            try queue.writeWithoutTransaction {
                try $0.execute(sql: "DELETE FROM content WHERE id = (SELECT toolchain FROM run)")
            }
        }
        let problem = StoreProblem(
            check: .reference, detail: "a row of run refers to a row of content that is not there")
        #expect(try store.check() == [problem])
    }

    @Test func `a test that a run refers to and that is gone is found`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        var run = SampleRuns.passing()
        run.tests = [TestResult(id: run.tests[0].id, library: .xctest, outcome: .passed)]
        try store.ingest(run)
        try store.write { try $0.statement("DELETE FROM test").execute() }
        #expect(try store.check().map(\.detail) == ["run \(run.id): the test 1 is missing"])
    }

    @Test func `a backup has everything and is written once`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        for number in 1...3 { try store.ingest(SampleRuns.failing(number)) }
        let copy = place.file("copy.sqlite")
        try store.backup(to: copy)
        #expect(try RunStore(readOnly: copy).runs(limit: 9) == store.runs(limit: 9))
        #expect(try RunStore(path: copy).check() == [])
        #expect(try FileManager.default.attributesOfItem(atPath: copy)[.posixPermissions] as? Int == 0o600)
        #expect(throws: StorageError.fileExists(path: copy)) { try store.backup(to: copy) }
        #expect(try !place.names.contains { $0.hasSuffix(".partial") })
    }

    @Test func `another file at the path is read as soon as it is looked for`() throws {
        let place = try TemporaryStore()
        try place.open().ingest(SampleRuns.failing(1))
        let other = place.file("other.sqlite")
        try RunStore(path: other).ingest(SampleRuns.passing(2))
        let reader = try RunStore(readOnly: place.path)
        func ids(_ store: RunStore) throws -> [RunID] { try store.runs(limit: 9).map(\.id) }
        #expect(try ids(reader) == [SampleRuns.id(1)])

        #expect(rename(other, place.path) == 0)
        #expect(try ids(reader) == [SampleRuns.id(2)])
    }

    @Test func `a replaced store is new to readers that have it open`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        try store.ingest(SampleRuns.failing(1))
        let reader = try RunStore(readOnly: place.path)
        #expect(try reader.runs(limit: 9).map(\.id) == [SampleRuns.id(1)])
        let fresh = place.file("fresh.sqlite")
        try RunStore(path: fresh).ingest(SampleRuns.passing(2))

        #expect(try RunStore.replace(databaseAt: place.path, with: fresh) == nil)
        #expect(try reader.runs(limit: 9).map(\.id) == [SampleRuns.id(2)])
        #expect(try store.check() == [])
        #expect(try store.ingest(SampleRuns.passing(3)) == .stored)
        #expect(try reader.runs(limit: 9).map(\.id) == [SampleRuns.id(3), SampleRuns.id(2)])
        #expect(try place.names.filter { $0.hasPrefix("fresh") } == [])
    }

    @Test(arguments: ["garbage", "cut short"])
    func `a damaged store is moved aside before it is replaced`(damage: String) throws {
        let place = try TemporaryStore()
        let store = try place.open()
        try store.ingest(SampleRuns.failing(1))
        try store.close()
        let whole = try Data(contentsOf: URL(filePath: place.path))
        let damaged = damage == "garbage" ? Data("no database".utf8) : whole.prefix(whole.count / 2)
        try damaged.write(to: URL(filePath: place.path))
        let fresh = place.file("fresh.sqlite")
        try RunStore(path: fresh).ingest(SampleRuns.passing(2))

        #expect(try RunStore.replace(databaseAt: place.path, with: fresh) == "\(place.path).damaged")
        #expect(try Data(contentsOf: URL(filePath: "\(place.path).damaged")) == damaged)
        #expect(try store.runs(limit: 9).map(\.id) == [SampleRuns.id(2)])
        #expect(try store.check() == [])
    }

    @Test func `a store that is absent is created by replacing it`() throws {
        let place = try TemporaryStore()
        let fresh = place.file("fresh.sqlite")
        try RunStore(path: fresh).ingest(SampleRuns.passing(2))
        #expect(try RunStore.replace(databaseAt: place.path, with: fresh) == nil)
        #expect(try place.open().runs(limit: 9).map(\.id) == [SampleRuns.id(2)])
    }

    @Test func `pruning removes old runs and what only they used`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        var other = SampleRuns.failing(1)
        other.project = "another"
        try store.ingest(other)
        for number in 2...5 { try store.ingest(number == 2 ? SampleRuns.failing(2) : SampleRuns.passing(number)) }
        let retention = Retention(newest: 1, since: SampleRuns.passing(4).startedAt)

        #expect(try store.prune(keeping: retention, isDryRun: true).removed.map(\.id) == [3, 2].map(SampleRuns.id))
        #expect(try store.runs(limit: 9).count == 5)
        #expect(try store.prune(keeping: retention, isDryRun: false).removed.map(\.id) == [3, 2].map(SampleRuns.id))
        #expect(try store.runs(limit: 9).map(\.id) == [5, 4, 1].map(SampleRuns.id))
        #expect(try store.run(SampleRuns.id(5))?.run == SampleRuns.passing(5))
        #expect(try store.run(SampleRuns.id(4))?.run == SampleRuns.passing(4).withoutCounts)
        #expect(try store.run(other.id)?.run == other.asStored)
        #expect(
            try store.tests(project: SampleRuns.passing().project).map(\.id) == SampleRuns.passing().tests.map(\.id))
        #expect(try store.check() == [])
        #expect(try store.prune(keeping: retention, isDryRun: false) == Pruning(removed: []))
    }

    @Test func `what was removed stays removed on a full disk, and its room is given back the next time`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        var large = SampleRuns.failing(1)
        large.tests[0].attempts[0].issues[0].message = String(repeating: "x", count: 1_000_000)
        try store.ingest(large)
        try store.ingest(SampleRuns.failing(2))
        let full = DatabaseError(resultCode: .SQLITE_FULL, message: "database or disk is full")
        let pruning = try store.prune(keeping: Retention(newest: 1), isDryRun: false) { _ in throw full }
        #expect(pruning.removed.map(\.id) == [large.id])
        #expect(pruning.vacuumFailure == .full(path: place.path, message: "database or disk is full"))
        #expect(try store.runs(limit: 9).map(\.id) == [SampleRuns.id(2)])

        func pages() throws -> Int? {
            try store.read { try $0.statement("PRAGMA page_count").first { $0.int(0) } }
        }
        let before = try #require(try pages())
        #expect(try store.prune(keeping: Retention(newest: 1), isDryRun: false) == Pruning(removed: []))
        let after = try #require(try pages())
        #expect(after < before / 2)
        // Where next to no room is left over, none is given back.
        let kept = try store.prune(keeping: Retention(newest: 1), isDryRun: false) { _ in throw full }
        #expect(kept == Pruning(removed: []))
        #expect(try store.check() == [])
    }

    @Test func `pruning everything of a project leaves its newest run`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        for number in 1...3 { try store.ingest(SampleRuns.failing(number)) }
        #expect(
            try store.prune(keeping: Retention(newest: 0), isDryRun: false).removed.map(\.id)
                == [2, 1].map(SampleRuns.id))
        let alone = try TemporaryStore()
        try alone.open().ingest(SampleRuns.failing(3))
        #expect(try store.rowCounts == alone.open().rowCounts)
    }
}

extension RunStore {
    /// How many rows each table has.
    fileprivate var rowCounts: [String: Int] {
        get throws {
            try read { connection in
                let tables = try connection.statement("SELECT name FROM sqlite_schema WHERE type = 'table'")
                    .all { $0.text(0) }
                return try Dictionary(
                    uniqueKeysWithValues: tables.map { table in
                        (table, try connection.statement("SELECT count(*) FROM \(table)").first { $0.int(0) } ?? 0)
                    })
            }
        }
    }
}
