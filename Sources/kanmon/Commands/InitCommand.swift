import Application
import ArgumentParser
import Exports
import Foundation
import Gate
import Repository
import RunModel
import SettingsFile
import Storage
import TestRunning

/// `kanmon init`: write the first settings.
struct InitCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Write a .kanmon.yml that lists the package's modules.",
        discussion: """
            If a run of the package is stored, each floor is what that run covered, so that the gate passes now and \
            coverage cannot fall. A run of the commit that is checked out comes before later ones.
            """
    )

    @OptionGroup var package: PackageOptions
    @OptionGroup var store: StoreOptions

    @Flag(help: "Print the settings instead of writing the file.")
    var print = false

    func run() async throws {
        let process = ProcessContext.current
        let context = try await PackageContext.load(package.packagePath, process: process)
        let described = try await context.describe(process, home: store.home(process))
        let text = Settings.sample(
            modules: described.modules, measured: try await measured(context, process: process))
        if print { return StandardStreams.print(text) }
        let path = context.root + "/" + SettingsLoader.fileName
        do {
            try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .withoutOverwriting)
        } catch CocoaError.fileWriteFileExists {
            throw Problem(.usage, "\(path) already exists", hint: "kanmon init --print")
        } catch {
            throw Problem(.ioError, "failed to write \(path): \(error.fileSystemReason)")
        }
        StandardStreams.print("wrote \(path)")
        StandardStreams.tell("Project: \(TerminalText.safe(context.project))")
        StandardStreams.tell("Next: kanmon run")
    }

    /// The coverage of a full run by module: of the commit that is checked out, else of the latest run; `nil` if
    /// there is none.
    private func measured(
        _ context: PackageContext, process: ProcessContext
    ) async throws -> [String: CoverageTally]? {
        let home = store.home(process)
        guard home.hasStore else { return nil }
        let reader = try StoredRuns(home, process: process).open()
        let isWhole = { (run: RunSummary) in !run.isPartial && run.lines != nil }
        var found: RunSummary?
        // The first settings will be compared with the coverage of their parent commit.
        if let repository = context.repository, let head = try await repository.commit(at: "HEAD"),
            let tree = try await repository.tree(of: head)
        {
            found = try reader.runs(
                ofTree: tree.hexadecimal, at: try await repository.packageSubpath(of: context.root).folder,
                project: context.project, limit: 50
            )
            .first { isWhole($0) && $0.answersForTree }
        }
        if found == nil { found = try reader.runs(project: context.project, limit: 50).first(where: isWhole) }
        guard let found, let verdict = try reader.verdict(of: found) else { return nil }
        let measured = verdict.modules.filter { $0.notMeasurable == nil && $0.lines.total > 0 }
        return Dictionary(measured.map { ($0.module, $0.lines) }) { first, _ in first }
    }
}
