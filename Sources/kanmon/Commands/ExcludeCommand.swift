import Application
import ArgumentParser
import Exports
import Gate
import RunModel
import SettingsFile
import TestRunning

/// `kanmon exclude`: the lines of some files do not count.
struct ExcludeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "exclude",
        abstract: "Exclude files from the coverage: write the entry, and say how to commit it.",
        discussion: """
            Writes the entry to coverage.exclude of .kanmon.yml and prints the two commits to make: an empty one whose \
            message has the waiver, since the entry weakens the gate, and one with the file. The waiver has to last \
            until both are on the default branch.
            """
    )

    @Argument(
        help: ArgumentHelp(
            "Paths below the package's folder, with *, ? and **: \"Sources/*/Generated/**\".", valueName: "pattern"))
    var pattern: String

    @Option(help: ArgumentHelp("Why their lines do not count.", valueName: "text"))
    var reason: String

    @Option(
        help: ArgumentHelp(
            "The last day of the waiver in UTC (2026-12-01), or a number of days from now.", valueName: "day"))
    var until = "30d"

    @OptionGroup var edits: SettingsEditOptions

    func run() async throws {
        let process = ProcessContext.current
        let lastDay = try SettingsEdit.day(until, today: CalendarDay(process.now))
        let edit = try await SettingsEdit(edits.package.packagePath, process)
        guard !edit.policy.excludes.contains(where: { Name($0.pattern) == Name(pattern) }) else {
            throw Problem(
                .usage, "'\(pattern)' is excluded already",
                hint: "kanmon config exclusions lists what each exclude takes out")
        }
        let exclusion = Exclusion(pattern: pattern, reason: reason)
        var expected = edit.policy
        expected.excludes.insert(exclusion, at: 0)
        let (settings, text) = try edit.edited(to: expected) { text in
            try text.add([("path", pattern), ("reason", reason)], to: ["coverage", "exclude"])
        }
        let described = try await edit.context.describe(process, home: edits.store.home(process))
        for doubt in settings.excludesWithoutFile(in: described.modules) { SettingsEdit.tell(doubt) }
        try edits.end(
            edit, with: text, words: "\(TerminalText.safe(pattern)) is excluded: \(TerminalText.safe(reason))",
            title: "exclude \(pattern)"
        ) {
            SettingsEdit.Waiver(subject: "exclude-added", until: lastDay, reason: reason)
        }
    }
}
