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
            waiver has to last until both are on the default branch. A pattern stands after the rules of \
            single modules, which keep their floors, and before a more general one, such as '*'.
            """
    )

    @Argument(
        help: ArgumentHelp(
            "A target of the package, or a pattern such as '*UI'; default for those without a floor of their own.",
            valueName: "module"))
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
        let described = try await edit.context.describe(process, home: edits.store.home(process))
        let place = isDefault ? nil : try FloorPlace(module, in: edit.policy, described.modules)
        let before = place?.floors[metric] ?? edit.policy.defaultFloors[metric] ?? .zero
        guard percent != before else {
            throw Problem(.usage, "the \(metric.rawValue) floor of \(module) is \(before) % already")
        }
        var floors = place.flatMap { $0.isNew ? $0.floors : nil } ?? Floors()
        floors[metric] = percent
        let (settings, text) = try edit.edited(to: changed(edit.policy, place, floors)) { text in
            // Each is set before those that are there.
            for metric in CoverageMetric.allCases.reversed() {
                guard let floor = floors[metric] else { continue }
                try text.set(
                    floor.description, for: metric.rawValue, in: ["coverage", "modules", module],
                    shorthand: CoverageMetric.line.rawValue, after: place?.previous)
            }
        }
        try settings.check(modules: described.modules)
        let kept = place?.keptWords ?? ""
        let words = "\(TerminalText.safe(module)): \(metric.rawValue) floor \(percent) %, before \(before) %\(kept)"
        try edits.end(edit, with: text, words: words, title: "\(metric.rawValue) floor of \(module): \(percent) %") {
            try waiver(from: before, until: lastDay)
        }
    }

    private var isDefault: Bool { Name(module) == Name(Settings.defaultModule) }

    /// The policy with the floor.
    ///
    /// - Parameters:
    ///   - place: Where the rule is; `nil` for the default.
    ///   - floors: All floors of a new rule, else the one that is set.
    private func changed(_ policy: Policy, _ place: FloorPlace?, _ floors: Floors) -> Policy {
        var policy = policy
        if let place, place.isNew {
            policy.modules.insert(ModuleRule(pattern: module, floors: floors), at: place.index)
        } else if let place {
            policy.modules[place.index].floors[metric] = percent
        } else {
            policy.defaultFloors[metric] = percent
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
        return SettingsEdit.Waiver(
            subject: isDefault ? "default-floor-lowered" : "floor-lowered", until: until, reason: reason)
    }
}

/// Where the rule for a module or for a pattern stands among the others, so that no other floor changes.
private struct FloorPlace {
    /// The place of the rule.
    let index: Int
    /// Whether there is no such rule yet.
    let isNew: Bool
    /// The floors of the rule; for a new one those of the rule that its modules have had so far.
    let floors: Floors
    /// What the rule before a new one is for; `nil` if that is the first.
    private(set) var previous: String?
    /// The modules that a new pattern matches, and that have an earlier rule.
    private var kept: [String] = []

    /// How many modules are named at most.
    private static let mostNamed = 5

    init(_ pattern: String, in policy: Policy, _ modules: [Module]) throws {
        let rules = policy.modules
        if let place = rules.firstIndex(where: { Name($0.pattern) == Name(pattern) }) {
            index = place
            isNew = false
            floors = rules[place].floors
            return
        }
        isNew = true
        let rule = ModuleRule(pattern: pattern, floors: Floors())
        let names = modules.filter { $0.kind != .test }.map(\.name)
        let matched = names.filter { rule.matches($0) }
        guard rule.isPattern, !matched.isEmpty else {
            // The floors of other modules do not depend on where a name stands.
            index = 0
            floors = rules.first { $0.matches(pattern) }?.floors ?? Floors()
            return
        }
        // Only a pattern for all of these modules and for others has to come later. Of any other rule they keep the floors.
        let general = rules.firstIndex { other in
            other.isPattern && matched.allSatisfy { other.matches($0) }
                && (other.pattern == "*" || names.count(where: { other.matches($0) }) > matched.count)
        }
        let last = rules[..<(general ?? rules.endIndex)].lastIndex { other in matched.contains { other.matches($0) } }
        index = last.map { $0 + 1 } ?? 0
        floors = general.map { rules[$0].floors } ?? Floors()
        previous = last.map { rules[$0].pattern }
        let earlier = rules[..<index]
        kept = matched.filter { name in earlier.contains { $0.matches(name) } }
        guard kept.count < matched.count else {
            throw Problem(
                .usage, "'\(pattern)' would be for no module, as an earlier rule is for each that it matches",
                hint: "set the floor of \(Self.named(kept))")
        }
    }

    /// `; an earlier rule is for KitUI`; empty where there is none.
    var keptWords: String {
        kept.isEmpty ? "" : "; an earlier rule is for \(TerminalText.safe(Self.named(kept)))"
    }

    private static func named(_ modules: [String]) -> String {
        let rest = modules.count - mostNamed
        return modules.prefix(mostNamed).joined(separator: ", ")
            + (rest > 0 ? " and \(Figures.grouped(rest)) more" : "")
    }
}
