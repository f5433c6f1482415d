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
            let surroundings = Surroundings.current
            let stored = StoredRuns(store.home(surroundings), surroundings: surroundings)
            let found = try await stored.find(selection.name(package))
            var rows: [Row] = []
            for status in found.run.exclusions(under: found.verdict.policy) {
                rows.append(Row(status, since: try await since(status.exclusion, surroundings)))
            }
            if output.json {
                StandardStreams.print(try JSONText.render(rows))
            } else if rows.isEmpty {
                StandardStreams.print("nothing is excluded")
            } else {
                StandardStreams.print(TextTable.render(rows.map(\.cells)))
            }
        }

        /// The day on which the pattern was added to the settings of the package; `nil` if unknown.
        private func since(_ exclusion: Exclusion, _ surroundings: Surroundings) async throws -> CalendarDay? {
            let root = surroundings.real(package.packagePath)
            let found = try await GitRepository.discover(
                at: root, environment: GitEnvironment(surroundings.environment))
            guard let repository = found else { return nil }
            let file = try await repository.packageSubpath(of: root).path(SettingsLoader.fileName)
            return try await repository.firstCommit(of: exclusion.pattern, in: file).map { CalendarDay($0) }
        }
    }
}

extension ConfigCommand.Exclusions {
    fileprivate struct Row: Encodable {
        let path: String
        let reason: String?
        let files: Int
        let lines: Int
        let executedLines: Int
        let since: String?
        let warning: String?
        private let statedReason: String
        private let oddity: String?

        private enum CodingKeys: String, CodingKey {
            case path, reason, files, lines, executedLines, since, warning
        }

        init(_ status: ExclusionStatus, since: CalendarDay?) {
            statedReason = status.statedReason
            oddity = status.oddity
            path = status.exclusion.pattern
            reason = status.exclusion.reason
            files = status.files
            lines = status.lines.total
            executedLines = status.lines.covered
            self.since = since?.description
            warning = status.warning?.rawValue
        }

        var cells: [String] {
            [
                path, Figures.counted(files, "file"), Figures.counted(lines, "line"),
                since.map { "since \($0)" } ?? "–", statedReason, oddity.map { "! \($0)" } ?? "",
            ]
        }
    }
}
