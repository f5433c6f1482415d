import Application
import ArgumentParser
import Exports
import Foundation
import Gate
import RunModel

/// `kanmon report`: a stored run in another format.
struct ReportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report", abstract: "Print a stored run, or write it in another format.",
        discussion:
            "The formats junit and html are folders; an existing folder is wiped."
    )

    @OptionGroup var selection: RunSelection
    @OptionGroup var package: PackageOptions
    @OptionGroup var store: StoreOptions

    @Option(help: "The format.")
    var format = ReportFormat.text

    @Option(
        help: ArgumentHelp(
            "Write into this file (junit, html: this folder) instead of standard output.", valueName: "path"))
    var out: String?

    @Flag(help: "junit: also write the file and line of each test, which GitLab reads and Jenkins' schema forbids.")
    var fileAttributes = false

    @Flag(help: "junit: a test case for each argument of a parameterized test, where it is known how each ended.")
    var eachArgument = false

    @Option(help: ArgumentHelp("markdown: at most this many bytes, cut at whole entries.", valueName: "bytes"))
    var limit: Int?

    @Option(
        help: ArgumentHelp(
            "The package's folder relative to the repository, if the repository is not on this machine.",
            valueName: "dir"))
    var pathPrefix: String?

    func validate() throws {
        if format.isFolder, out == nil {
            throw ValidationError("\(format.rawValue) is a folder: name it with --out")
        }
        if fileAttributes, format != .junit { throw ValidationError("--file-attributes is for --format junit") }
        if eachArgument, format != .junit { throw ValidationError("--each-argument is for --format junit") }
        if let limit {
            guard format == .markdown else { throw ValidationError("--limit is for --format markdown") }
            guard limit >= 2000 else { throw ValidationError("--limit is at least 2000") }
        }
    }

    func run() async throws {
        let process = ProcessContext.current
        let stored = try await StoredRuns(store.home(process), process: process)
            .find(selection.name(package))
        let found = format.showsDetails ? stored.detailed : stored
        if format == .text, out == nil {
            return try Presentation(process: process).show(found)
        }
        let place = PackagePlace(root: try found.packageRoot, prefix: pathPrefix)
        guard let out = out.map(process.absolute) else {
            let text = try format.text(found, place, limit: limit)
            return text.isEmpty ? () : StandardStreams.print(text)
        }
        switch format {
        case .junit:
            let files = JUnitReport.files(
                found.run, found.verdict, dialect: fileAttributes ? .withPlaces : .strict, eachArgument: eachArgument)
            try ReportFolder(out).fill(of: found.run.id) { put in
                for file in files { try put(ReportFile(file.name, file.bytes)) }
            }
        case .html:
            let pages = ReportPages(
                found, store: try StoredRuns(store.home(process), process: process).open())
            try ReportFolder(out).fill(of: found.run.id) { put in try pages.write(to: put) }
        default: try write(try format.text(found, place, limit: limit), to: out)
        }
    }

    private func write(_ text: String, to path: String) throws {
        let file = URL(fileURLWithPath: path)
        do {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file, options: .atomic)
        } catch {
            throw Problem(.ioError, "failed to write \(path): \(error.fileSystemReason)")
        }
    }
}
