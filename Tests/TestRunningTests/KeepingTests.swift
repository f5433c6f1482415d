import Foundation
import RunModel
import TestSupport
import Testing

@testable import CodeCoverage
@testable import Evidence
@testable import TestRunning

/// What becomes of the files that the children of a run leave.
@Suite struct KeepingTests {
    private let folder: TemporaryFolder
    private let writer: RunDirectory.Writer
    private let execution: RunExecution

    init() throws {
        folder = try TemporaryFolder()
        writer = try RunDirectory.Writer(creating: "\(folder.path)/runs/1")
        execution = try RunExecution(
            RunRequest(
                package: TestedPackage(root: folder.path, project: "sample"), scratchPath: "\(folder.path)/scratch",
                runDirectory: "\(folder.path)/runs/1", cacheDirectory: "\(folder.path)/cache", runID: SampleRuns.id(1),
                startedAt: SampleRuns.moment, arguments: ["run"], kanmonVersion: "test", parentEnvironment: [:]),
            writer, { _ in })
    }

    private func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: URL(filePath: try writer.location(of: name)))
    }

    /// Makes a file too large by one byte; it is a hole, which takes no room.
    private func flood(_ name: String) throws {
        try write("", to: name)
        #expect(truncate("\(writer.path)/\(name)", off_t(RunDirectory.fileLimit + 1)) == 0)
    }

    @Test func `a flood of events is a gap, and the run is kept without it`() throws {
        try write("text\n", to: "transcript.log")
        try flood("events.jsonl")
        try flood("pass-2/events.jsonl")
        let second = TestPass(reason: .recovery, folder: "pass-2")
        var execution = execution
        execution.open(TestPass(reason: .first))
        execution.open(second)
        #expect(try execution.evidence(of: second) == [])
        #expect(execution.gaps == [])
        #expect(try execution.collectEvidence().map(\.path) == ["transcript.log"])
        let gaps = ["events.jsonl", "pass-2/events.jsonl"].map { name in
            Gap(.artifactDamaged, subject: name, detail: "536870913 bytes, the limit is 536870912")
        }
        #expect(execution.gaps == gaps)
    }

    @Test func `what is no file is a gap as well`() throws {
        try FileManager.default.createDirectory(
            atPath: "\(writer.path)/observer.jsonl", withIntermediateDirectories: false)
        var execution = execution
        #expect(try execution.collectEvidence() == [])
        #expect(
            execution.gaps == [Gap(.artifactDamaged, subject: "observer.jsonl", detail: "not a regular file")])
    }

    @Test func `coverage that was not kept is not used for the verdict`() throws {
        try flood("coverage.json")
        var execution = execution
        execution.export = CoverageExport(version: "3.0.1", files: [], functions: [])
        #expect(try execution.collectEvidence() == [])
        #expect(execution.export == nil)
    }
}
