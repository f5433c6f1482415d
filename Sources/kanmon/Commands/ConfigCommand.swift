import Application
import ArgumentParser
import Exports
import Foundation
import Gate
import Pages
import Repository
import RunModel
import SettingsFile
import Storage
import TestRunning
import Wording

/// `kanmon config`: show and check the settings.
struct ConfigCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Check the settings of a package, or show every value and where it came from.",
        subcommands: [Show.self, Check.self, Exclusions.self]
    )
}

extension ConfigCommand {
    /// `kanmon config show`.
    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Show every value and where it came from: flag, environment, file or default.")

        @OptionGroup var package: PackageOptions
        @OptionGroup var store: StoreOptions
        @OptionGroup var output: JSONOption

        func run() async throws {
            let process = ProcessContext.current
            let found = try await found(process)
            let entries = try SettingsLoader(process: process)
                .load(
                    packageRoot: process.real(package.packagePath), flags: SettingsFlags(home: store.home)
                )
                .described().map { entry in
                    var entry = entry
                    if entry.origin == .builtIn, let value = found[entry.key] { entry.value = value }
                    return entry
                }
            if output.json {
                let rows = entries.map { ["key": $0.key, "value": $0.value, "origin": $0.origin.description] }
                StandardStreams.print(try JSONText.render(rows))
            } else {
                StandardStreams.print(
                    TextTable.render(
                        entries.map { [$0.key, $0.value, $0.origin.description] }))
                if let words = await ledger(process) {
                    StandardStreams.print("\nhooks.pre-commit.tests: executing: \(words)")
                }
            }
        }

        /// What is found here for keys that nobody set, as far as that is possible.
        private func found(_ process: ProcessContext) async throws -> [String: String] {
            var values = ["home": store.home(process).path]
            values["swift"] =
                (try? ToolchainLocator(environment: process.environment).findSwift()) ?? "(none in PATH)"
            guard let context = try? await PackageContext.load(package.packagePath, process: process) else {
                return values
            }
            values["project"] = context.project
            guard let repository = context.repository else {
                let none = "(none, as the package is not in git)"
                values["base"] = none
                values["owners.form"] = none
                return values
            }
            let finder = BaselineFinder(
                process: process, home: store.home(process), repository: repository,
                subpath: try await repository.packageSubpath(of: context.root), project: context.project,
                swiftOverride: nil)
            values["base"] = try await finder.defaultBranch()?.name ?? "(none yet)"
            if let workTree = repository.workTree {
                values["owners.form"] = try await finder.ownersForm(below: workTree)
            }
            return values
        }

        /// What a selection of tests would have saved and missed so far; `nil` where nothing is known of it.
        private func ledger(_ process: ProcessContext) async -> String? {
            let stored = StoredRuns(store.home(process), process: process)
            guard stored.home.hasStore, let reader = try? stored.open(),
                let project = try? await stored.project(nil, package: package.packagePath),
                let ledger = try? reader.selectionLedger(of: project, limit: SheetPage.triedRuns),
                !ledger.entries.isEmpty
            else { return nil }
            return ledger.words
        }
    }

    /// `kanmon config check`.
    struct Check: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "check",
            abstract: "Check the settings against the package: keys, types, and that every rule matches a module.")

        @OptionGroup var package: PackageOptions
        @OptionGroup var store: StoreOptions

        func run() async throws {
            let process = ProcessContext.current
            let context = try await PackageContext.load(package.packagePath, process: process)
            let described = try await context.describe(process, home: store.home(process))
            try context.settings.check(modules: described.modules)
            for doubt in context.settings.excludesWithoutFile(in: described.modules) { SettingsEdit.tell(doubt) }
            StandardStreams.print("settings for \(TerminalText.safe(described.name)) are valid")
        }
    }
}
