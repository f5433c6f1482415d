import Evidence
import Foundation
import RunModel
import TestSupport

/// Run directories with a few small files.
struct SampleRun {
    let folder: TemporaryFolder

    /// The moment of a number of a run: later numbers are later runs.
    static func id(_ number: UInt64) -> RunID {
        RunID(milliseconds: 1_767_225_600_000 + number * 1000, random: (number, number))
    }

    /// Writes a run directory with a log and sources.
    func write(_ number: UInt64, log: String = "log", sources: [String] = ["let one = 1\n"]) throws -> RunDirectory {
        let id = Self.id(number)
        let writer = try RunDirectory.Writer(creating: "\(folder.path)/runs/\(id)")
        let artifact = try writer.write(Array("\(log) \(number)".utf8), as: .transcript, to: "passes/log.txt")
        let kept = try sources.enumerated().map { index, text in
            try writer.keepSource(Array(text.utf8), as: "Sources/File\(index).swift")
        }
        var manifest = RunManifest(
            RunHead(
                id: id, project: "p", package: "P",
                startedAt: Date(timeIntervalSince1970: Double(id.milliseconds) / 1000), duration: .seconds(1),
                engine: .direct),
            RunFacts(toolchain: Toolchain(swiftVersion: "", llvmVersion: "", target: "")),
            RunManifest.Contents(kanmonVersion: "0", packageRoot: "/p", arguments: []))
        manifest.artifacts = [artifact]
        manifest.sources = kept
        return try writer.finish(manifest)
    }
}
