import Gate
import RunModel
import Synchronization
import TestSupport
import Testing

@testable import Storage

/// Reads that nobody waits for any more.
@Suite struct AbandonedReadTests {
    /// Takes minutes if nobody ends it.
    private static let endless = """
        WITH RECURSIVE walk (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM walk LIMIT 4000000000)
        SELECT max(number) FROM walk
        """

    @Test func `a statement ends in its middle when nobody waits for it, and the connection goes on`() async throws {
        let place = try TemporaryStore()
        let store = try place.open()
        try store.ingest(SampleRuns.passing())
        let asked = Mutex(0)
        let isAbandoned: @Sendable () -> Bool = {
            asked.withLock { asked in
                asked += 1
                return asked > 10
            }
        }
        await #expect(throws: StorageError.failed(path: store.path, code: 9, message: "interrupted")) {
            try await RunStore.reading(until: isAbandoned) {
                _ = try store.read { connection in try connection.statement(Self.endless).first { $0.int(0) } }
            }
        }
        // The connection is asked again within its statements, and ends none of those that somebody waits for.
        for _ in 0..<50 {
            let runs = try await RunStore.reading(until: { false }) { try store.runs(limit: 9).map(\.id) }
            #expect(runs == [SampleRuns.passing().id])
        }
        #expect(try store.projects().map(\.runs) == [1])
    }

    @Test func `nothing is asked that nobody waits for from the beginning`() async throws {
        let place = try TemporaryStore()
        let store = try place.open()
        let refused = StorageError.failed(
            path: store.path, code: 9, message: "nobody waits for the answer any more")
        await #expect(throws: refused) {
            try await RunStore.reading(until: { true }) { _ = try store.projects() }
        }
    }

    @Test func `what is read for others goes on`() async throws {
        let place = try TemporaryStore()
        let store = try place.open()
        let projects = try await RunStore.reading(until: { true }) {
            // As a search that several wait for.
            try await Task.detached { try store.projects() }.value
        }
        #expect(projects == [])
    }
}
