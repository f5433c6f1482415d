import ArgumentParser
import Evidence
import Exports
import Foundation
import Gate
import RunModel
import Storage

/// `kanmon report`: a stored run for another reader.
struct ReportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report", abstract: "Print a stored run, or write it for another reader.")

    /// The forms a run can take.
    enum Format: String, CaseIterable, ExpressibleByArgument {
        case text, json, markdown, junit, cobertura, lcov
    }

    @OptionGroup var selection: RunSelection
    @OptionGroup var package: PackageOptions
    @OptionGroup var store: StoreOptions

    @Option(help: "text, json, markdown, junit, cobertura or lcov.")
    var format = Format.text

    @Option(
        help: ArgumentHelp("Write into this file (junit: this folder) instead of standard output.", valueName: "path"))
    var out: String?

    func validate() throws {
        if format == .junit, out == nil { throw ValidationError("junit is a folder of files: name it with --out") }
    }

    func run() async throws {
        let surroundings = Surroundings.current
        let found = try await StoredRuns(store.home(surroundings), surroundings: surroundings)
            .find(selection, package: package)
        let run = found.run
        let verdict = found.verdict
        switch format {
        case .text where out == nil:
            Presentation(surroundings: surroundings).show(
                run, verdict: verdict, sources: found.directory.map(KeptSources.init))
        case .text:
            try write(
                TextReport.render(run, verdict), surroundings)
        case .json: try write(try JSONReport.render(run, verdict), surroundings)
        case .markdown: try write(MarkdownReport.render(run, verdict), surroundings)
        case .cobertura:
            try write(coverage(CoberturaReport.render(run, packageRoot: try found.packageRoot)), surroundings)
        case .lcov: try write(coverage(LCOVReport.render(run, packageRoot: try found.packageRoot)), surroundings)
        case .junit:
            try JUnitReport.files(run).forEach { try write($0.bytes, to: "\(out ?? ".")/\($0.name)", surroundings) }
        }
    }

    private func coverage(_ text: String?) throws -> String {
        guard let text else { throw Problem(.badInput, "the run has no coverage to write") }
        return text
    }

    private func write(_ text: String, _ surroundings: Surroundings) throws {
        guard let out else { return StandardStreams.print(text) }
        try write(Array(text.utf8), to: out, surroundings)
    }

    private func write(_ bytes: [UInt8], to path: String, _ surroundings: Surroundings) throws {
        let file = URL(fileURLWithPath: surroundings.absolute(path))
        do {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(bytes).write(to: file, options: .atomic)
        } catch {
            throw Problem(.ioError, "failed to write \(path): \(error.fileSystemReason)")
        }
    }
}
