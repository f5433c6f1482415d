import Foundation
import Gate
import RunModel

/// A file of a report: its name relative to the report's folder, and its bytes.
struct ReportFile: Sendable {
    let name: String
    let bytes: [UInt8]

    init(_ name: String, _ bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
    }

    init(_ name: String, _ text: String) { self.init(name, Array(text.utf8)) }
}

/// A folder of reports that is made in one piece: written beside, then moved into place.
struct ReportFolder: Sendable {
    private let folder: URL
    private static let marker = ".kanmon-reports"

    /// Chooses the folder. One that exists is wiped, so it must be empty or hold the reports of an earlier run: nothing
    /// of yesterday can be mistaken for today's, and nothing of the user's is lost.
    init(_ path: String) throws {
        folder = URL(fileURLWithPath: path)
        guard FileManager.default.fileExists(atPath: path) else { return }
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: path)
        } catch {
            throw Problem(.usage, "\(path) is not a folder that can be read", hint: "name an empty folder with --out")
        }
        guard names.isEmpty || names.contains(Self.marker) else {
            throw Problem(
                .usage, "\(path) is not empty and was not made by kanmon", hint: "name an empty folder with --out")
        }
        do {
            // At once, not at the end: a run that dies must not leave old reports behind.
            try FileManager.default.removeItem(at: folder)
        } catch {
            throw Problem(.ioError, "failed to wipe \(path): \(error.fileSystemReason)")
        }
    }

    /// Writes the files, and copies whole folders that exist already to the names given.
    func write(_ files: [ReportFile], copying copies: [(from: String, name: String)] = [], of run: RunID) throws {
        let staging = folder.deletingLastPathComponent().appending(path: ".\(folder.lastPathComponent).\(run)")
        do {
            if FileManager.default.fileExists(atPath: staging.path) { try FileManager.default.removeItem(at: staging) }
            for file in [ReportFile(Self.marker, "\(run)\n")] + files {
                let place = staging.appending(path: file.name)
                try FileManager.default.createDirectory(
                    at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data(file.bytes).write(to: place)
            }
            for copy in copies {
                try FileManager.default.copyItem(atPath: copy.from, toPath: staging.path + "/" + copy.name)
            }
            try FileManager.default.moveItem(at: staging, to: folder)
        } catch {
            try? FileManager.default.removeItem(at: staging)
            throw Problem(.ioError, "failed to write reports into \(folder.path): \(error.fileSystemReason)")
        }
    }
}
