import Application
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
            "The last day of the quarantine in UTC (2026-12-01), or a number of days from now (14d).",
            valueName: "day"))
    var until: String

    @Option(help: ArgumentHelp("Why the test fails; default: how often it failed lately.", valueName: "text"))
    var reason: String?

    @OptionGroup var edits: SettingsEditOptions

    func run() async throws {
        let process = ProcessContext.current
        let today = CalendarDay(process.now)
        let lastDay = try SettingsEdit.day(until, today: today)
        let edit = try await SettingsEdit(edits.package.packagePath, process)
        let stored = StoredRuns(edits.store.home(process), process: process)
        let name = try knownName(edit.context, stored)
        if let old = edit.policy.quarantine.first(where: { Name($0.test) == Name(name) }) {
            throw Problem(
                .usage, "\(name) is in quarantine until \(old.expires) already",
                hint: "change 'expires' of its entry in \(SettingsLoader.fileName)")
        }
        let entry = QuarantineEntry(
            test: name, owner: owner,
            reason: try reason ?? self.history(name, edit.context, stored, process.now), expires: lastDay)
        var expected = edit.policy
        expected.quarantine.insert(entry, at: 0)
        let (_, text) = try edit.edited(to: expected) { text in
            let fields = [
                ("test", entry.test), ("owner", entry.owner), ("reason", entry.reason),
                ("expires", entry.expires.description),
            ]
            try text.add(fields.map { (key: $0, value: $1) }, to: ["tests", "quarantine"])
        }
        try edits.end(
            edit, with: text, words: "\(TerminalText.safe(name)) is \(TerminalText.safe(entry.words))",
            title: "quarantine \(name)"
        ) {
            SettingsEdit.Waiver(subject: "quarantine-added", until: entry.expires, reason: entry.reason)
        }
    }

    /// The name of the test in the latest full run; the one given if no run is stored.
    private func knownName(_ context: PackageContext, _ stored: StoredRuns) throws -> String {
        guard stored.home.hasStore else { return test }
        let reader = try stored.open()
        let latest = try reader.runs(project: context.project, limit: 50).first { !$0.isPartial && !$0.isUntested }
        guard let latest else { return test }
        let names = try reader.results(of: latest.id).map(\.id.description)
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
}
