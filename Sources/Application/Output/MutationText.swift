import Exports
package import Mutation
import RunModel
import Wording

/// What came of the mutants of a change: in words and for programs.
package struct MutationText: Encodable {
    package let report: MutationReport
    /// The run whose per-test coverage said which tests to run.
    let run: RunID
    /// Whether that run is of the same tree.
    let isOfSameTree: Bool
    let budget: Duration
    /// Whether somebody ended it early.
    let isInterrupted: Bool

    /// For a terminal.
    package var text: String { lines.map { TerminalText.safe($0) }.joined(separator: "\n") }

    private var lines: [String] {
        let entries = report.entries
        var lines: [String] = []
        if entries.isEmpty {
            lines.append("No function that the change touches has anything to mutate.")
        } else {
            let tried = entries.count { $0.outcome.isKilled || $0.outcome.isSurvivor }
            let (survived, named) = (report.entries(.survived), report.entries(.survivedNamed))
            lines += section("Survived", survived) {
                "\(Figures.counted($0.ran, "test")) that the map names ran, then \(allTests(of: $0))"
            }
            lines += section("Survived the tests that the map names", named) {
                "\(Figures.counted($0.ran, "test")) ran; not tried to the end with \(allTests(of: $0))"
            }
            lines += section("Executed by no test, by the per-test coverage", report.entries(.notExecuted))
            lines += section("Survived so far", begun) {
                "\(Figures.grouped($0.ran)) of \(Figures.counted($0.tests, "test")) ran"
            }
            lines.append(
                "\(Figures.counted(tried, "mutant")) tried in \(Figures.duration(report.testing)): "
                    + "\(report.killed) killed, \(survived.count + named.count) survived.")
        }
        if entries.contains(where: { $0.outcome.isSurvivor && $0.all < report.discovered }) {
            lines.append(
                "Nobody knows whether tests that no source connects with a survivor would notice it, such as by a "
                    + "file that another test writes.")
        }
        let reason = isInterrupted ? "interrupted." : "\(Figures.duration(budget)) were over; --budget gives more."
        if !begun.isEmpty {
            lines.append("\(Figures.counted(begun.count, "mutant")) not tried with all tests: \(reason)")
        }
        let untried = report.entries(.notTried).count
        if untried > 0 { lines.append("\(Figures.counted(untried, "mutant")) not tried: \(reason)") }
        let undecided = report.entries(.undecided).count - begun.count
        if undecided > 0 {
            lines.append("\(Figures.counted(undecided, "mutant")) undecided: their tests fail without them, too.")
        }
        let broken = report.entries(.notCompiled).count
        if broken > 0 { lines.append("\(Figures.counted(broken, "mutant")) did not compile.") }
        lines += report.unreadable.map { "\($0) has no mutants: the compiler's parser cannot read it alone." }
        if !isOfSameTree, !entries.isEmpty {
            lines.append(
                "Run \(run.short), whose per-test coverage was used, is of another tree: functions decided, not lines.")
        }
        if !report.failing.isEmpty {
            let names = report.failing.prefix(5).joined(separator: ", ")
            let more = report.failing.count > 5 ? " and \(report.failing.count - 5) more" : ""
            lines.append("Left out, because they fail without any mutant: \(names)\(more).")
        }
        return lines
    }

    /// The tests that a mutant was, or was to be, tried with in the end.
    private func allTests(of entry: MutationReport.Entry) -> String {
        let all = Figures.grouped(entry.all)
        if entry.all >= report.discovered { return "all \(all) that there are" }
        return "all \(all) of \(Figures.grouped(report.discovered)) that sources connect with it"
    }

    /// What some of its tests did not notice, when the time was over.
    private var begun: [MutationReport.Entry] { report.entries(.undecided).filter { $0.ran > 0 } }

    private func section(
        _ title: String, _ entries: [MutationReport.Entry], tests: (MutationReport.Entry) -> String? = { _ in nil }
    ) -> [String] {
        guard !entries.isEmpty else { return [] }
        return ["\(title):"]
            + entries.flatMap { entry in
                let tests = tests(entry).map { " (\($0))" } ?? ""
                return ["  \(entry.mutant.words)\(tests)", "      \(entry.mutant.text)"]
            } + [""]
    }

    private enum CodingKeys: String, CodingKey {
        case run, mutants, killed, survived, survivedNamed, undecided, notTried, unreadable, discovered, failing,
            buildNanoseconds, testNanoseconds
    }

    private struct Entry: Encodable {
        let kind: Mutant.Kind
        let path: String
        let line: Int, column: Int
        let text: String
        let function: String
        let original: String, replacement: String
        let outcome: MutationReport.Outcome
        let tests: Int, ran: Int, all: Int
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(run.description, forKey: .run)
        try container.encode(report.killed, forKey: .killed)
        try container.encode(report.entries(.survived).count, forKey: .survived)
        try container.encode(report.entries(.survivedNamed).count, forKey: .survivedNamed)
        try container.encode(report.entries(.undecided).count, forKey: .undecided)
        try container.encode(report.entries(.notTried).count, forKey: .notTried)
        try container.encode(report.unreadable, forKey: .unreadable)
        try container.encode(report.discovered, forKey: .discovered)
        try container.encode(report.failing, forKey: .failing)
        try container.encode(report.building.nanosecondCount, forKey: .buildNanoseconds)
        try container.encode(report.testing.nanosecondCount, forKey: .testNanoseconds)
        try container.encode(
            report.entries.map { entry in
                Entry(
                    kind: entry.mutant.kind, path: entry.mutant.path, line: entry.mutant.line,
                    column: entry.mutant.column, text: entry.mutant.text,
                    function: entry.mutant.function, original: entry.mutant.original,
                    replacement: entry.mutant.replacement, outcome: entry.outcome, tests: entry.tests,
                    ran: entry.ran, all: entry.all)
            }, forKey: .mutants)
    }
}

extension Mutant {
    /// Where it is and what it changes, on one line.
    var words: String {
        let place = "\(path):\(line):\(column)"
        return switch kind {
        case .earlyReturn: "\(place): \(function) begins with '\(replacement)'"
        case .negatedCondition, .changedConstant: "\(place): \(Self.line(original)) → \(Self.line(replacement))"
        }
    }

    private static func line(_ text: String) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}
