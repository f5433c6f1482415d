import Mutation
import RunModel
import Testing

@testable import Application

@Suite struct MutationTextTests {
    private func entry(
        _ outcome: MutationReport.Outcome, kind: Mutant.Kind = .changedConstant, path: String = "Sources/A/F.swift",
        text: String = "let a = 3", ran: Int = 0
    ) -> MutationReport.Entry {
        let mutant = Mutant(
            number: 1, kind: kind, path: path, line: 7, column: 9, text: text, function: "f(_:)", functionLines: 6...9,
            original: "3", replacement: "4")
        return MutationReport.Entry(mutant: mutant, outcome: outcome, tests: 2, ran: ran, all: 9)
    }

    private func text(_ report: MutationReport, isOfSameTree: Bool = true, isInterrupted: Bool = false) throws -> String
    {
        let run = try #require(RunID("01a21755-b2c5-703b-b456-3e2b563685cf"))
        return MutationText(
            report: report, run: run, isOfSameTree: isOfSameTree, budget: .seconds(60), isInterrupted: isInterrupted
        ).text
    }

    @Test func `each outcome has its words`() throws {
        var report = MutationReport()
        report.entries = MutationReport.Outcome.allCases.map { entry($0, ran: $0.isSurvivor ? 2 : 0) }
        report.entries += [entry(.survived, kind: .earlyReturn, ran: 1), entry(.undecided, ran: 1)]
        report.testing = .seconds(3)
        report.discovered = 20
        report.unreadable = ["Sources/A/G.swift"]
        report.failing = (1...7).map { "T/t\($0)" }
        #expect(
            try text(report, isOfSameTree: false) == """
                Survived:
                  Sources/A/F.swift:7:9: 3 → 4 (2 tests that the map names ran, then all 9 of 20 that sources connect with it)
                      let a = 3
                  Sources/A/F.swift:7:9: f(_:) begins with '4' (1 test that the map names ran, then all 9 of 20 that sources connect with it)
                      let a = 3

                Survived the tests that the map names:
                  Sources/A/F.swift:7:9: 3 → 4 (2 tests ran; not tried to the end with all 9 of 20 that sources connect with it)
                      let a = 3

                Executed by no test, by the per-test coverage:
                  Sources/A/F.swift:7:9: 3 → 4
                      let a = 3

                Survived so far:
                  Sources/A/F.swift:7:9: 3 → 4 (1 of 2 tests ran)
                      let a = 3

                6 mutants tried in 3.0 s: 3 killed, 3 survived.
                Nobody knows whether tests that no source connects with a survivor would notice it, such as by a file that another test writes.
                1 mutant not tried with all tests: 1 min 0 s were over; --budget gives more.
                1 mutant not tried: 1 min 0 s were over; --budget gives more.
                1 mutant undecided: their tests fail without them, too.
                1 mutant did not compile.
                Sources/A/G.swift has no mutants: the compiler's parser cannot read it alone.
                Run 3e2b563685cf, whose per-test coverage was used, is of another tree: functions decided, not lines.
                Left out, because they fail without any mutant: T/t1, T/t2, T/t3, T/t4, T/t5 and 2 more.
                """)
        #expect(try text(report, isInterrupted: true).contains("\n1 mutant not tried: interrupted.\n"))
    }

    @Test func `where all tests that there are ran, nothing is left open`() throws {
        var report = MutationReport()
        report.entries = [entry(.survived, ran: 2)]
        (report.discovered, report.testing) = (9, .seconds(3))
        #expect(
            try text(report) == """
                Survived:
                  Sources/A/F.swift:7:9: 3 → 4 (2 tests that the map names ran, then all 9 that there are)
                      let a = 3

                1 mutant tried in 3.0 s: 0 killed, 1 survived.
                """)
    }

    @Test func `nothing to mutate is said`() throws {
        #expect(try text(MutationReport()) == "No function that the change touches has anything to mutate.")
    }

    @Test func `nothing in a source reaches the terminal`() throws {
        var report = MutationReport()
        report.entries = [
            entry(.survived, path: "Sources/\u{1B}[2J\u{202E}.swift", text: "\"\u{1B}]0;x\u{7}\"\u{9B}1m")
        ]
        report.failing = ["T/\u{1B}[31m"]
        let words = try text(report)
        #expect(!words.unicodeScalars.contains { [0x1B, 0x7, 0x9B, 0x202E].contains($0.value) })
    }
}
