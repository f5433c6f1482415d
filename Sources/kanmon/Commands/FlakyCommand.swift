import Application
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
            copies do not count. A test that fails in every run of the default branch since one of them is broken, \
            not flaky, and is listed last.

            With a test, it shows the history of that test over months: how often it fails, since when, where and with \
            which message. It also shows an entry for the quarantine, but does not write it.
            """
    )

    @Argument(
        help: ArgumentHelp(
            "One test only, as reports show it, or its end: CoreTests.URLTests/testHost.", valueName: "test"))
    var test: String?

    @OptionGroup var package: PackageOptions
    @OptionGroup var store: StoreOptions
    @OptionGroup var output: JSONOption

    @OptionGroup var project: ProjectOption
    @OptionGroup var tag: TagOption

    @Option(help: "How many tests at most; default: 20, with --json 50.")
    var limit: Int?

    @Option(
        help: ArgumentHelp(
            "Use runs since this day (2026-12-01), or of this many days; default: 30d, of one test 180d.",
            valueName: "time"))
    var since: String?

    func validate() throws {
        if let limit { try CountArgument.check(limit, of: "--limit") }
        if let since, Self.moment(since, now: Date(timeIntervalSince1970: 0)) == nil {
            throw ValidationError("--since is a day such as 2026-12-01, or a number of days such as 30d")
        }
        if test != nil, tag.tag != nil || limit != nil {
            throw ValidationError("--tag and --limit are for the list: leave them out for one test")
        }
    }

    func run() async throws {
        let process = ProcessContext.current
        let stored = StoredRuns(store.home(process), process: process)
        let project = try await stored.requiredProject(project.project, package: package.packagePath)
        let since = since ?? "\(test == nil ? 30 : FlakeHistory.days)d"
        let start = Self.moment(since, now: process.now) ?? process.now
        let store = try stored.open()
        if let test {
            let report = try FlakeReport(
                of: test, project: project, since: start, in: store, today: CalendarDay(process.now))
            return StandardStreams.print(output.json ? try JSONText.render(report.form) : report.text)
        }
        let limit = ListLength.of(limit, json: output.json)
        let tests = try store.flakiest(project: project, since: start, limit: limit, tag: tag.tag)
        let names = try store.names(of: tests.map(\.id), project: project)
        let statuses = try store.quarantine(of: project).compactMap { status in status.id.map { ($0, status) } }
        let quarantine = Dictionary(statuses) { first, _ in first }
        if output.json {
            let owners = try store.owners(of: tests.map(\.id), project: project)
            let forms = tests.map { FlakyForm($0, names[$0.id], quarantine[$0.id], owners[$0.id]) }
            return StandardStreams.print(try JSONText.render(forms))
        }
        let window = try store.flakyWindow(project: project, since: start)
        StandardStreams.print("\(Self.words(since)): \(window.words)")
        if let hidden = window.hiddenWords { StandardStreams.print(hidden) }
        guard !tests.isEmpty else {
            return StandardStreams.print(
                "no test of \(TerminalText.safe(project))\(tag.words) is flaky according to its runs")
        }
        let rows = tests.map { test -> [String] in
            let interval = test.rate.executions == 0 ? "–" : test.rate.interval
            let owned = quarantine[test.id].map { ", \($0.words)" } ?? ""
            return [
                test.kind.rawValue, test.rate.share, interval,
                Figures.counted(test.disagreements, "tree disagrees", "trees disagree"),
                Figures.counted(test.flips, "flip"),
                "failed \(Figures.grouped(test.failures)) of \(Figures.grouped(test.executions))",
                test.id.words(title: names[test.id]?.title) + owned,
            ]
        }
        StandardStreams.print(TextTable.render(rows))
    }

    /// The moment that `--since` means; `nil` for anything else than a day or a number of days.
    static func moment(_ text: String, now: Date) -> Date? {
        if let day = CalendarDay(text) { return day.start }
        return days(text).map { now.addingTimeInterval(-Double($0) * 86_400) }
    }

    /// What `--since` means, in words.
    private static func words(_ text: String) -> String {
        days(text).map { "in the last \(Figures.counted($0, "day"))" } ?? "since \(text)"
    }

    private static func days(_ text: String) -> Int? {
        guard text.hasSuffix("d"), let days = Int(text.dropLast()), (1...36_500).contains(days) else { return nil }
        return days
    }
}
