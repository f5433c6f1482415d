import Evidence
import Exports
import Foundation
import Gate
import RunModel

/// A folder of reports for other readers, made in one piece: written beside, then moved into place.
struct Publication: Sendable {
    private let folder: URL
    private static let marker = ".kanmon-reports"

    /// Chooses the folder. One that exists is wiped, so it must be empty or hold the reports of an earlier run: nothing
    /// of yesterday can be mistaken for today's, and nothing of the user's is lost.
    init(folder path: String) throws {
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

    /// Writes every report of the judgement.
    func publish(_ judgement: Judgement) throws {
        let root = try judgement.directory.manifest().packageRoot
        var files: [(String, [UInt8])] = [(Self.marker, Array("\(judgement.run.id)\n".utf8))]
        for file in JUnitReport.files(judgement.run) { files.append(("junit/" + file.name, file.bytes)) }
        if let text = CoberturaReport.render(judgement.run, packageRoot: root) {
            files.append(("cobertura.xml", Array(text.utf8)))
        }
        if let text = LCOVReport.render(judgement.run, packageRoot: root) {
            files.append(("lcov.info", Array(text.utf8)))
        }
        files.append(("report.md", Array(MarkdownReport.render(judgement.run, judgement.verdict).utf8)))
        files.append(("report.json", Array(try JSONReport.render(judgement.run, judgement.verdict).utf8)))
        do {
            let staging = folder.deletingLastPathComponent().appending(
                path: ".\(folder.lastPathComponent).\(judgement.run.id)")
            for (name, bytes) in files {
                let file = staging.appending(path: name)
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data(bytes).write(to: file)
            }
            try FileManager.default.copyItem(atPath: judgement.directory.path, toPath: staging.path + "/run")
            try FileManager.default.moveItem(at: staging, to: folder)
        } catch {
            throw Problem(.ioError, "failed to write reports into \(folder.path): \(error.fileSystemReason)")
        }
    }
}
