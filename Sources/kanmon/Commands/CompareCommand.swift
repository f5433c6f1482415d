import ArgumentParser
import Exports
import Foundation
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

    @Argument(help: ArgumentHelp("The earlier run: \(RunSelection.names).", valueName: "run"))
    var before: String

    @Argument(help: ArgumentHelp("The later run.", valueName: "run"))
    var after = "latest"

    @OptionGroup var project: ProjectOption

    @OptionGroup var package: PackageOptions
    @OptionGroup var store: StoreOptions
    @OptionGroup var output: JSONOption

    func run() async throws {
        let surroundings = Surroundings.current
        let stored = StoredRuns(store.home(surroundings), surroundings: surroundings)
        let reader = try stored.open()
        func identify(_ text: String) async throws -> RunID {
            try await stored.identify(RunName(text: text, project: project.project, package: package), in: reader)
        }
        let comparison = ComparisonReport(
            try reader.compare(try await identify(before), try await identify(after)), now: surroundings.now)
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
        case before, after, isPartial, regressed, addedFailing, stillFailing, fixed, added, removed, newlySkipped,
            otherwise, modules
    }

    let before: RunID
    let after: RunID
    /// Whether one of them ran a part of the tests: then what only the other has is in no list, nor are modules.
    let isPartial: Bool
    private let runs: RunList
    private let now: Date
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

    init(_ comparison: RunComparison, now: Date) {
        func changes(_ tests: [ChangedTest]) -> [Change] {
            tests.map { Change(test: $0.id.description, before: $0.before, after: $0.after) }
        }
        self.now = now
        runs = RunList(runs: [comparison.before, comparison.after])
        isPartial = comparison.before.isPartial || comparison.after.isPartial
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
        var lines = [runs.text(now: now)]
        if isPartial {
            lines += ["", "One of the runs is of a part of the tests: only tests that both ran are compared."]
        }
        let none = lines.count
        for section in sections where !section.changes.isEmpty {
            lines += ["", "\(section.title): \(Figures.grouped(section.changes.count))"]
            let rows = section.changes.map { change in
                [
                    "  \(change.after?.sign ?? "–")", change.before?.label ?? "absent", change.after?.label ?? "absent",
                    change.test,
                ]
            }
            lines.append(TextTable.render(rows, header: ["", "before", "after", "test"]))
        }
        let changed = modules.filter { $0.before != $0.after }
        if !changed.isEmpty {
            let rows = changed.map { module in
                [
                    "", module.before.map(Figures.tally) ?? "absent", module.after.map(Figures.tally) ?? "absent",
                    module.module,
                ]
            }
            lines += ["", "Line coverage", TextTable.render(rows, header: ["", "before", "after", "module"])]
        }
        if let untested {
            return lines[0] + "\n\nThe build of run \(untested.short) failed, so its tests were not run."
        }
        if lines.count == none { lines += ["", "Nothing changed."] }
        return lines.joined(separator: "\n")
    }
}
