import Evidence
import Foundation
import Gate
import RunModel
import Storage
import TestSupport

/// A store of sample runs in a folder of its own, removed with it; each run has a directory that keeps a source.
final class SampleStore: Sendable {
    static let core = "Sources/Core/URLRule.swift"
    static let text = Array("public struct URLRule {\n    let pattern: String\n}\n".utf8)

    static let log = Array("\u{1B}[31m<script>alert(1)</script>\n".utf8)

    private static let shared = FileManager.default.temporaryDirectory.appending(path: "kanmon-dashboard-\(UUID())")

    /// Three runs of one project, made once and removed when the tests end: they are only read.
    static let three = made("three") {
        for run in [SampleRuns.passing(), SampleRuns.failing(), SampleRuns.undecided()] { try $0.ingest(run) }
    }

    /// Sixty runs of that project, and an older one of another.
    static let many = made("many") { store in
        var other = SampleRuns.passing(0)
        other.project = "other"
        for run in [other] + (1...60).map({ SampleRuns.passing($0) }) { try store.ingest(run, keeping: nil) }
    }

    let folder: URL
    let store: RunStore
    private let isShared: Bool

    init(in folder: URL? = nil) throws {
        isShared = folder != nil
        self.folder = folder ?? FileManager.default.temporaryDirectory.appending(path: "kanmon-dashboard-\(UUID())")
        try FileManager.default.createDirectory(at: self.folder, withIntermediateDirectories: true)
        store = try RunStore(path: self.folder.appending(path: "kanmon.sqlite").path())
    }

    deinit { if !isShared { try? FileManager.default.removeItem(at: folder) } }

    private static func made(
        _ name: String, _ fill: @Sendable (SampleStore) throws -> Void
    ) -> Result<SampleStore, any Error> {
        Result {
            atexit { try? FileManager.default.removeItem(at: SampleStore.shared) }
            let store = try SampleStore(in: shared.appending(path: name))
            try fill(store)
            return store
        }
    }

    /// Stores a run; `nil` for the sources is no run directory.
    func ingest(
        _ run: TestRun, _ verdict: Verdict? = nil, keeping sources: [(String, [UInt8])]? = [(core, text)]
    ) throws {
        _ = try store.ingest(
            run, verdict: verdict ?? Self.verdict(run),
            runDirectory: try sources.map { try directory(of: run, keeping: $0) })
    }

    private func directory(of run: TestRun, keeping sources: [(String, [UInt8])]) throws -> String {
        let writer = try RunDirectory.Writer(creating: runDirectory(run.id))
        let kept = try sources.map { try writer.keepSource($1, as: $0) }
        let log = try writer.write(Self.log, as: .transcript, to: "transcript.log")
        var manifest = RunManifest(
            run.head, run.facts, RunManifest.Contents(kanmonVersion: "0", packageRoot: "/package", arguments: []))
        manifest.artifacts = [log]
        manifest.sources = kept
        return try writer.finish(manifest).path
    }

    func runDirectory(_ id: RunID) -> String { folder.appending(path: "runs-\(id)").path() }

    /// Changes every kept source of a run.
    func damageSources(of id: RunID) throws {
        let sources = runDirectory(id) + "/sources"
        for name in try FileManager.default.contentsOfDirectory(atPath: sources) {
            try FileManager.default.removeItem(atPath: "\(sources)/\(name)")
            try Data([2]).write(to: URL(filePath: "\(sources)/\(name)"))
        }
    }

    /// Takes the file away, so that every question fails.
    func lose() throws { try FileManager.default.removeItem(atPath: store.path) }

    static func verdict(_ run: TestRun) -> Verdict {
        let failures = run.tests.filter(\.outcome.isFailure).map {
            Violation.testFailed(id: $0.id, outcome: $0.outcome, issue: $0.firstFailure)
        }
        return Verdict(
            decision: !run.gaps.isEmpty ? .undecided : failures.isEmpty ? .passed : .failed, violations: failures,
            gaps: run.gaps, modules: [], policy: Policy()
        )
    }
}
