import ArgumentParser
import Exports
import Foundation
import Gate
import Repository
import RunModel
import SettingsFile
import Storage
import Wording

/// `kanmon quarantine`: a flaky test blocks nothing for a time.
struct QuarantineCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "quarantine",
        abstract: "Put a flaky test in quarantine: write the entry, and say how to commit it.",
        discussion: """
            Writes the entry to tests.quarantine of .kanmon.yml and prints the two commits to make: an empty one whose \
            message has the waiver, since the entry weakens the gate, and one with the file. The waiver ends with the \
            entry, so that the day is named once.
            """
    )

    @Argument(
        help: ArgumentHelp("The test as reports show it, or its end: CoreTests.URLTests/testHost.", valueName: "test"))
    var test: String

    @Option(help: ArgumentHelp("Who repairs the test.", valueName: "name"))
    var owner: String

    @Option(
        help: ArgumentHelp(
            "The last day of the quarantine in UTC (2026-12-01), or so many days from now (14d).", valueName: "day"))
    var until: String

    @Option(help: ArgumentHelp("Why the test fails; default: how often it failed lately.", valueName: "text"))
    var reason: String?

    @Flag(help: "Print the new settings instead of writing the file.")
    var print = false

    @OptionGroup var package: PackageOptions
    @OptionGroup var store: StoreOptions

    func run() async throws {
        let surroundings = Surroundings.current
        let today = CalendarDay(surroundings.now)
        let lastDay = try Self.day(until, today: today)
        let context = try await PackageContext.load(package.packagePath, surroundings: surroundings)
        let stored = StoredRuns(store.home(surroundings), surroundings: surroundings)
        let name = try knownName(context, stored)
        let old = try SettingsLoader(surroundings: surroundings).text(packageRoot: context.root)
        let settings = try Settings.read(text: old ?? "", file: SettingsLoader.fileName)
        if let old = settings.policy.quarantine.first(where: { Name($0.test) == Name(name) }) {
            throw Problem(
                .usage, "\(name) is in quarantine until \(old.expires) already",
                hint: "change 'expires' of its entry in \(SettingsLoader.fileName)")
        }
        let entry = QuarantineEntry(
            test: name, owner: owner, reason: try reason ?? self.history(name, context, stored, surroundings.now),
            expires: lastDay)
        let path = "\(context.root)/\(SettingsLoader.fileName)"
        let text = try Self.adding(entry, to: old ?? "version: 1\n")
        if print { return StandardStreams.print(text) }
        do {
            try Data(text.utf8).write(to: URL(fileURLWithPath: surroundings.real(path)), options: .atomic)
        } catch {
            throw Problem(.ioError, "failed to write \(path): \(error.fileSystemReason)")
        }
        StandardStreams.print("\(TerminalText.safe(name)) is \(TerminalText.safe(entry.words))")
        let folder = context.root == surroundings.real(".") ? nil : context.root
        StandardStreams.tell(Self.commits(entry, in: folder, isNewFile: old == nil))
    }

    /// The day that `--until` means.
    static func day(_ text: String, today: CalendarDay) throws -> CalendarDay {
        let days = text.hasSuffix("d") ? Int(text.dropLast()) : nil
        guard let day = CalendarDay(text) ?? days.flatMap({ (0...10_000).contains($0) ? today.adding(days: $0) : nil })
        else { throw ValidationError("--until is a day such as 2026-12-01, or a number of days such as 14d") }
        guard day >= today, day <= today.adding(days: Waiver.longest) else {
            throw ValidationError(
                "--until \(day) is not between today, \(today), and \(today.adding(days: Waiver.longest)), "
                    + "the last day that a waiver can have")
        }
        return day
    }

    /// The name of the test in the latest run of all tests; the one given if no run is stored.
    private func knownName(_ context: PackageContext, _ stored: StoredRuns) throws -> String {
        guard stored.home.hasStore else { return test }
        let reader = try stored.open()
        let latest = try reader.runs(project: context.project, limit: 50).first { !$0.isPartial && !$0.isUntested }
        guard let latest, let run = try reader.run(latest.id)?.run else { return test }
        let names = run.tests.map(\.id.description)
        if names.contains(where: { Name($0) == Name(test) }) { return test }
        let ends = names.filter { $0.hasSuffix("/\(test)") || $0.hasSuffix(".\(test)") }
        if ends.count == 1 { return ends[0] }
        let near = ends.isEmpty ? [Spelling.nearest(to: test, among: names)].compactMap { $0 } : Array(ends.prefix(5))
        throw Problem(
            .usage,
            ends.isEmpty
                ? "run \(latest.id.short), the latest of all tests, has no test '\(test)'"
                : "\(ends.count) tests end with '\(test)'",
            hint: near.isEmpty ? "kanmon flaky" : near.map { TerminalText.safe($0) }.joined(separator: ", or "))
    }

    /// Why, where nobody says it: how often the test failed in the last thirty days.
    private func history(
        _ name: String, _ context: PackageContext, _ stored: StoredRuns, _ now: Date
    ) throws -> String {
        let unknown = Problem(.usage, "no stored run shows '\(name)' as flaky", hint: "say why with --reason")
        guard stored.home.hasStore else { throw unknown }
        let since = now.addingTimeInterval(-30 * 86_400)
        let flaky = try stored.open().flakiest(project: context.project, since: since, limit: .max)
        guard let found = flaky.first(where: { Name($0.id.description) == Name(name) }) else { throw unknown }
        return
            "failed \(Figures.grouped(found.failures)) of \(Figures.grouped(found.executions)) times since \(CalendarDay(since))"
    }

    /// The text of settings with an entry more.
    ///
    /// - Throws: `Problem` if it cannot be read back with that entry: then nothing is written.
    static func adding(_ entry: QuarantineEntry, to text: String) throws -> String {
        var edited = SettingsText(text, file: SettingsLoader.fileName)
        try edited.add(
            [
                ("test", entry.test), ("owner", entry.owner), ("reason", entry.reason),
                ("expires", entry.expires.description),
            ], to: ["tests", "quarantine"])
        var expected = try Settings.read(text: text, file: SettingsLoader.fileName).policy
        expected.quarantine.insert(entry, at: 0)
        guard try Settings.read(text: edited.text, file: SettingsLoader.fileName).policy == expected else {
            throw Problem(.badConfiguration, "cannot add to \(SettingsLoader.fileName)", hint: "add the entry by hand")
        }
        return edited.text
    }

    /// What to commit, as commands for a shell.
    ///
    /// - Parameter folder: The package's folder; `nil` if it is the working directory.
    static func commits(_ entry: QuarantineEntry, in folder: String?, isNewFile: Bool) -> String {
        let git = folder.map { "git -C \(ShellWord.quoted($0))" } ?? "git"
        // A trailer is of one line.
        let reason = entry.reason.split(whereSeparator: \.isNewline).joined(separator: " ")
        let waiver = "Kanmon-Waiver: quarantine-added until=\(entry.expires) \(reason)"
        let title = ShellWord.quoted("quarantine \(entry.test)")
        let added = isNewFile ? "\n  \(git) add -- \(SettingsLoader.fileName)" : ""
        return TerminalText.safeLines(
            """
            It is a change of the gate. Commit the waiver first, since a hook does not know the message of its own commit:
              \(git) commit --allow-empty -m \(title) -m \(ShellWord.quoted(waiver))\(added)
              \(git) commit -m \(title) -- \(SettingsLoader.fileName)
            """
        ).joined(separator: "\n")
    }
}
