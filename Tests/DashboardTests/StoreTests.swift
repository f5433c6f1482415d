import Evidence
import Foundation
import Pages
import RunModel
import Storage
import TestSupport
import Testing

@testable import Dashboard

/// The seam over a real store and a real run directory.
@Suite struct StoreTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "kanmon-dashboard-\(UUID())").path()

    private func stored(_ run: TestRun, keeping sources: [(String, [UInt8])]) throws -> RunStore {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let store = try RunStore(path: "\(folder)/kanmon.sqlite")
        let writer = try RunDirectory.Writer(creating: "\(folder)/run")
        let kept = try sources.map { try writer.keepSource($1, as: $0) }
        let manifest = RunManifest(
            kanmonVersion: "0", runID: run.id, project: run.project, package: run.package, packageRoot: "/package",
            revision: run.revision, startedAt: run.startedAt, duration: run.duration, engine: run.engine,
            toolchain: run.toolchain ?? Toolchain(swiftVersion: "", llvmVersion: "", target: ""), arguments: [],
            steps: run.steps, modules: run.modules, artifacts: [], sources: kept
        )
        let directory = try writer.finish(manifest)
        _ = try store.ingest(run, verdict: SampleDashboard.verdict(run), runDirectory: directory.path)
        return store
    }

    @Test func `runs, projects and sources come out of the store and the run directory`() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let run = SampleRuns.failing()
        let path = "Sources/Core/URLRule.swift"
        let data = DashboardData(try stored(run, keeping: [(path, SampleDashboard.text), ("e\u{301}.swift", [1])]))
        #expect(try await data.projects() == [ProjectListEntry(name: run.project, runs: 1)])
        #expect(try await data.runs(nil, nil, 10)?.map(\.id) == [run.id])
        #expect(try await data.runs("other", nil, 10)?.map(\.id) == [])
        #expect(try await data.runs(nil, run.id, 10)?.map(\.id) == [])
        #expect(try await data.runs(nil, SampleRuns.id(50), 10) == nil)
        #expect(try await data.run(run.id)?.run.tests.map(\.id) == run.tests.map(\.id))
        #expect(try await data.run(SampleRuns.id(50))?.run == nil)
        let paths = [path, "../run/manifest.json", "/etc/passwd", "\u{E9}.swift", "e\u{301}.swift"]
        #expect(try await data.sources(run.id, paths) == [SampleDashboard.text, nil, nil, nil, [1]])
        #expect(try await data.sources(SampleRuns.id(50), paths) == paths.map { _ in nil })
    }

    @Test func `a run directory that is gone keeps no sources`() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let run = SampleRuns.passing()
        let data = DashboardData(try stored(run, keeping: [("a.swift", [1])]))
        try FileManager.default.removeItem(atPath: "\(folder)/run")
        #expect(try await data.sources(run.id, ["a.swift"]) == [nil])
    }

    @Test func `a kept source that was changed is an error and not a page`() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let run = SampleRuns.passing()
        let data = DashboardData(try stored(run, keeping: [("a.swift", [1])]))
        let sources = "\(folder)/run/sources"
        for name in try FileManager.default.contentsOfDirectory(atPath: sources) {
            try FileManager.default.removeItem(atPath: "\(sources)/\(name)")
            try Data([2]).write(to: URL(filePath: "\(sources)/\(name)"))
        }
        await #expect(throws: EvidenceError.self) { try await data.sources(run.id, ["a.swift"]) }
    }
}
