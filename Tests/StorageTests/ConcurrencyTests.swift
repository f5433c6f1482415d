import Foundation
import Gate
import Glibc
import RunModel
import TestSupport
import Testing

@testable import Storage

@Suite struct ConcurrencyTests {
    @Test func `writers take turns and readers do not wait`() async throws {
        let place = try TemporaryStore()
        let path = place.path
        _ = try place.open()
        try await withThrowingTaskGroup(of: [IngestOutcome].self) { group in
            // Two writers store the same runs: each is stored by one of them.
            for _ in 0..<2 {
                group.addTask {
                    let store = try RunStore(path: path)
                    return try (0..<10).map { try store.ingest(SampleRuns.failing($0)) }
                }
            }
            group.addTask {
                let store = try RunStore(readOnly: path)
                for _ in 0..<20 {
                    for summary in try store.runs(limit: 50) {
                        // A run is there as a whole or not at all.
                        #expect(try store.run(summary.id)?.run.tests.count == SampleRuns.failing().tests.count)
                    }
                }
                return []
            }
            let outcomes = try await group.reduce(into: []) { $0 += $1 }
            #expect(outcomes.count(where: { $0 == .stored }) == 10)
            #expect(outcomes.count == 20)
        }
        #expect(try place.open().projects().map(\.runs) == [10])
        #expect(try place.open().check() == [])
    }

    @Test func `a store is read while a transaction is open`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        try store.ingest(SampleRuns.passing(1))
        _ = try store.write { connection in
            try connection.statement("UPDATE run SET package = 'changed'").execute()
            let reader = try RunStore(readOnly: place.path, timeout: .zero)
            #expect(try reader.runs(limit: 9).map(\.package) == ["VideoKit"])
        }
        #expect(try store.runs(limit: 9).map(\.package) == ["changed"])
    }

    @Test func `a writer that does not get its turn says so`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        let hasty = try RunStore(path: place.path, timeout: .milliseconds(20))
        _ = try store.write { _ in
            #expect(
                throws: StorageError.busy(
                    path: place.path, message: "another process has been writing to it for 0.02 seconds")
            ) { try hasty.ingest(SampleRuns.passing()) }
        }
        #expect(try hasty.ingest(SampleRuns.passing()) == .stored)
    }

    @Test func `a transaction that throws leaves no trace`() throws {
        struct Stop: Error {}
        let place = try TemporaryStore()
        let store = try place.open()
        #expect(throws: StorageError.self) {
            try store.write { connection in
                var ingestion = try RunIngestion(
                    connection, run: SampleRuns.failing(),
                    verdict: PackedVerdict(.sample(for: SampleRuns.failing())), runDirectory: nil, now: nil)
                try ingestion.store()
                throw Stop()
            }
        }
        #expect(try store.isEmpty)
        #expect(try store.check() == [])
    }

    @Test func `a reader that closes last leaves the log to the next writer`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        let reader = try RunStore(readOnly: place.path)
        #expect(try reader.isEmpty)
        try store.ingest(SampleRuns.passing())
        try store.close()
        let log = try Data(contentsOf: URL(filePath: place.path + "-wal"))
        #expect(try reader.isEmpty == false)
        try reader.close()
        #expect(try Data(contentsOf: URL(filePath: place.path + "-wal")) == log)
        try store.ingest(SampleRuns.passing(2))
        #expect(try place.names == ["kanmon.sqlite", "kanmon.sqlite.lock"])
    }
}
