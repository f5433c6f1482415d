import Foundation
import RunModel
import TestSupport
import Testing

@testable import Gate
@testable import Pages

@Suite struct WordsTests {
    private static let ages: [(Double, String)] = [
        (-30.0, "just now"), (0, "just now"), (44, "just now"), (60, "1 minute ago"), (3599, "60 minutes ago"),
        (7200, "2 hours ago"), (259200, "3 days ago"), (1728000, "2 weeks ago"), (8640000, "3 months ago"),
        (69120000, "2 years ago"), (-3600, "2026-01-02 03:04:05 UTC"), (.infinity, "2026-01-02 03:04:05 UTC"),
    ]

    @Test(arguments: ages)
    func `durations and times are in plain words`(seconds: Double, text: String) {
        let moment = Moment(SampleRuns.moment, now: SampleRuns.moment.addingTimeInterval(seconds))
        #expect(moment.words == text)
        #expect(moment.machine == "2026-01-02T03:04:05Z")
    }

    @Test(arguments: [
        ("Sources/Core/a_b.swift:35", ["Sources/", "Core/", "a_", "b.", "swift:", "35"]),
        ("../..//x", ["../..//", "x"]), ("", [""]), ("test_異常系_URLがnil", ["test_", "異常系_", "URLがnil"]),
        ("a.\u{301}b", ["a.\u{301}b"]), ("🏴󠁧󠁢󠁳󠁣󠁴󠁿", ["🏴󠁧󠁢󠁳󠁣󠁴󠁿"]),
    ])
    func `a name wraps behind separators and never inside a grapheme`(name: String, parts: [String]) {
        let text = BreakableText(name)
        #expect(text.parts + [text.last] == parts)
    }

    @Test(arguments: [
        "", ".", "..", "a", "a.", ".a", "a.b", "a__b/-c", "Sources/Core/a_b.swift:35", "a.\r\n_b", "_\r\nb", "a-\u{0}b",
        "a-\u{7F}b",
        "a.\u{301}b", "a.b\u{301}", "異/常_系",
    ])
    func `a name is split by bytes as it is by characters`(name: String) {
        let (text, twin) = (BreakableText(name), BreakableText(splittingCharactersOf: name))
        #expect(text.parts == twin.parts && text.last == twin.last)
    }

    @Test func `a long text is cut between graphemes`() {
        #expect("👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧".cut(to: 2) == "👨‍👩‍👧👨‍👩‍👧 …")
        #expect("👨‍👩‍👧👨‍👩‍👧".cut(to: 2) == "👨‍👩‍👧👨‍👩‍👧")
    }

    @Test func `a part of a bar that is not nothing stays visible, and the whole stays whole`() {
        let bar = Bar(label: "", parts: [("passed", 100_000), ("skipped", 0), ("failed", 1)])
        #expect(bar.segments.map(\.width) == [992, 8])
        #expect(bar.segments.map(\.start) == [0, 992])
        #expect(Bar(label: "", parts: [("passed", 0)]).segments.map(\.width) == [])
    }

    @Test func `a source is split at line feeds, and what is no UTF-8 is replaced`() {
        #expect(SourceText("".utf8) == SourceText([]))
        #expect(SourceText("a\r\nb\n\nc".utf8).lines == ["a", "b", "", "c"])
        #expect(SourceText("a\n".utf8).lines == ["a"])
        #expect(SourceText([0x61, 0xFF, 0x0A, 0xE3, 0x81]).lines == ["a\u{FFFD}", "\u{FFFD}"])
    }

    @Test func `of a source only the lines around some places are kept for excerpts`() {
        let bytes = (1...30_000).map { "\($0)\n" }.joined().utf8
        let text = SourceText(bytes, around: [1, 25_000, 30_000, 0, -7, .max, .min])
        #expect(text.lines == [] && text.count == 30_000)
        let kept = [1, 2, 3, 24_997, 24_998, 24_999, 25_000, 25_001, 25_002, 29_997, 29_998, 29_999, 30_000]
        #expect((-10...30_010).filter { text[$0] != nil } == kept)
        #expect(text[25_000] == "25000")
        let links = RunLinks(SampleRuns.id(1), project: "p", .dashboard)
        let numbers = { (line: Int) in
            Excerpt(SourceLocation(path: "a.swift", line: line), in: text, links: links)?.lines.map(\.number)
        }
        #expect(numbers(25_000) == [24_997, 24_998, 24_999, 25_000, 25_001, 25_002])
        #expect(numbers(1) == [1, 2, 3])
        #expect(numbers(30_000) == [29_997, 29_998, 29_999, 30_000])
        #expect(numbers(100) == nil && numbers(.max) == nil)
    }

    @Test func `a file of nothing but line feeds costs no more than the lines that are shown`() {
        let text = SourceText(Array(repeating: UInt8(ascii: "\n"), count: 100_000))
        #expect(text.count == 100_000)
        #expect(text.lines == Array(repeating: "", count: SourceText.longest))
    }

    @Test func `a line that is too long is cut between characters`() {
        let line = String(repeating: "é", count: SourceText.longestLine / 2 + 1)
        #expect(SourceText("x\(line)\ny".utf8).lines == ["x\(line.dropLast(2)) …", "y"])
        #expect(SourceText(line.dropLast().utf8).lines == [String(line.dropLast())])
    }

    @Test func `a page of a file that is too large says so, and lists what was measured`() throws {
        var run = SampleRuns.passing(9)
        let index = try #require(run.coverage?.files.firstIndex { $0.path == "Sources/Core/URLRule.swift" })
        // Every other line was missed.
        run.coverage?.files[index].lines = (1...2 * (Jumps.most + 1)).map { number in
            LineCount(line: Int32(number), count: ExecutionCount(UInt64(number % 2)))
        }
        var source = RecordedSource(
            path: "Sources/Core/URLRule.swift", run: run.head, coverage: run.coverage?.files[index],
            hasExecutionCounts: true, failures: [], buildErrors: [], text: nil, isTooLarge: true)
        let page = SourcePage(source)
        let reason = "This file is too large to be shown: the limit is 4 MiB."
        #expect(page.absence == "\(reason) The lines above are those the run recorded.")
        #expect(page.listing == nil)
        #expect(page.jumps?.ranges.count == Jumps.most)
        #expect(page.jumps?.more == "and 1 more range")
        source.coverage = nil
        #expect(SourcePage(source).absence == reason)
    }

    @Test func `a page of a file whose tests are too many to be counted says so`() throws {
        let page = try #require(
            SourcePage(
                path: "Sources/Core/URLRule.swift", run: SampleRuns.failing(), text: SamplePages.coreSource,
                tests: nil))
        #expect(page.remark == "How many tests execute each line is not told: counting them would take too long.")
        #expect(page.listing?.testsHead == nil)
    }

    @Test func `a page of tests goes on with the next ones, through all suites`() {
        var run = SampleRuns.passing()
        let outcomes: [(String, String, Outcome)] = [
            ("A", "a1", .passed), ("A", "a2", .passed), ("B", "b1", .passed), ("B", "b2", .failed),
            ("C", "c1", .passed),
        ]
        run.tests = outcomes.map { suite, name, outcome in
            TestResult(id: TestID(module: "T", suite: suite, name: name), library: .xctest, outcome: outcome)
        }
        func page(_ from: Int, _ order: ListOrder? = nil) -> TestsPage? {
            TestsPage(
                target: "T", run: SamplePages.entry(run), tests: run.tests, order: order, from: from, most: 3)
        }
        func text(_ link: Link?) -> String? { link.map { $0.text.parts.joined() + $0.text.last } }
        func names(_ page: TestsPage?) -> [[String]]? {
            page?.suites.map { suite in suite.rows.compactMap { text($0.link) } }
        }
        let (first, second) = (page(1), page(4))
        #expect(names(first) == [["b2", "b1"], ["a1"]])
        #expect(names(second) == [["a2"], ["c1"]])
        #expect(first?.more?.href == Route.tests(run.id, target: "T", from: 4).href)
        #expect(text(first?.more) == "and 2 more tests")
        #expect(second?.more == nil)
        #expect(first?.summary == second?.summary)
        let order = ListOrder(.name, isDescending: false)
        #expect(names(page(4, order)) == [["B/b2", "C/c1"]])
        #expect(names(page(6)) == [] && names(page(.max)) == [])
    }

    @Test func `the text of a file is found by the bytes of its path`() {
        var texts = SourceTexts()
        texts["\u{E9}"] = SourceText("composed".utf8)
        #expect(texts["e\u{301}"] == nil)
        #expect(texts["\u{E9}"]?.lines == ["composed"])
    }

    @Test func `a list says beside a run that passed what failed and does not block`() {
        var entry = SamplePages.entry(SampleRuns.passing())
        entry.outcomes[.failed] = 1
        #expect(entry.verdictWords == "Passed, 1 quarantined")
        entry.allowedFailures = 1
        #expect(entry.verdictWords == "Passed, 1 failure of the base let through")
        entry.outcomes[.failed] = 3
        #expect(entry.verdictWords == "Passed, 1 failure of the base let through, 2 quarantined")
        entry.exitStatus = .gateFailed
        #expect(entry.verdictWords == "Blocked by the gate, 1 failure of the base let through")
    }

    @Test func `what passed because failures of the base were let through makes no project and no branch look well`() {
        var entry = SamplePages.entry(SampleRuns.passing())
        #expect(entry.hasPassed)
        var state = ProjectState(name: "p", runs: 1, branch: nil, latest: entry, regressions: [])
        #expect(Badge(state).message.hasPrefix("✓ passed"))
        #expect(SheetPage.home([state], now: nil).summary == "The default branch of every project passes.")
        entry.outcomes[.failed] = 1
        entry.allowedFailures = 1
        #expect(!entry.hasPassed)
        state.latest = entry
        let badge = Badge(state)
        #expect(badge.message.hasPrefix("~ 1 failure of the base let through"))
        #expect(badge.color == Badge.color(of: .undecided))
        #expect(
            SheetPage.home([state], now: nil).summary
                == "1 of 1 project passes only because failures of the base were let through.")
        let older = SamplePages.entry(SampleRuns.passing(2))
        #expect(BranchState(name: "b", project: "p", runs: [entry], regressions: []).lastPassed == nil)
        #expect(BranchState(name: "b", project: "p", runs: [entry, older], regressions: []).lastPassed == older)
    }

    @Test func `a list of the first failing tests leads to the run that has them all`() {
        var latest = SamplePages.entry(SampleRuns.failing())
        latest.outcomes[.failed] = 34
        let all = latest.outcomes.failures
        let regressions = (0..<10).map { number in
            Regression(test: TestID(module: "M", suite: "S", name: "t\(number)"), since: latest, lastPassed: nil)
        }
        var state = ProjectState(name: "p", runs: 1, branch: "main", latest: latest, regressions: regressions)
        func links(_ sections: [SheetSection]) -> [String] { sections.flatMap(\.more).map(\.text.last) }
        let page = SheetPage.project(state, runs: [], modules: [], branches: [], now: nil)
        #expect(links(page.failing) == ["All \(all) failed tests of the latest run"])
        #expect(links(SheetPage.home([state], now: nil).sections) == ["All \(all) failed tests of p"])
        let branch = BranchState(name: "b", project: "p", runs: [latest], regressions: regressions)
        #expect(links(SheetPage.branch(branch, now: nil).failing).first == "All \(all) failed tests of the latest run")
        // What is no longer than the list needs none.
        latest.outcomes = OutcomeTally()
        latest.outcomes[.failed] = 10
        state.latest = latest
        #expect(links(SheetPage.home([state], now: nil).sections).isEmpty)
    }

    @Test func `the page of a run says first that failures of the base were let through`() throws {
        var run = SampleRuns.passing(2)
        run.tests[0].outcome = .failed
        run.tests[0].attempts = [TestAttempt(outcome: .failed, issues: [Issue(message: "x == 1")])]
        var verdict = SampleVerdicts.of(run)
        verdict.decision = .passed
        verdict.violations = []
        verdict.allowedFailures = [AllowedFailure(test: run.tests[0].id, run: SampleRuns.id(1))]
        let page = RunPage(run: run, verdict: verdict, sources: SourceTexts(), now: nil)
        #expect(page.verdict.headline.hasPrefix("Passed: 1 failure of the base let through, "))
        let html = try PageRenderer().render(page)
        #expect(html.contains("Passed: 1 failure of the base let through, "))
        #expect(html.contains("let through, as run \(SampleRuns.id(1).short) of the base failed it in the same way"))
    }

    @Test func `however many rules a policy has, the page of a run is small, and what is odd is seen`() throws {
        let run = SampleRuns.passing(2)
        var verdict = SampleVerdicts.of(run)
        let patterns = (0..<5_000).map { "Sources/Core/Made\($0).swift" }
        verdict.exclusions = patterns.map {
            ExclusionStatus(exclusion: Exclusion(pattern: $0, reason: "made"), files: 1, lines: CoverageTally(total: 2))
        }
        verdict.exclusions.append(ExclusionStatus(exclusion: "Gone/*", files: 0, lines: CoverageTally()))
        verdict.policy.budgets = patterns.map { BudgetRule(pattern: $0, bound: .seconds(1)) }
        let page = RunPage(run: run, verdict: verdict, sources: SourceTexts(), now: nil)
        #expect(page.details.exclusions?.rows.count == ExclusionTable.most)
        #expect(page.details.exclusions?.more == "and 4,801 more")
        let words = PolicyWords(verdict.policy).words
        #expect(words.hasSuffix(" more") && words.utf8.count < 40_000)
        let html = try PageRenderer().render(page)
        #expect(html.contains("Gone/") && html.contains("and 4,801 more") && html.utf8.count < 400_000)
        // What it is blocked for, and what was noted, is counted, too, but no rule hides another.
        let rule = BudgetRule(pattern: "M/S/*", bound: .seconds(1))
        verdict.violations = (0..<3_000).map { number in
            Violation.budgetExceeded(
                test: TestID(module: "M", suite: "S", name: "t\(number)"), rule: rule, median: .seconds(9),
                executions: 1, machine: nil)
        }
        verdict.violations.append(.testFailed(id: run.tests[0].id, outcome: .failed, issue: nil))
        var noted = run
        noted.notes = (0..<1_000).map { Note(.baseRunMissing, subject: "\($0)", detail: "another compiler") }
        let blocked = RunPage(run: noted, verdict: verdict, sources: SourceTexts(), now: nil)
        #expect(blocked.verdict.list?.reasons.count == VerdictBox.mostOfRule + 1)
        #expect(blocked.verdict.list?.rest == "and 2,950 more reasons")
        #expect(blocked.verdict.list?.more?.href == nil)
        #expect(blocked.details.notes?.items.count == NoteList.most)
        #expect(blocked.details.notes?.more == "and 800 more")
        #expect(try PageRenderer().render(blocked).utf8.count < 400_000)
        // Few are listed as ever, in their order.
        verdict.exclusions.removeFirst(4_900)
        let few = ExclusionTable(verdict.exclusions)
        #expect(few?.rows.count == 101 && few?.more == nil)
        #expect(few?.rows.last?.warning != nil)
    }

    @Test func `a list of runs has a column of flaky tests where a run of it has some`() {
        var entries = [SampleRuns.failing(), SampleRuns.passing()].map(SamplePages.entry)
        func table() -> RunTable {
            RunTable(rows: entries.map { RunListRow($0, showsProject: false, now: nil, links: .dashboard) })
        }
        let (before, after) = (["Verdict", "Commit", "Tests", "Lines covered", "Duration"], ["Began"])
        #expect(table().columns.map(\.name) == before + after)
        #expect(table().rows.map(\.figures.count) == [3, 3])
        entries[1].recovered = 1_204
        #expect(table().columns.map(\.name) == before + ["Flaky"] + after)
        #expect(table().rows.map { $0.figures.map(\.label) } == Array(repeating: RunColumn.all.map(\.label), count: 2))
        #expect(table().rows.map { $0.figures.last?.text } == ["–", "1,204"])
    }

    @Test func `a list says what the gate blocked for, and that a run is a part`() {
        var entry = SamplePages.entry(SampleRuns.passing())
        #expect(RunListRow(entry, showsProject: false, now: nil, links: .dashboard).verdict == "Passed")
        entry.isPartial = true
        #expect(RunListRow(entry, showsProject: false, now: nil, links: .dashboard).verdict == "Passed, part")
        entry.isPartial = false
        entry.exitStatus = .gateFailed
        #expect(entry.verdictWords == "Blocked by the gate")
        entry.broken = ["floor": 2, "patch": 1]
        #expect(entry.verdictWords == "2 modules under their floors, the change is under its floor")
        let words = [
            "project", "project-drop", "file", "minimum-tests", "flaky", "quarantine", "budget", "gate-change",
        ]
        .map { rule in
            entry.broken = [rule: 1]
            return entry.verdictWords
        }
        #expect(
            words == [
                "The project is under its floor", "The project fell too far", "1 file under its floor",
                "Too few tests", "1 test flaky", "1 broken contract of the quarantine", "1 test over its budget",
                "1 gate change without a waiver",
            ])
    }
}
