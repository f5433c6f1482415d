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

    @Test func `a page of tests is the same out of what runs share and out of the run`() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let store = try RunStore(path: "\(folder)/kanmon.sqlite")
        // The third is like the first, so that its pages come out of the same skeletons.
        var runs = [SampleRuns.passing(1), SampleRuns.failing(2), SampleRuns.passing(3), SampleRuns.unsteady(5)]
        // One that was ended while its first test was running, and one with a warning and a test skipped on its way.
        var (ended, warned) = (SampleRuns.passing(6), SampleRuns.passing(7))
        let issue = Issue(message: "its process was ended from outside while it was running")
        ended.tests[0].outcome = .notRun
        ended.tests[0].attempts = [TestAttempt(outcome: .notRun, duration: .seconds(1), issues: [issue])]
        warned.tests[0].attempts[0].issues = [Issue(message: "slow", isWarning: true)]
        warned.tests[1].outcome = .skipped
        warned.tests[1].skipReason = "no <network>"
        warned.tests[1].attempts = [TestAttempt(outcome: .skipped, duration: .seconds(2))]
        runs += [ended, warned]
        for run in runs { _ = try store.ingest(run, verdict: SampleDashboard.verdict(run), runDirectory: nil) }
        let shared = DashboardData(store)
        var plain = shared
        plain.module = nil
        let dashboards = (try SampleDashboard(data: shared), try SampleDashboard(data: plain))
        for run in runs {
            for module in Set(run.tests.map(\.id.module)) {
                let page = Route.tests(run.id, target: module).href
                let (first, second) = (try await dashboards.0.page(page), try await dashboards.1.page(page))
                #expect(first == second)
                #expect(first.contains("run \(run.id.short)"))
                #expect(try await shared.module?(run.id, module) != nil)
            }
            for dashboard in [dashboards.0, dashboards.1] {
                #expect(await dashboard.ask(Route.tests(run.id, target: "Nothing").href).status == 404)
            }
        }
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
