import Application
import ArgumentParser
import Exports
import Foundation
import Gate
import Repository
import RunModel
import SettingsFile
import Wording

extension ConfigCommand {
    /// `kanmon config exclusions`: the list of excludes.
    struct Exclusions: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "exclusions",
            abstract: "List every exclude with its reason, its size in a stored run, its age, and warnings."
        )

        @OptionGroup var selection: RunSelection
        @OptionGroup var package: PackageOptions
        @OptionGroup var store: StoreOptions
        @OptionGroup var output: JSONOption

        func run() async throws {
            let process = ProcessContext.current
            let stored = StoredRuns(store.home(process), process: process)
            let found = try await stored.find(selection.name(package))
            var statuses = found.run.exclusions(under: found.verdict.policy)
            for index in statuses.indices {
                statuses[index].since = try await since(statuses[index].exclusion, process)
            }
            if output.json {
                StandardStreams.print(try JSONText.render(statuses.map { ExclusionForm($0) }))
            } else if statuses.isEmpty {
                StandardStreams.print("nothing is excluded")
            } else {
                StandardStreams.print(TextTable.render(statuses.map { Self.cells($0) }))
            }
        }

        /// The day on which the pattern was added to the settings of the package; `nil` if unknown.
        private func since(_ exclusion: Exclusion, _ process: ProcessContext) async throws -> CalendarDay? {
            let root = process.real(package.packagePath)
            let found = try await GitRepository.discover(
                at: root, environment: GitEnvironment(process.environment))
            guard let repository = found else { return nil }
            let file = try await repository.packageSubpath(of: root).path(SettingsLoader.fileName)
            return try await repository.firstCommit(of: exclusion.pattern, in: file).map { CalendarDay($0) }
        }
    }
}

extension ConfigCommand.Exclusions {
    fileprivate static func cells(_ status: ExclusionStatus) -> [String] {
        [
            status.exclusion.pattern, Figures.counted(status.files, "file"),
            Figures.counted(status.lines.total, "line"), status.since.map { "since \($0)" } ?? "–", status.statedReason,
            status.warningText.map { "! \($0)" } ?? "",
        ]
    }
}
