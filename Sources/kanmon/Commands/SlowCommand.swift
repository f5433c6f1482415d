import Application
import ArgumentParser
import Exports
import Gate
import Pages
import RunModel
import Storage
import Wording

/// `kanmon slow`: where the time goes.
struct SlowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "slow", abstract: "List the slowest tests of a project in its latest full run.")

    @OptionGroup var package: PackageOptions
    @OptionGroup var store: StoreOptions
    @OptionGroup var output: JSONOption

    @OptionGroup var project: ProjectOption
    @OptionGroup var tag: TagOption

    @Option(help: "How many tests at most; default: 20, with --json 50.")
    var limit: Int?

    @Option(help: "How many full runs the median is of.")
    var runs = SheetPage.chartedRuns

    func validate() throws {
        if let limit { try CountArgument.check(limit, of: "--limit") }
        try CountArgument.check(runs, of: "--runs")
    }

    func run() async throws {
        let process = ProcessContext.current
        let stored = StoredRuns(store.home(process), process: process)
        let project = try await stored.requiredProject(project.project, package: package.packagePath)
        let store = try stored.open()
        let limit = ListLength.of(limit, json: output.json)
        let tests = try store.slowest(project: project, limit: limit, runs: runs, tag: tag.tag)
        let names = try store.names(of: tests.map(\.id), project: project)
        if output.json {
            let owners = try store.owners(of: tests.map(\.id), project: project)
            StandardStreams.print(try JSONText.render(tests.map { SlowForm($0, names[$0.id], owners[$0.id]) }))
        } else if tests.isEmpty {
            StandardStreams.print("no test of \(TerminalText.safe(project))\(tag.words) has a recorded duration")
        } else {
            let rows = tests.map {
                [
                    Figures.duration($0.latest), "median \(Figures.duration($0.median))",
                    "longest \(Figures.duration($0.longest))", $0.id.words(title: names[$0.id]?.title),
                ]
            }
            StandardStreams.print(TextTable.render(rows))
        }
    }
}
