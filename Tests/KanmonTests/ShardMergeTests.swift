import Evidence
import Foundation
import Gate
import RunModel
import TestResults
import TestRunning
import Testing

@testable import Application

/// Merged runs under the rules that compare with a base.
@Suite struct ShardMergeTests {
    private static let source = "Sources/Greeting/Greeting.swift"
    private let folder: TestFolder
    private let checkpoint: Checkpoint
    /// 12 lines, of which 7 are covered.
    private let recorded = RunDirectory(path: "\(TestFolder.runs)/LowCoverage")
    private let unchanged = ChangeComparison(
        base: BaseCommit(commit: "b1", kind: .mergeBase, name: "main"), changes: [])

    init() throws {
        folder = try TestFolder()
        let process = folder.process
        checkpoint = Checkpoint(process: process, home: Home(folder.home, process: process))
    }

    /// The recorded run as the only shard of a run, with what it is judged by and compared with.
    private func shard(_ policy: Policy, _ comparison: ChangeComparison) throws -> String {
        var manifest = try recorded.manifest()
        manifest.selection = Selection(shard: Shard(index: 1, count: 1))
        manifest.inputs = RunInputs(platform: "p", checkout: "", environment: "", settings: "")
        manifest.dependencies = []
        let writer = try RunDirectory.Writer(creating: "\(folder.path)/shard")
        let evidence = manifest.artifacts.filter { $0.role != .policy }
        manifest.artifacts = []
        for artifact in evidence {
            manifest.artifacts.append(
                try writer.write(recorded.bytes(of: artifact), as: artifact.role, to: artifact.path))
        }
        for kept in [try KeptJSON.policy.givenFile(policy), try KeptJSON.comparison.givenFile(comparison)] {
            manifest.artifacts.append(try writer.write(Array(kept.bytes), as: kept.role, to: kept.fileName))
        }
        for source in manifest.sources {
            if let bytes = try recorded.source(source.sha256) { _ = try writer.keepSource(bytes, as: source.path) }
        }
        return try writer.finish(manifest).path
    }

    /// Judges the run merged from its shards, which has to fail as the whole run does.
    private func expectFailure(
        of rule: String, _ policy: Policy, _ comparison: ChangeComparison
    ) throws {
        let whole = try Verdict(judging: TestRun.read(from: recorded), by: policy, changed: comparison)
        let merged = try ShardMerge(checkpoint: checkpoint).merge([shard(policy, comparison)], expected: 1)
        #expect(merged.run.shards == [try recorded.manifest().id])
        #expect(merged.verdict.gaps == [])
        #expect(merged.verdict.violations == whole.violations)
        #expect(merged.verdict.change == whole.change)
        #expect(merged.verdict.violations.map(\.rule) == [rule])
    }

    @Test func `the lines that a change adds are judged in a merged run`() throws {
        var comparison = unchanged
        comparison.changes = [
            FileChange(path: Self.source, basePath: nil, changes: [ChangedLines(base: 1..<1, head: 1..<13)])
        ]
        let rule = PatchRule(line: try #require(Percentage("90")))
        try expectFailure(of: "patch", Policy(defaultFloors: Floors(), patch: rule), comparison)
    }

    @Test func `the drop of a project is judged in a merged run`() throws {
        var comparison = unchanged
        let lines = KnownLines(path: Self.source, covered: [1...12], missed: [])
        comparison.coverage = KnownCoverage(
            runs: [try recorded.manifest().id], swiftVersion: nil, files: [lines])
        let rule = ProjectRule(mayDrop: Percentage("0.5"))
        try expectFailure(
            of: "project-drop", Policy(defaultFloors: Floors(), project: rule),
            comparison)
    }
}
