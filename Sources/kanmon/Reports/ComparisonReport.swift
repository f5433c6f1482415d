import Application
import Exports
import Foundation
import Gate
import RunModel
import Wording

/// A comparison in words.
struct ComparisonReport {
    private let comparison: RunComparison
    /// How the second run covers the lines that changed since the first; `nil` where these are unknown.
    private let change: ChangeStatus?
    private let now: Date
    /// How many files of a kind are listed.
    private static let files = 20
    /// How many slower tests are listed.
    private static let slower = 20

    init(_ comparison: RunComparison, change: ChangeStatus?, now: Date) {
        (self.comparison, self.change, self.now) = (comparison, change, now)
    }

    /// One section for each kind of change that occurs.
    var text: String {
        var lines = [RunList(runs: [comparison.before, comparison.after]).text(now: now)]
        if let untested = [comparison.after, comparison.before].first(where: \.isUntested) {
            return lines[0] + "\n\nThe build of run \(untested.id.short) failed, so its tests were not run."
        }
        if comparison.isOfPart {
            lines += ["", "One of the runs is partial: only tests that both ran are compared."]
        }
        let none = lines.count
        for kind in ChangedTest.Kind.allCases {
            let tests = comparison.tests(kind)
            guard !tests.isEmpty else { continue }
            lines += ["", "\(kind.heading): \(Figures.grouped(tests.count))"]
            let rows = tests.map { test in
                [
                    "  \(test.after?.sign ?? "–")", test.before?.label ?? "absent", test.after?.label ?? "absent",
                    test.id.words(title: comparison.titles[test.id]),
                ]
            }
            lines.append(TextTable.render(rows, header: ["", "before", "after", "test"]))
        }
        if !comparison.slower.isEmpty {
            lines += ["", "Slower: \(Figures.grouped(comparison.slower.count)) (\(RunComparison.slowerWords))"]
            let rows = comparison.slower.prefix(Self.slower).map { test in
                [
                    "", Figures.duration(test.before), Figures.duration(test.after),
                    test.id.words(title: comparison.titles[test.id]),
                ]
            }
            lines.append(TextTable.render(rows, header: ["", "before", "after", "test"]))
        }
        let changed = comparison.modules.filter { $0.before != $0.after }
        if !changed.isEmpty {
            let rows = changed.map { module in
                [
                    "", module.before.map(Figures.tally) ?? "absent", module.after.map(Figures.tally) ?? "absent",
                    module.module,
                ]
            }
            lines += ["", "Line coverage", TextTable.render(rows, header: ["", "before", "after", "module"])]
        }
        if lines.count == none { lines += ["", "Nothing changed."] }
        if let words = change?.words {
            lines += [""] + words.lines(files: Self.files).map { TerminalText.safe($0) }
        } else if let absence = comparison.absenceOfChange {
            lines += ["", "\(absence)."]
        }
        return lines.joined(separator: "\n")
    }
}
