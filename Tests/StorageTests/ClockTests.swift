import Foundation
import Gate
import RunModel
import TestSupport
import Testing

@testable import Storage

/// Runs that were made while a clock was wrong.
@Suite struct ClockTests {
    private static let day = 86_400.0

    /// A run that began at a moment, counted in days from that of the samples, and is stored when it ends.
    private func store(_ number: Int, at days: Double, stored now: Double? = nil, in store: RunStore) throws {
        var run = SampleRuns.passing(number)
        run.startedAt = SampleRuns.moment.addingTimeInterval(days * Self.day)
        run.duration = .seconds(60)
        let verdict = try Verdict(judging: run, by: Policy())
        let end = SampleRuns.moment.addingTimeInterval((now ?? days) * Self.day + 60)
        _ = try store.ingest(run, verdict: verdict, runDirectory: nil, now: end)
    }

    private func order(_ store: RunStore) throws -> [Int] {
        let runs = try store.wholeRuns(project: "example/video-kit", branch: "main", limit: 9)
        return try runs.map { run in
            try #require((1...9).first { SampleRuns.id($0) == run.id })
        }
    }

    @Test func `a run made while the clock was ahead is not the latest when it is right again`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        try self.store(1, at: 0, in: store)
        try self.store(2, at: 200, in: store)
        #expect(try order(store) == [2, 1])
        try self.store(3, at: 1, in: store)
        try self.store(4, at: 2, in: store)
        #expect(try order(store) == [4, 3, 2, 1])
        // Each is shown with its own time.
        let began = try store.runs(project: "example/video-kit", limit: 9).map(\.startedAt)
        #expect(began == [2, 1, 200, 0].map { SampleRuns.moment.addingTimeInterval($0 * Self.day) })
    }

    @Test func `a run made while the clock was behind is the latest`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        try self.store(1, at: 0, in: store)
        try self.store(2, at: -5000, in: store)
        #expect(try order(store) == [2, 1])
        try self.store(3, at: 1, in: store)
        #expect(try order(store) == [3, 2, 1])
    }

    @Test func `an old run that is ingested late has its place by its time`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        try self.store(1, at: 10, in: store)
        try self.store(2, at: 5, stored: 11, in: store)
        try self.store(3, at: 200, in: store)
        try self.store(4, at: 6, stored: 11, in: store)
        #expect(try order(store) == [3, 1, 4, 2])
    }

    @Test func `a run that is stored before it began comes before all others`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        try self.store(1, at: 200, stored: 3, in: store)
        try self.store(2, at: 1, stored: 3, in: store)
        #expect(try order(store) == [2, 1])
    }
}
