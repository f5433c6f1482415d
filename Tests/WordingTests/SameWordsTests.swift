import Exports
import Foundation
import Gate
import Pages
import RunModel
import TestSupport
import Testing
import Wording

/// Terminal and page say the same of the same run, hostile text and all.
@Suite struct SameWordsTests {
    struct Surfaces {
        let run: TestRun
        let verdict: Verdict
        let terminal: String
        let page: String

        init(_ run: TestRun) throws {
            self.run = run
            verdict = try Verdict(
                judging: run, by: SameWordsTests.policy(run), past: SameWordsTests.past(run),
                changed: SameWordsTests.comparison(run))
            terminal = TextReport.render(run, verdict)
            let page = RunPage(run: run, verdict: verdict, sources: SourceTexts(), now: SampleRuns.moment)
            self.page = SameWordsTests.text(of: try PageRenderer().render(page))
        }

        /// Whether both surfaces hold the words, each as it shows untrusted text of one line.
        func say(_ words: String) -> Bool { terminalSays(words) && pageSays(words) }

        func terminalSays(_ words: String) -> Bool { holds(terminal, TerminalText.safe(words)) }

        func pageSays(_ words: String) -> Bool {
            var visibility = Visibility()
            let shown = words.unicodeScalars.map { scalar in
                visibility.shows(scalar) || scalar == "\n" ? String(scalar) : scalar.picture
            }
            return holds(page, shown.joined())
        }

        private func holds(_ text: String, _ words: String) -> Bool {
            Data(text.utf8).range(of: Data(words.utf8)) != nil
        }
    }

    /// What a reader of the page sees: its text without tags.
    private static func text(of html: String) -> String {
        let entities = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")]
        return entities.reduce(html.replacing(/<[^>]*>/, with: "")) { $0.replacing($1.0, with: $1.1) }
    }

    static var unbuilt: TestRun {
        var run = SampleRuns.passing(4)
        run.steps = [
            RunStep(kind: .build, arguments: ["swift", "build"], duration: .seconds(8), termination: .exited(1))
        ]
        run.tests = []
        run.coverage = nil
        run.diagnostics = [BuildDiagnostic(severity: .error, message: SampleRuns.hostile)]
        return run
    }

    static var silent: TestRun {
        var run = SampleRuns.passing(5)
        run.tests[0].outcome = .timedOut
        run.tests[1].outcome = .crashed
        run.gaps = [Gap(.timedOut, subject: "`\u{202E}\u{1B}", detail: "30 s")]
        run.notes = [Note(.reportRepaired, subject: "<b>", detail: "'1' name")]
        return run
    }

    static let runs = [
        SampleRuns.passing(), SampleRuns.failing(), SampleRuns.undecided(), Self.unbuilt, Self.silent,
        SampleRuns.unsteady(), SampleRuns.passing(7),
    ]

    /// A change of everything, with code that moved and code that lost its coverage, for the seventh run.
    static func comparison(_ run: TestRun) -> ChangeComparison? {
        guard run.id == SampleRuns.id(7), let files = run.coverage?.files else { return nil }
        let changes = files.dropFirst().map { file in
            FileChange(
                path: file.path, basePath: nil, changes: [ChangedLines(base: 1..<1, head: 1..<100)],
                moved: [MovedLines(head: 8..<9, basePath: "Sources/Gone.swift", baseStart: 1)])
        }
        let base = BaseCommit(commit: String(repeating: "0b", count: 20), kind: .mergeBase, name: "<b>\u{202E}main")
        let known =
            [KnownLines(path: "Sources/Gone.swift", covered: [], missed: [1...1])]
            + files.prefix(1).map { KnownLines(path: $0.path, covered: [1...20], missed: []) }
        return ChangeComparison(
            base: base, changes: changes,
            coverage: KnownCoverage(
                runs: [SampleRuns.id(8)], swiftVersion: "<i>another", files: known,
                unstable: [KnownLines(path: files[0].path, covered: [2...2], missed: [2...2])]))
    }

    /// Rules of every kind for the unsteady run, a minimum for the others.
    static func policy(_ run: TestRun) throws -> Policy {
        if run.id == SampleRuns.id(7) {
            return Policy(
                patch: PatchRule(line: try #require(Percentage("100"))),
                project: ProjectRule(line: Percentage("100"), mayDrop: Percentage("0")), fileFloor: Percentage("100"))
        }
        guard run.machine != nil else { return Policy(minimumTests: 2) }
        let day = try #require(CalendarDay("2026-02-03"))
        let past = try #require(CalendarDay("2026-01-01"))
        return Policy(
            flaky: .fail,
            quarantine: [
                QuarantineEntry(
                    test: run.tests[3].id.description, owner: "<b>ana</b>", reason: SampleRuns.hostile, expires: day),
                QuarantineEntry(test: run.tests[1].id.description, owner: "bo", reason: "`x`", expires: past),
                QuarantineEntry(test: "CoreTests.Gone/test", owner: "cy", reason: "none", expires: day),
            ],
            budgets: [BudgetRule(pattern: "CoreTests", bound: .microseconds(800))]
        )
    }

    static func past(_ run: TestRun) -> PastResults {
        guard run.machine != nil else { return PastResults() }
        return PastResults([run.tests[3].id: Array(repeating: PastExecution(outcome: .failed), count: 12)])
    }

    @Test(arguments: runs.indices)
    func `terminal and page say the same headline, violations, gaps and commands`(index: Int) throws {
        let surfaces = try Surfaces(Self.runs[index])
        let verdict = surfaces.verdict
        #expect(surfaces.say(Headline(surfaces.run, verdict).text))
        for violation in verdict.violations {
            if violation.isTestFailure { continue }
            #expect(surfaces.say(violation.sentence))
            #expect(violation.hint.map(surfaces.say) ?? true)
        }
        for remark in verdict.gaps.map(\.words) + surfaces.run.notes.map(\.words) where !remark.rest.contains("\n") {
            #expect(surfaces.say(remark.sentence))
        }
        for gap in verdict.gaps { #expect(surfaces.say(gap.words.meaning) && surfaces.say(gap.words.remedy)) }
        for test in surfaces.run.tests where test.outcome.isFailure {
            #expect(surfaces.say(test.title))
            #expect(surfaces.pageSays(verdict.reason(of: test)) && surfaces.say(verdict.reason(of: test)))
            #expect(surfaces.say("Rerun: \(try #require(test.rerunCommand))"))
            #expect(test.silentFailure.map(surfaces.say) ?? true)
        }
        for remark in TestRemark.flaky(surfaces.run) + TestRemark.quarantine(verdict) {
            #expect(surfaces.say(remark.subject) && surfaces.terminalSays(remark.words))
        }
        if let change = verdict.change {
            for words in [change.words.summary, change.words.base, change.words.rule, change.words.project] {
                #expect(words.map(surfaces.say) == true)
            }
            for entry in change.words.groups.flatMap(\.entries) {
                #expect(surfaces.say(entry.path) && surfaces.say(entry.words))
            }
            #expect(change.notes.map(\.words.sentence).allSatisfy(surfaces.say))
        }
        for module in verdict.modules where surfaces.run.coverage != nil {
            #expect(module.absence.map(surfaces.say) ?? true)
        }
    }

    @Test func `the samples reach every kind of violation`() throws {
        let violations = try Self.runs.flatMap { try Surfaces($0).verdict.violations }
        #expect(
            Set(violations.map(\.rule)) == [
                "build", "tests", "floor", "minimum-tests", "flaky", "quarantine", "budget", "patch", "project",
                "project-drop", "file",
            ])
        let faults = violations.filter { $0.rule == "quarantine" }.compactMap(\.observed)
        #expect(Set(faults) == ["expired", "matches-nothing", "always-fails"])
    }
}
