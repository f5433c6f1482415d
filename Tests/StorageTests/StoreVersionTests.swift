import Gate
import TestSupport
import Testing

@testable import Storage

@Suite struct StoreVersionTests {
    @Test func `the version stays while nothing is stored, and changes with every run`() throws {
        let place = try TemporaryStore()
        let writer = try place.open()
        let store = try RunStore(readOnly: writer.path)
        let first = try store.version()
        #expect(try store.version() == first)
        _ = try store.projects()
        #expect(try store.version() == first)
        try writer.ingest(SampleRuns.passing())
        let second = try store.version()
        #expect(second != first)
        // A run that is there already is no change.
        try writer.ingest(SampleRuns.passing())
        #expect(try store.version() == second)
        try writer.ingest(SampleRuns.failing())
        #expect(try store.version() != second)
        try store.close()
        #expect(try store.version() != second)
    }

    @Test func `a trace counts executions and knows how a statement is run`() throws {
        let place = try TemporaryStore()
        try place.open().ingest(SampleRuns.passing())
        let trace = StatementTrace()
        let store = try RunStore(readOnly: place.open().path, trace: trace)
        for _ in 0..<3 { _ = try store.runs(limit: 5) }
        let sql = PageQuery.summaries.rawValue
        let figures = try #require(trace.figures[sql])
        #expect(figures.executions == 3)
        #expect(figures.longest > .zero)
        #expect(figures.longest <= figures.total)
        #expect(figures.total <= figures.longest * 3)
        #expect(try store.plan(of: sql).contains { $0.contains("USING INDEX run_by_start") })
    }
}
