import Application
import Foundation
import Gate
import RunModel

/// A file of a report: its name relative to the report's folder, and its bytes.
struct ReportFile: Sendable {
    let name: String
    let bytes: [UInt8]

    init(_ name: String, _ bytes: [UInt8]) { (self.name, self.bytes) = (name, bytes) }

    init(_ name: String, _ text: String) { self.init(name, Array(text.utf8)) }
}

/// A folder of reports that is written under another name, then moved into place.
struct ReportFolder: Sendable {
    private let folder: URL
    private static let marker = ".kanmon-reports"

    /// Chooses the folder. An existing folder is wiped, so that old reports are not mistaken for new ones. It must be
    /// empty or hold the reports of an earlier run, so that no other files are lost.
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
            // Now and not at the end, so that a run that dies leaves no old reports.
            try FileManager.default.removeItem(at: folder)
        } catch {
            throw Problem(.ioError, "failed to wipe \(path): \(error.fileSystemReason)")
        }
    }

    /// Makes it now, empty, for folders of reports in it.
    func make() throws {
        try inFileSystem {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            for (name, text) in [(Self.marker, "\n"), (".gitignore", "*\n")] {
                try Data(text.utf8).write(to: folder.appending(path: name))
            }
        }
    }

    /// The absolute path of a file in it, once it is filled.
    func path(of name: String) -> String { folder.appending(path: name).path(percentEncoded: false) }

    /// Fills the folder with the files that `body` puts, one by one, so that only one is in memory.
    ///
    /// - Parameters:
    ///   - run: The run that the reports are of.
    ///   - copies: Folders that exist already, and the names of their copies.
    ///   - body: Puts the files.
    func fill(
        of run: RunID, copying copies: [(from: String, name: String)] = [],
        _ body: (_ put: (ReportFile) throws -> Void) throws -> Void
    ) throws {
        let staging = folder.deletingLastPathComponent().appending(path: ".\(folder.lastPathComponent).\(run)")
        defer {
            // It exists only after a failure, and that error is the one to report.
            try? FileManager.default.removeItem(at: staging)
        }
        try inFileSystem {
            if FileManager.default.fileExists(atPath: staging.path) { try FileManager.default.removeItem(at: staging) }
        }
        func put(_ file: ReportFile) throws {
            let place = staging.appending(path: file.name)
            try inFileSystem {
                try FileManager.default.createDirectory(
                    at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data(file.bytes).write(to: place)
            }
        }
        try put(ReportFile(Self.marker, "\(run)\n"))
        // In a checkout, untracked files would make the next run not exact.
        try put(ReportFile(".gitignore", "*\n"))
        try body(put)
        try inFileSystem {
            for copy in copies {
                try FileManager.default.copyItem(atPath: copy.from, toPath: staging.path + "/" + copy.name)
            }
            try FileManager.default.moveItem(at: staging, to: folder)
        }
    }

    private func inFileSystem(_ work: () throws -> Void) throws {
        do {
            try work()
        } catch {
            throw Problem(.ioError, "failed to write reports into \(folder.path): \(error.fileSystemReason)")
        }
    }
}
