import Application
import Exports
import Foundation
import Gate
import RunModel
import Wording

/// A comparison in words, and for programs.
struct ComparisonReport: Encodable {
    private let comparison: RunComparison
    /// How the second run covers the lines that changed since the first; `nil` where these are unknown.
    private let change: ChangeStatus?
    private let now: Date
    /// So many files of a kind are listed.
    private static let files = 20
    /// So many slower tests are listed.
    private static let slower = 20

    init(_ comparison: RunComparison, change: ChangeStatus?, now: Date) {
        self.comparison = comparison
        self.change = change
        self.now = now
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

extension ComparisonReport {
    /// Tests of one kind of change.
    private struct Change: Encodable {
        let test: String
        /// What its display names call it; `nil` without one.
        let title: String?
        let before: Outcome?
        let after: Outcome?
    }

    /// A test that takes clearly longer in the second run.
    private struct Slower: Encodable {
        let test: String
        let title: String?
        let beforeNanoseconds: Int64
        let afterNanoseconds: Int64
    }

    /// The lines that changed from the first run to the second, as the second covers them.
    private struct ChangedLines: Encodable {
        /// A file with such lines.
        struct File: Encodable {
            let path: String
            let lines: CoverageTally
            /// Pairs of the first and the last line of a range.
            let missed: [ClosedRange<Int>]
        }

        let lines: CoverageTally
        let files: [File]

        init(_ change: ChangeStatus) {
            lines = change.lines
            files = change.files.filter { $0.tally.total > 0 }
                .map { File(path: $0.path, lines: $0.tally, missed: $0.missed) }
        }
    }

    /// `before` and `after`, and a list for each kind of change under its name.
    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(comparison.before.id, forKey: Key(stringValue: "before"))
        try container.encode(comparison.after.id, forKey: Key(stringValue: "after"))
        // Then what only the other has is in no list, nor are modules.
        try container.encode(comparison.isOfPart, forKey: Key(stringValue: "isPartial"))
        try container.encode(comparison.modules, forKey: Key(stringValue: "modules"))
        try container.encodeIfPresent(change.map(ChangedLines.init), forKey: Key(stringValue: "changedLines"))
        let slower = comparison.slower.map {
            Slower(
                test: $0.id.description, title: comparison.titles[$0.id], beforeNanoseconds: $0.before.nanosecondCount,
                afterNanoseconds: $0.after.nanosecondCount)
        }
        try container.encode(slower, forKey: Key(stringValue: "slower"))
        for kind in ChangedTest.Kind.allCases {
            let changes = comparison.tests(kind).map {
                Change(
                    test: $0.id.description, title: comparison.titles[$0.id], before: $0.before, after: $0.after)
            }
            try container.encode(changes, forKey: Key(stringValue: kind.rawValue))
        }
    }
}
