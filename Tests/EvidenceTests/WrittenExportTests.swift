import Foundation
import RunModel
import TestSupport
import Testing

@testable import Evidence
@testable import TestResults

@Suite struct WrittenExportTests {
    @Test func `what the writer of a run directory has read of its coverage is not read again`() throws {
        let folder = try TemporaryFolder()
        let bytes = try CoverageFixture.bytes("good.json")
        let writer = try RunDirectory.Writer(creating: folder.path + "/run")
        let artifact = try writer.write(bytes, as: .coverageExport, to: "coverage.json")
        let directory = try writer.finish(
            RecordedRun().manifest([artifact]), export: try CoverageFixture.read(bytes))
        #expect(unlink("\(directory.path)/coverage.json") == 0)
        func damaged(_ directory: RunDirectory) throws -> Int {
            try TestRun.read(from: directory).gaps.count { $0.code == .artifactDamaged }
        }
        #expect(try [damaged(directory), damaged(RunDirectory(path: directory.path))] == [0, 1])
    }
}
