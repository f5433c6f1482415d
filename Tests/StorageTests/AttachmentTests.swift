import Gate
import RunModel
import TestSupport
import Testing

@testable import Storage

/// What tests attached, in SQLite.
@Suite struct AttachmentTests {
    private let place: TemporaryStore
    private let store: RunStore
    private let file = TestAttachment(name: "a\u{0}\u{202E}\n.txt", path: "attachments/\(Self.hash)", bytes: 7)
    private static let hash = String(repeating: "b", count: 64)

    init() throws {
        place = try TemporaryStore()
        store = try place.open()
    }

    private func attaching(_ number: Int) throws -> TestRun {
        var run = SampleRuns.passing(number)
        run.tests.orderByIdentity()
        run.tests[0].attachments = [file, file]
        try store.ingest(run)
        return run
    }

    @Test func `a run is read back with them, and so is the history of the test`() throws {
        let run = try attaching(1)
        try store.ingest(SampleRuns.passing(2))
        #expect(try store.run(run.id)?.run.tests.map(\.attachments) == run.tests.map(\.attachments))
        let history = try store.history(of: run.tests[0].id, project: run.project, runs: 10)
        #expect(history.map(\.attachments) == [[], [file, file]])
    }

    @Test func `one is found by its path in its own run only`() throws {
        let run = try attaching(1)
        try store.ingest(SampleRuns.passing(2))
        #expect(try store.attachment(at: file.path, in: run.id) == file)
        #expect(try store.attachment(at: "attachments/\(Self.hash)/", in: run.id) == nil)
        #expect(try store.attachment(at: file.path, in: SampleRuns.id(2)) == nil)
    }

    @Test func `they go with their run`() throws {
        _ = try attaching(1)
        try store.ingest(SampleRuns.passing(2))
        _ = try store.prune(keeping: Retention(newest: 1), isDryRun: false)
        #expect(try store.read { try $0.statement("SELECT count(*) FROM attachment").first { $0.int(0) } } == 0)
    }
}
