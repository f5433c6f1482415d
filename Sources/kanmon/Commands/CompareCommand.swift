import Application
import ArgumentParser
import Exports
import Foundation
import Gate
import RunModel
import Storage
import Wording

/// `kanmon compare`: what changed between two runs.
struct CompareCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare",
        abstract: "Say what changed from one stored run to another: tests that regressed, were fixed, came or went.",
        discussion: """
            It also lists which changed lines the later run covers, if git here has the exact files of both runs.
            """
    )

    @Argument(help: ArgumentHelp("The earlier run: \(RunSelection.names).", valueName: "run"))
    var before: String

    @Argument(help: ArgumentHelp("The later run.", valueName: "run"))
    var after = "latest"

    @OptionGroup var project: ProjectOption

    @OptionGroup var package: PackageOptions
    @OptionGroup var store: StoreOptions
    @OptionGroup var output: JSONOption

    func run() async throws {
        let process = ProcessContext.current
        let stored = StoredRuns(store.home(process), process: process)
        let reader = try stored.open()
        func identify(_ text: String) async throws -> RunID {
            try await stored.identify(
                RunName(text: text, project: project.project, package: package.packagePath), in: reader)
        }
        let (first, second) = (try await identify(before), try await identify(after))
        let found = try reader.titledComparison(first, second)
        let change = try await RunDifference(process: process, packagePath: package.packagePath)
            .status(of: second, since: first, in: reader)
        StandardStreams.print(
            output.json
                ? try JSONText.render(ComparisonForm(found, change))
                : ComparisonReport(found, change: change, now: process.now).text)
    }
}
