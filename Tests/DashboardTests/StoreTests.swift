import Evidence
import Foundation
import Gate
import RunModel
import TestSupport
import Testing

@testable import Dashboard

/// What pages are made of, out of a store and a run directory.
@Suite struct StoreTests {
    @Test func `runs and sources come out of the store and the run directory`() throws {
        let run = SampleRuns.failing()
        let path = SampleStore.core
        let place = try SampleStore()
        try place.ingest(run, keeping: [(path, SampleStore.text), ("e\u{301}.swift", [1])])
        let store = place.store
        #expect(try store.page(project: nil, before: nil, limit: 10)?.map(\.id) == [run.id])
        #expect(try store.page(project: "other", before: nil, limit: 10)?.map(\.id) == [])
        #expect(try store.page(project: nil, before: run.id, limit: 10)?.map(\.id) == [])
        #expect(try store.page(project: nil, before: SampleRuns.id(50), limit: 10) == nil)
        let paths = [path, "../run/manifest.json", "/etc/passwd", "\u{E9}.swift", "e\u{301}.swift"]
        #expect(try store.sources(of: run.id, paths) == [SampleStore.text, nil, nil, nil, [1]])
        #expect(try store.sources(of: SampleRuns.id(50), paths) == paths.map { _ in nil })
    }

    @Test func `a run directory that is gone keeps no sources`() throws {
        let place = try SampleStore()
        let run = SampleRuns.passing()
        try place.ingest(run, keeping: [("a.swift", [1])])
        try FileManager.default.removeItem(atPath: place.runDirectory(run.id))
        #expect(try place.store.sources(of: run.id, ["a.swift"]) == [nil])
    }

    @Test func `a kept source that was changed is an error and not a page`() throws {
        let place = try SampleStore()
        let run = SampleRuns.passing()
        try place.ingest(run, keeping: [("a.swift", [1])])
        try place.damageSources(of: run.id)
        #expect(throws: EvidenceError.self) { try place.store.sources(of: run.id, ["a.swift"]) }
    }
}
