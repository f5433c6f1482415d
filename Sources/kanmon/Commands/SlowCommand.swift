import Application
import ArgumentParser
import Exports
import Gate
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

    @Option(help: "How many tests at most.")
    var limit = 20

    @Option(help: "How many runs the median is taken from.")
    var runs = 20

    func validate() throws {
        try CountArgument.check(limit, of: "--limit")
        try CountArgument.check(runs, of: "--runs")
    }

    func run() async throws {
        let surroundings = Surroundings.current
        let stored = StoredRuns(store.home(surroundings), surroundings: surroundings)
        let project = try await stored.requiredProject(project.project, package: package.packagePath)
        let store = try stored.open()
        let tests = try store.slowest(project: project, limit: limit, runs: runs, tag: tag.tag)
        let titles = try store.titles(of: tests.map(\.id), project: project)
        if output.json {
            StandardStreams.print(try JSONText.render(tests.map { Row($0, title: titles[$0.id]) }))
        } else if tests.isEmpty {
            StandardStreams.print("no test of \(TerminalText.safe(project))\(tag.words) has a recorded duration")
        } else {
            let rows = tests.map {
                [
                    Figures.duration($0.latest), "median \(Figures.duration($0.median))",
                    "longest \(Figures.duration($0.longest))", $0.id.words(title: titles[$0.id]),
                ]
            }
            StandardStreams.print(TextTable.render(rows))
        }
    }

    private struct Row: Encodable {
        let test: String
        /// The display name; `nil` without one that says more.
        let title: String?
        let latestNanoseconds: Int64
        let medianNanoseconds: Int64
        let longestNanoseconds: Int64
        let runs: Int

        init(_ test: SlowTest, title: String?) {
            self.test = test.id.description
            self.title = title
            latestNanoseconds = test.latest.nanosecondCount
            medianNanoseconds = test.median.nanosecondCount
            longestNanoseconds = test.longest.nanosecondCount
            runs = test.runs
        }
    }
}
