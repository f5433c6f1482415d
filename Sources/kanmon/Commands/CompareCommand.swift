import ArgumentParser
import Exports
import Gate
import RunModel
import Storage
import Wording

/// `kanmon compare`: what changed between two runs.
struct CompareCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare",
        abstract: "Say what changed from one stored run to another: tests that regressed, were fixed, came or went."
    )

    @Argument(help: ArgumentHelp("The earlier run: an id, its beginning or end, or a commit.", valueName: "run"))
    var before: String

    @Argument(help: ArgumentHelp("The later run; by default the latest.", valueName: "run"))
    var after = "latest"

    @OptionGroup var package: PackageOptions
    @OptionGroup var store: StoreOptions
    @OptionGroup var output: JSONOption

    func run() async throws {
        let surroundings = Surroundings.current
        let stored = StoredRuns(store.home(surroundings), surroundings: surroundings)
        let reader = try stored.open()
        let project = try await stored.project(nil, package: package)
        let comparison = ComparisonReport(
            try reader.compare(
                try stored.identify(before, project: project, in: reader),
                try stored.identify(after, project: project, in: reader)
            ))
        StandardStreams.print(output.json ? try JSONText.render(comparison) : comparison.text)
    }
}

/// A comparison in words, and for programs.
struct ComparisonReport: Encodable {
    /// Tests of one kind of change.
    struct Change: Encodable {
        let test: String
        let before: Outcome?
        let after: Outcome?
    }

    /// The lines of a module in both runs.
    struct ModuleLines: Encodable {
        let module: String
        let before: CoverageTally?
        let after: CoverageTally?
    }

    private enum CodingKeys: CodingKey {
        case before, after, regressed, addedFailing, stillFailing, fixed, added, removed, newlySkipped, otherwise,
            modules
    }

    let before: RunID
    let after: RunID
    let regressed: [Change]
    let addedFailing: [Change]
    let stillFailing: [Change]
    let fixed: [Change]
    let added: [Change]
    let removed: [Change]
    let newlySkipped: [Change]
    let otherwise: [Change]
    let modules: [ModuleLines]

    /// Which run did not build, so that no test is compared; `nil` where both did.
    private let untested: RunID?

    init(_ comparison: RunComparison) {
        func changes(_ tests: [ChangedTest]) -> [Change] {
            tests.map { Change(test: $0.id.description, before: $0.before, after: $0.after) }
        }
        before = comparison.before.id
        after = comparison.after.id
        regressed = changes(comparison.regressed)
        addedFailing = changes(comparison.addedFailing)
        stillFailing = changes(comparison.stillFailing)
        fixed = changes(comparison.fixed)
        added = changes(comparison.added)
        removed = changes(comparison.removed)
        newlySkipped = changes(comparison.newlySkipped)
        otherwise = changes(comparison.otherwise)
        untested = [comparison.after, comparison.before].first(where: \.isUntested)?.id
        modules = comparison.modules.map { ModuleLines(module: $0.module, before: $0.before, after: $0.after) }
    }

    /// One section for each kind of change that occurs.
    var text: String {
        let sections: [(title: String, changes: [Change])] = [
            ("Regressed", regressed), ("New and failing", addedFailing), ("Still failing", stillFailing),
            ("Fixed", fixed), ("New", added),
            ("Removed", removed), ("Newly skipped", newlySkipped), ("Changed otherwise", otherwise),
        ]
        var lines = ["\(before.short) → \(after.short)"]
        for section in sections where !section.changes.isEmpty {
            lines += ["", "\(section.title): \(Figures.grouped(section.changes.count))"]
            lines += section.changes.map { change in
                let was = change.before?.label ?? "absent"
                let isNow = change.after?.label ?? "absent"
                return "  \(change.after?.sign ?? "–") \(TerminalText.safe(change.test)): \(was) → \(isNow)"
            }
        }
        let changed = modules.filter { $0.before != $0.after }
        if !changed.isEmpty { lines += ["", "Line coverage"] }
        lines += changed.map { module in
            let was = module.before.map(Figures.tally) ?? "absent"
            let isNow = module.after.map(Figures.tally) ?? "absent"
            return "  \(TerminalText.safe(module.module)): \(was) → \(isNow)"
        }
        if let untested { return "\(lines[0]): the build of run \(untested.short) failed, so its tests were not run" }
        return lines.count == 1 ? lines[0] + ": nothing changed" : lines.joined(separator: "\n")
    }
}
