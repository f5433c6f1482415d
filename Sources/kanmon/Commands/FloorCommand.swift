import Application
import ArgumentParser
import Exports
import Gate
import RunModel
import SettingsFile
import TestRunning

/// `kanmon floor`: what a module must cover.
struct FloorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "floor",
        abstract: "Set the coverage floor of a module: write it, and say how to commit it.",
        discussion: """
            Writes the floor to coverage.modules of .kanmon.yml and prints the commit to make. A floor that is lower \
            than before weakens the gate: it needs --reason, and an empty commit with the waiver comes first. The \
            waiver has to last until both are on the default branch.
            """
    )

    @Argument(
        help: ArgumentHelp(
            "A target of the package; default for those without a floor of their own.", valueName: "module"))
    var module: String

    @Argument(help: ArgumentHelp("What it must reach, such as 79.5; 0 is no floor.", valueName: "percent"))
    var percent: Percentage

    @Option(help: "What is counted: line, region or function.")
    var metric = CoverageMetric.line

    @Option(help: ArgumentHelp("Why it is lower than before.", valueName: "text"))
    var reason: String?

    @Option(
        help: ArgumentHelp(
            "The last day of the waiver in UTC (2026-12-01), or a number of days from now.", valueName: "day"))
    var until = "30d"

    @OptionGroup var edits: SettingsEditOptions

    func run() async throws {
        let process = ProcessContext.current
        let lastDay = try SettingsEdit.day(until, today: CalendarDay(process.now))
        let edit = try await SettingsEdit(edits.package.packagePath, process)
        let isDefault = module == Settings.defaultModule
        let floors = isDefault ? edit.policy.defaultFloors : edit.policy.floors(for: module)
        let before = floors[metric] ?? .zero
        guard percent != before else {
            throw Problem(.usage, "the \(metric.rawValue) floor of \(module) is \(before) % already")
        }
        let (settings, text) = try edit.edited(to: changed(edit.policy)) { text in
            try text.set(
                percent.description, for: metric.rawValue, in: ["coverage", "modules", module],
                shorthand: CoverageMetric.line.rawValue)
        }
        let described = try await edit.context.describe(process, home: edits.store.home(process))
        try settings.check(modules: described.modules)
        let words = "\(TerminalText.safe(module)): \(metric.rawValue) floor \(percent) %, before \(before) %"
        try edits.end(edit, with: text, words: words, title: "\(metric.rawValue) floor of \(module): \(percent) %") {
            try waiver(from: before, until: lastDay)
        }
    }

    /// The policy with the floor.
    private func changed(_ policy: Policy) -> Policy {
        var policy = policy
        if module == Settings.defaultModule {
            policy.defaultFloors[metric] = percent
        } else if let place = policy.modules.firstIndex(where: { $0.pattern == module }) {
            policy.modules[place].floors[metric] = percent
        } else {
            var floors = Floors()
            floors[metric] = percent
            policy.modules.insert(ModuleRule(pattern: module, floors: floors), at: 0)
        }
        return policy
    }

    /// What lets a lower floor through; `nil` for one that is not lower.
    private func waiver(from before: Percentage, until: CalendarDay) throws -> SettingsEdit.Waiver? {
        guard percent < before else { return nil }
        guard let reason else {
            throw Problem(
                .usage, "\(percent) % is lower than \(before) %, which needs a waiver", hint: "say why with --reason")
        }
        let isDefault = module == Settings.defaultModule
        return SettingsEdit.Waiver(
            subject: isDefault ? "default-floor-lowered" : "floor-lowered", until: until, reason: reason)
    }
}
