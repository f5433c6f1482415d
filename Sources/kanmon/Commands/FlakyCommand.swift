import ArgumentParser
import Exports
import Foundation
import Gate
import RunModel
import Storage
import Wording

/// `kanmon flaky`: which tests cannot be relied on.
struct FlakyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "flaky",
        abstract: "List the flaky tests of a project, the worst first.",
        discussion: """
            A test is listed if it failed and passed on the same tree, in one run or in several, or if its outcome \
            changed more than twice from one run of a branch to the next. Skipped tests and runs of changed working \
            copies do not count.
            """
    )

    @OptionGroup var package: PackageOptions
    @OptionGroup var store: StoreOptions
    @OptionGroup var output: JSONOption

    @OptionGroup var project: ProjectOption
    @OptionGroup var tag: TagOption

    @Option(help: "How many tests at most.")
    var limit = 20

    @Option(
        help: ArgumentHelp("Use runs since this day (2026-12-01), or of this many days (30d).", valueName: "time"))
    var since = "30d"

    func validate() throws {
        try CountArgument.check(limit, of: "--limit")
        guard Self.moment(since, now: Date(timeIntervalSince1970: 0)) != nil else {
            throw ValidationError("--since is a day such as 2026-12-01, or a number of days such as 30d")
        }
    }

    func run() async throws {
        let surroundings = Surroundings.current
        let stored = StoredRuns(store.home(surroundings), surroundings: surroundings)
        let project = try await stored.requiredProject(project.project, package: package)
        let start = Self.moment(since, now: surroundings.now) ?? surroundings.now
        let store = try stored.open()
        let tests = try store.flakiest(project: project, since: start, limit: limit, tag: tag.tag)
        let titles = try store.titles(of: tests.map(\.id), project: project)
        let statuses = try store.quarantine(of: project).compactMap { status in status.id.map { ($0, status) } }
        let quarantine = Dictionary(statuses) { first, _ in first }
        if output.json {
            StandardStreams.print(
                try JSONText.render(tests.map { Row($0, title: titles[$0.id], quarantine[$0.id]) }))
        } else if tests.isEmpty {
            StandardStreams.print("no test of \(TerminalText.safe(project))\(tag.words) is flaky according to its runs")
        } else {
            let rows = tests.map {
                [
                    Figures.counted($0.disagreements, "tree disagrees", "trees disagree"),
                    Figures.counted($0.flips, "flip"),
                    "failed \(Figures.grouped($0.failures)) of \(Figures.grouped($0.executions))",
                    $0.id.words(title: titles[$0.id]) + (quarantine[$0.id].map { ", \($0.words)" } ?? ""),
                ]
            }
            StandardStreams.print(TextTable.render(rows))
        }
    }

    /// The moment that `--since` means; `nil` for anything else than a day or a number of days.
    static func moment(_ text: String, now: Date) -> Date? {
        if let day = CalendarDay(text) { return day.start }
        guard text.hasSuffix("d"), let days = Int(text.dropLast()), (1...36_500).contains(days) else { return nil }
        return now.addingTimeInterval(-Double(days) * 86_400)
    }

    private struct Row: Encodable {
        let test: String
        /// The display name; `nil` without one that says more.
        let title: String?
        let disagreements: Int
        let flips: Int
        let failures: Int
        let recoveries: Int
        let executions: Int
        let lastFailure: String?
        /// Its entry of the quarantine in the latest full run; `nil` without one.
        let quarantine: QuarantineEntry?

        init(_ test: FlakyTest, title: String?, _ status: QuarantineStatus?) {
            quarantine = status?.entry
            self.test = test.id.description
            self.title = title
            disagreements = test.disagreements
            flips = test.flips
            failures = test.failures
            recoveries = test.recoveries
            executions = test.executions
            lastFailure = test.lastFailure?.description
        }
    }
}
