import Foundation
import GRDB
import Gate
import RunModel
import TestSupport
import Testing

@testable import Storage

@Suite struct MigrationTests {
    @Test func `a file of version 1 is read as it was written`() throws {
        let place = try Self.version1()
        let store = try place.open()
        #expect(try store.run(SampleRuns.id(1))?.run == SampleRuns.passing().withoutCounts)
        #expect(try store.run(SampleRuns.id(2))?.run == SampleRuns.failing().withoutCounts)
        #expect(try store.run(SampleRuns.id(3))?.run == SampleRuns.undecided())
        #expect(try store.run(SampleRuns.id(2))?.verdict == .sample(for: SampleRuns.failing()))
        let problems = try store.check()
        #expect(problems == [])
        try store.ingest(SampleRuns.passing(4))
        #expect(try store.projects().first { $0.name == SampleRuns.passing().project }?.runs == 4)
    }

    @Test func `a file of version 9 learns the default branch from the newest run that was compared with one`() throws {
        let place = try Self.version1()
        let ninth = Schema(migrations: Array(Schema.current.migrations.prefix(9)))
        let old = try RunStore(path: place.path, patience: .seconds(1), schema: ninth)
        let bases: [(Int, BaseCommit.Kind, String)] = [
            (1, .parent, "main"), (2, .mergeBase, "origin/développe"), (3, .named, "HEAD~3"),
        ]
        try old.write { connection in
            for (number, kind, name) in bases {
                let base = try StoredJSON.encode(BaseReview(commit: BaseCommit(commit: "0a", kind: kind, name: name)))
                try connection.statement(
                    """
                    UPDATE verdict SET body = json_set(body, '$.base', json(?2))
                    WHERE run = (SELECT id FROM run WHERE identity = ?1)
                    """
                ).execute(SampleRuns.id(number).description, base)
            }
        }
        try old.close()
        #expect(
            try place.open().defaultBranch(of: SampleRuns.passing().project)
                == ProjectBranch(name: "développe", hasRuns: false))
    }

    @Test func `a file of version 9 loses the counts that a part of the tests had kept`() throws {
        let place = try Self.version1()
        let ninth = Schema(migrations: Array(Schema.current.migrations.prefix(9)))
        let old = try RunStore(path: place.path, patience: .seconds(1), schema: ninth)
        try old.write { connection in
            try connection.statement(
                """
                INSERT OR IGNORE INTO line_counts
                SELECT run.id, body FROM run CROSS JOIN line_counts WHERE run.lines_total IS NOT NULL
                """
            ).execute()
        }
        try old.close()
        let store = try place.open()
        #expect(
            try (1...3).map { try store.run(SampleRuns.id($0))?.hasExecutionCounts } == [false, false, true])
    }

    @Test func `a reader brings an older file up to date first`() throws {
        let place = try Self.version1()
        #expect(throws: StorageError.self) { try RunStore(readOnly: place.path) }
        #expect(try RunStore.reading(place.path).runs(limit: 10).count == 3)
        #expect(try RunStore(readOnly: place.path).check() == [])
    }

    @Test func `version 1 is frozen`() throws {
        let (place, old) = (try TemporaryStore(), try Self.version1())
        let first = Schema(migrations: [Schema.version1])
        let fresh = try RunStore(path: place.path, patience: .seconds(1), schema: first)
        let frozen = try RunStore(path: old.path, patience: .seconds(1), schema: first)
        #expect(try fresh.schemaText == frozen.schemaText)
    }

    @Test func `a file goes through every migration it has not been through`() throws {
        let place = try Self.version1()
        let next = Schema(
            migrations: Schema.current.migrations + [
                "ALTER TABLE run ADD COLUMN host TEXT", "UPDATE run SET host = 'here'",
            ])
        let store = try RunStore(path: place.path, patience: .seconds(1), schema: next)
        #expect(try store.run(SampleRuns.id(1))?.run.id == SampleRuns.id(1))
        let hosts = try store.read { connection in
            try connection.statement("SELECT host FROM run").all { $0.text(0) }
        }
        #expect(hosts == ["here", "here", "here"])
        let refusal = StorageError.newerVersion(
            path: place.path, found: next.version, supported: Schema.current.version)
        #expect(throws: refusal) { try place.open() }
    }

    @Test func `a migration that fails leaves the file as it was`() throws {
        let place = try Self.version1()
        let broken = Schema(
            migrations: Schema.current.migrations + ["ALTER TABLE run ADD COLUMN host TEXT; DROP TABLE missing"])
        #expect(throws: StorageError.failed(path: place.path, code: 1, message: "no such table: missing")) {
            try RunStore(path: place.path, patience: .seconds(1), schema: broken)
        }
        let untouched = try Self.version1()
        #expect(try place.open().schemaText == untouched.open().schemaText)
        #expect(try place.open().check() == [])
    }

    static func version1() throws -> TemporaryStore {
        let place = try TemporaryStore()
        let dump = try #require(Bundle.module.url(forResource: "Fixtures/store-v1", withExtension: "sql"))
        try OpeningTests.execute(String(decoding: try Data(contentsOf: dump), as: UTF8.self), at: place.path)
        return place
    }
}

extension RunStore {
    fileprivate var schemaText: [String] {
        get throws {
            try read { connection in
                try connection.statement("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name")
                    .all { $0.text(0) }
            }
        }
    }
}
