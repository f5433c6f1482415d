import Foundation
import GRDB
import Gate
import RunModel
import TestSupport
import Testing

@testable import Storage

/// The plain tables that other tools query.
@Suite struct TablesTests {
    private let place: TemporaryStore
    private let store: RunStore
    private var file: String { place.file("tables.sqlite") }

    init() throws {
        place = try TemporaryStore()
        store = try place.open()
    }

    /// The rows of a query, each value as text.
    private func ask(_ sql: String) throws -> [[String?]] {
        try DatabaseQueue(path: file).read { database in
            let columns = Int32(try database.makeStatement(sql: sql).columnCount)
            return try Connection(database: database).statement(sql).all { row in
                (0..<columns).map { row.optionalText($0) }
            }
        }
    }

    @Test(arguments: RoundTripTests.Sample.allCases)
    func `every part of a run is in its table`(sample: RoundTripTests.Sample) throws {
        let run = sample.run
        let verdict = Verdict.sample(for: run)
        _ = try store.ingest(run, verdict: verdict, runDirectory: "/run")
        #expect(try store.exportTables(to: file) == 1)

        #expect(try ask("SELECT id, project, package FROM run") == [["\(run.id)", run.project, run.package]])
        let results = try ask("SELECT module, suite, name, outcome FROM test_result ORDER BY module, suite, name, test")
        let expected = run.tests.map { [$0.id.module, $0.id.suite, $0.id.name, $0.outcome.rawValue] }
        #expect(results.count == expected.count)
        #expect(Set(results.map { $0.compactMap { $0 } }) == Set(expected))
        let issues = run.tests.flatMap(\.attempts).flatMap(\.issues)
        #expect(try ask("SELECT message FROM issue").count == issues.count)
        #expect(try ask("SELECT module FROM module").count == verdict.modules.count)
        #expect(try ask("SELECT rule FROM violation").count == verdict.violations.count)
        #expect(try ask("SELECT code FROM finding WHERE is_gap").count == run.gaps.count)
        #expect(try ask("SELECT code FROM finding WHERE NOT is_gap").count == run.notes.count)
        let files = run.coverage?.files ?? []
        let sums = try ask("SELECT count(*), coalesce(sum(lines_covered), 0), coalesce(sum(lines_total), 0) FROM file")
        let tally = files.reduce(CoverageTally()) { $0 + $1.lineTally }
        #expect(sums == [["\(files.count)", "\(tally.covered)", "\(tally.total)"]])
        #expect(try ask("PRAGMA foreign_key_check") == [])
        #expect(try ask("PRAGMA integrity_check") == [["ok"]])
    }

    @Test func `times are in seconds, and moments in ISO 8601`() throws {
        var run = SampleRuns.passing()
        run.startedAt = Date(timeIntervalSince1970: 1_770_000_000.125)
        run.duration = .milliseconds(1_500)
        run.tests[0].attempts = [TestAttempt(outcome: .passed, duration: .milliseconds(250))]
        _ = try store.ingest(run, verdict: Verdict.sample(for: run), runDirectory: "/run")
        _ = try store.exportTables(to: file)
        #expect(try ask("SELECT started_at, seconds FROM run") == [["2026-02-02T02:40:00.125Z", "1.5"]])
        #expect(try ask("SELECT count(*) FROM result WHERE seconds = 0.25 AND attempts = 1") == [["1"]])
    }

    @Test func `what tests attached is told by name, place, size and kind, whatever its name`() throws {
        var run = SampleRuns.passing()
        let (first, second) = (String(repeating: "a", count: 64), String(repeating: "b", count: 64))
        run.tests[0].attachments = [
            TestAttachment(name: SampleRuns.hostile, path: "shards/1/attachments/\(first)", bytes: 0),
            TestAttachment(name: "shot.PNG", path: "attachments/\(second)", bytes: 1 << 24),
        ]
        _ = try store.ingest(run, verdict: Verdict.sample(for: run), runDirectory: "/run")
        _ = try store.exportTables(to: file)
        let id = run.tests[0].id
        #expect(
            try ask(
                """
                SELECT module, suite, test.name, attachment.name, path, sha256, bytes, media_type
                FROM attachment JOIN run USING (run) JOIN test USING (test) ORDER BY bytes
                """) == [
                    [
                        id.module, id.suite, id.name, SampleRuns.hostile, "shards/1/attachments/\(first)", first, "0",
                        "application/octet-stream",
                    ],
                    [
                        id.module, id.suite, id.name, "shot.PNG", "attachments/\(second)", second, "16777216",
                        "image/png",
                    ],
                ])
        #expect(try ask("PRAGMA foreign_key_check") == [])
    }

    @Test func `an excluded file is told as such`() throws {
        let run = SampleRuns.failing()
        let path = try #require(run.coverage?.files.first?.path)
        var verdict = Verdict.sample(for: run)
        verdict.policy.excludes = [Exclusion(pattern: path)]
        _ = try store.ingest(run, verdict: verdict, runDirectory: "/run")
        _ = try store.exportTables(to: file)
        #expect(try ask("SELECT path FROM file WHERE is_excluded") == [[path]])
    }

    @Test func `one project is written without the others, and an unknown one is none`() throws {
        var other = SampleRuns.passing(2)
        other.project = "example.com/other"
        for run in [SampleRuns.passing(1), other] {
            _ = try store.ingest(run, verdict: Verdict.sample(for: run), runDirectory: "/run")
        }
        #expect(try store.exportTables(to: file, project: other.project) == 1)
        #expect(try ask("SELECT name FROM project") == [[other.project]])
        #expect(try ask("SELECT DISTINCT project FROM test") == [[other.project]])
        #expect(try ask("SELECT id FROM latest_run") == [["\(other.id)"]])
        #expect(try store.exportTables(to: place.file("none"), project: "nobody") == 0)
    }

    @Test func `a file is complete or not there, is its owner's, and none is overwritten`() throws {
        try store.ingest(SampleRuns.failing())
        _ = try store.exportTables(to: file)
        #expect(throws: StorageError.fileExists(path: file)) { try store.exportTables(to: file) }
        #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)
        #expect(throws: StorageError.self) { try store.exportTables(to: place.file("none/such")) }
        // Nothing of Kanmon takes it for a store.
        #expect(throws: StorageError.notAStore(path: file, message: "it belongs to another program")) {
            try RunStore(readOnly: file)
        }
        #expect(try !place.names.contains { $0.hasSuffix(".partial") })
    }

    @Test func `the latest run speaks for the default branch`() throws {
        for number in 1...3 {
            var run = SampleRuns.passing(number)
            run.startedAt += Double(number)
            // The newest is of a working copy, and so is no state of a branch.
            run.revision?.isDirty = number == 3
            _ = try store.ingest(run, verdict: Verdict.sample(for: run), runDirectory: "/run")
        }
        _ = try store.exportTables(to: file)
        #expect(try ask("SELECT id FROM latest_run") == [["\(SampleRuns.id(2))"]])
        #expect(try ask("SELECT trust FROM run ORDER BY started_at") == [["local"], ["local"], ["working-copy"]])
    }
}
