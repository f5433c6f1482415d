import Foundation
import Pages
import RunModel
import TestSupport

@testable import Gate

/// Every page of tables, with one and the same text wherever a text is shown.
enum SampleSheets {
    static let now = SamplePages.now

    static func test(_ text: String) -> TestID {
        TestID(module: text, suite: text, name: text, discriminator: text)
    }

    static func state(_ text: String, _ entry: RunSummary) -> ProjectState {
        ProjectState(
            name: text, runs: 3, branch: text, latest: entry,
            regressions: [
                Regression(test: test(text), title: text, since: entry, lastPassed: entry, message: text),
                Regression(test: test(text), since: entry, lastPassed: nil),
            ],
            expiring: [QuarantineEntry(test: text, owner: text, reason: text, expires: CalendarDay(now))],
            hiddenFlakes: 3)
    }

    static func comparison(_ text: String, _ entry: RunSummary) -> RunComparison {
        let tally = { CoverageTally(covered: $0, total: 100) }
        // One of every kind.
        let outcomes: [(Outcome?, Outcome?)] = [
            (.passed, .failed), (nil, .failed), (.failed, .failed), (.failed, .passed), (nil, .passed), (.passed, nil),
            (.passed, .skipped), (.skipped, .passed),
        ]
        return RunComparison(
            before: entry, after: entry,
            tests: outcomes.map { ChangedTest(id: test(text), before: $0, after: $1) },
            slower: [SlowerTest(id: test(text), before: .milliseconds(20), after: .seconds(2))],
            modules: [
                .init(module: text, before: tally(80), after: tally(79)),
                .init(module: text, before: tally(79), after: tally(80)),
                .init(module: text, before: nil, after: tally(80)),
            ])
    }

    /// The lines that changed between two runs.
    static func change(_ text: String) -> ChangeStatus {
        ChangeStatus(
            base: BaseCommit(commit: text, kind: .named, name: text), lines: CoverageTally(covered: 1, total: 3),
            files: [ChangedFile(path: text, tally: CoverageTally(covered: 1, total: 3), missed: [4...5])],
            indirect: [IndirectChange(path: text, lost: [7...7])])
    }

    static func points(_ text: String) -> [TestHistoryEntry] {
        let outcomes: [(Outcome, Int)] = [(.failed, 1), (.passed, 2), (.passed, 1), (.skipped, 0), (.crashed, 1)]
        return outcomes.enumerated().map { index, entry in
            TestHistoryEntry(
                run: SampleRuns.id(index + 1), startedAt: SampleRuns.moment, commit: text, branch: text,
                outcome: entry.0, attempts: entry.1, duration: entry.1 > 0 ? .milliseconds(index + 3) : nil)
        }
    }

    /// A flaky test on two machines, alone and among others, with a failure of which it was not read what it says.
    static func flakiness(_ text: String) -> TestFlakiness {
        let machines = [text, "agent-2", nil, "agent-2", text, text]
        let executions = machines.enumerated().map { index, machine -> FlakeHistory.Execution in
            let number = index + 1
            return FlakeHistory.Execution(
                run: SampleRuns.id(number), startedAt: SampleRuns.moment.addingTimeInterval(Double(number) * 600),
                commit: text, branch: text, tree: "tree \(number)", isFailure: [2, 6].contains(number),
                isRecovered: number == 4, machine: machine, toolchain: text, isAlone: number == 3,
                message: "\(text) \(number) ms", isRead: number != 2)
        }
        var history = FlakeHistory(
            of: test(text), executions.reversed(), on: nil, since: now.addingTimeInterval(-180 * 86_400), runs: 120)
        history.isOrderDependent = true
        return TestFlakiness(
            history: history,
            proposal: QuarantineProposal(history, owners: [text], quarantine: [], today: CalendarDay(now)))
    }

    static func findings(_ text: String, _ entry: RunSummary) -> SearchFindings {
        var findings = SearchFindings()
        findings.tests = [
            .init(project: text, thing: NamedTest(test(text), displayName: "\(text)!", suiteDisplayName: nil))
        ]
        findings.branches = [.init(project: text, thing: text)]
        findings.authors = [.init(project: text, thing: text)]
        findings.targets = [.init(project: text, thing: .init(name: text, run: entry.id))]
        findings.messages = [
            .init(
                project: text,
                thing: .init(
                    test: NamedTest(test(text), displayName: nil, suiteDisplayName: nil), text: text, run: entry.id))
        ]
        findings.files = [.init(project: text, thing: .init(path: text, run: entry.id))]
        findings.runs = [entry]
        findings.isCut = true
        return findings
    }

    /// The one address outside of the dashboard.
    static let buildPage = "https://ci.example.com/job/1"

    static func quarantine(_ text: String) -> [QuarantineStatus] {
        let entry = QuarantineEntry(test: text, owner: text, reason: text, expires: CalendarDay(now))
        return [
            QuarantineStatus(entry: entry, id: test(text), outcome: .failed, fault: .expired),
            QuarantineStatus(entry: entry, fault: .matchesNothing(nearest: text)),
        ]
    }

    /// Of every kind, with a waiver that lets something pass and one whose change is in the base.
    static func exceptions(_ text: String) -> Exceptions {
        let waiver = { (days: Double) in
            Waiver(
                subject: text, until: CalendarDay(now.addingTimeInterval(days * 86_400)), reason: text, commit: text,
                line: 3)
        }
        var review = BaseReview(commit: BaseCommit(commit: text, kind: .mergeBase, name: text))
        review.changes = [GateChange(.testTargetOff, subject: text, before: text, after: text, waiver: waiver(0))]
        review.waivers = [
            WaiverStatus(waiver(9), .standing), WaiverStatus(waiver(-1), .standing),
            WaiverStatus(waiver(0), .used), WaiverStatus(waiver(1), .expired), WaiverStatus(waiver(2), .unused),
        ]
        let verdict = Verdict(
            decision: .passed, violations: [], gaps: [], modules: [], quarantine: quarantine(text), policy: Policy(),
            base: review)
        var exceptions = Exceptions(verdict, disabledTargets: [text, "Other"])
        exceptions.waivers[0].run = RunSummary(SampleRuns.passing(), verdict)
        return exceptions
    }

    /// One owner with something of everything, and what nobody is known to own.
    static func owners(_ text: String, _ entry: RunSummary) -> ProjectOwners {
        var owner = OwnerDigest(owner: text)
        owner.failed = [test(text)]
        owner.flaky = [FlakyTest(id: test(text), disagreements: 1)]
        owner.slow = [
            SlowTest(id: test(text), latest: .seconds(9), median: .seconds(2), longest: .seconds(9), runs: 7)
        ]
        owner.modules = [text]
        owner.expiring = [QuarantineEntry(test: text, owner: text, reason: text, expires: CalendarDay(now))]
        owner.lines = CoverageTally(covered: 8, total: 10)
        let file = CodeOwnersFile(path: text, form: .gitLab, text: "", commit: text)
        return ProjectOwners(
            run: entry, list: CodeOwners(file), digests: OwnerDigests([owner, OwnerDigest(owner: nil)]))
    }

    static func known(_ text: String) -> TestResult {
        let issue = Issue(message: text, location: SourceLocation(path: text, line: 3), isKnown: true)
        return TestResult(
            id: test(text), library: .xctest, outcome: .knownIssue,
            attempts: [TestAttempt(outcome: .knownIssue, issues: [issue])])
    }

    /// Projects in every state, and none.
    static func walls(_ text: String, _ entry: RunSummary) -> [WallPage] {
        var well = state(text, entry)
        well.latest?.decision = .passed
        let new = ProjectState(name: text, runs: 0, branch: nil, latest: nil, regressions: [])
        return [
            WallPage([well, new, state(text, entry)], running: [SamplePages.underway(text)], now: now),
            WallPage([], running: [], now: now),
        ]
    }

    static func audit(_ text: String, _ entry: RunSummary) -> CommitAudit {
        CommitAudit(
            branch: text, looked: 100,
            entries: [
                .init(commit: text, subject: text, run: nil, decision: nil),
                .init(commit: text, subject: text, run: entry.id, decision: .failed),
            ])
    }

    /// One that delivers, one that is refused, and those that do not name themselves.
    static func machines(_ text: String) -> [DeliveringMachine] {
        let refusal = RefusedDelivery(code: .conflict, reason: text, moment: now.addingTimeInterval(-7200))
        return [
            DeliveringMachine(
                host: text, token: text, trust: [.ci, .laptop, .workingCopy], runs: 1204,
                lastHeard: now.addingTimeInterval(-60), waiting: 2, version: text,
                refusals: [.conflict: 2, .tooLarge: 1], lastRefusal: refusal),
            DeliveringMachine(
                host: "laptop-3", token: "anna", trust: [.laptop], lastHeard: now.addingTimeInterval(-90_000),
                waiting: 0, version: "1.0.0", lastRefusal: refusal),
            DeliveringMachine(host: nil, token: "ci", trust: [.ci], runs: 1),
        ]
    }

    /// A test with a tag.
    private static func named(_ text: String) -> NamedTest {
        NamedTest(test(text), displayName: text, suiteDisplayName: nil, tags: [text])
    }

    /// A repository as an honest run names it, and as a hostile one does.
    private static func repository(_ text: String) -> ForgeRepository? {
        var found = ForgeRepository(.gitHub, url: "https://github.com/acme/kit")
        if text != "x", !text.hasPrefix("日本") { found?.url = text }
        return found
    }

    static func all(_ text: String, _ entry: RunSummary) -> [SheetPage] {
        let state = state(text, entry)
        var second = entry
        second.id = SampleRuns.id(7)
        second.outcomes = OutcomeTally(SampleRuns.passing().tests)
        let lines = [entry, second].map {
            ModuleInRun(run: $0.id, module: text, lines: CoverageTally(covered: 8, total: 10))
        }
        let flaky = FlakyTest(
            id: test(text), disagreements: 1, flips: 4, failures: 2, recoveries: 3, executions: 90,
            lastFailure: entry.id)
        let broken = FlakyTest(
            id: test(text), disagreements: 1, flips: 1, failures: 12, recoveries: 1, executions: 112,
            lastFailure: entry.id, breakage: FlakyTest.Breakage(since: entry.id, failures: 12))
        let slow = SlowTest(id: test(text), latest: .seconds(9), median: .seconds(2), longest: .seconds(9), runs: 7)
        let excluded = [
            ExclusionStatus(
                exclusion: Exclusion(pattern: text, reason: text), files: 1,
                lines: CoverageTally(covered: 1, total: 2)),
            ExclusionStatus(exclusion: Exclusion(pattern: text), files: 0, lines: CoverageTally()),
        ]
        return [
            .home(
                [state, ProjectState(name: text, runs: 0, branch: nil, latest: nil, regressions: [])],
                changes: [entry], running: [SamplePages.underway(text)], now: now),
            .project(
                state, runs: [second, entry], modules: lines, branches: [entry], running: [SamplePages.underway(text)],
                now: now),
            .branch(
                BranchState(name: text, project: text, runs: [entry, second], regressions: state.regressions), now: now),
            .branch(
                BranchState(
                    name: text, project: text, runs: [entry], regressions: [],
                    change: BranchChange(
                        comparison: comparison(text, entry), lines: change(text),
                        violations: [.testFailed(id: test(text), outcome: .failed, issue: Issue(message: text))],
                        origin: RunHost(
                            host: text, build: .init(url: buildPage, job: text, node: text),
                            repository: repository(text)))),
                now: now),
            .test(
                test(text), title: text, tags: [text], project: text, points: points(text),
                regression: state.regressions[0], flakiness: flakiness(text),
                executed: (entry, [TestMap.ExecutedFile(path: text, functions: 2, lines: [1...3, 5...5])]),
                between: [entry],
                now: now),
            .flaky(
                [flaky, broken], names: [test(text): named(text)], quarantine: quarantine(text), project: text,
                days: 30, window: FlakyWindow(runs: 90, green: 80, hidden: 3)),
            .slow([slow], project: text),
            .slow(
                [slow], names: [test(text): named(text)], project: text, tag: text, order: ListOrder(.median)),
            .exceptions(exceptions(text), titles: [test(text): text], project: text, run: entry, now: now),
            .owners(owners(text, entry), project: text),
            .known([known(text)], project: text, run: entry), .exclusions(excluded, project: text, run: entry),
            .unverified(audit(text, entry), project: text), .selection(ledger(entry), project: text),
            .comparison(comparison(text, entry), change: change(text), now: now),
            .search(text, findings(text, entry), now: now),
            .evidence(
                [
                    EvidenceFile(path: text, role: text, bytes: 812),
                    EvidenceFile(path: text, role: "transcript", bytes: 65 << 20),
                ], of: entry),
            .machines(machines(text), days: 30, now: now),
        ]
    }

    /// The coverage of a run, all of it and of each module.
    static func coverage(_ run: TestRun, _ verdict: Verdict) -> [SheetPage] {
        let names = [nil] + verdict.modules.map { Optional($0.module) }
        let trend = [80, 70].map { (SamplePages.entry(run), CoverageTally(covered: $0, total: 100)) }
        let path = run.coverage?.files.first?.path ?? run.package
        let map = self.map(path, run.package)
        let who = [3, 6].compactMap { SheetPage.who(path, line: $0, in: trend[0].0, map: map) { _ in run.package } }
        let sole = map.functionsOfOneTest(in: [path])
        return names.compactMap {
            .coverage(
                run.head, run.coverage, verdict, module: $0, sole: sole, names: { _ in run.package }, trend: trend)
        }
            + who
            + [
                .policy(trend[0].0, verdict, whatIf: nil),
                .policy(trend[0].0, verdict, whatIf: (SampleVerdicts.floor ?? .zero, verdict)),
            ]
    }

    /// A run that would have been green, one that would not, and one that was.
    static func ledger(_ entry: RunSummary) -> SelectionLedger {
        SelectionLedger(
            [(2, 2), (2, 1), (0, 0)].map { failures, missed in
                SelectionLedger.Entry(
                    run: entry.id,
                    trial: SelectionTrial(
                        base: entry.id, tests: 9, deselected: 5, time: .seconds(3), deselectedTime: .seconds(1),
                        failures: failures, missed: missed))
            })
    }

    /// A test that executes a part of a function, which no other does.
    private static func map(_ path: String, _ text: String) -> TestMap {
        TestMap(
            tests: [test(text)], sets: [TestMap.TestSet(tests: [0])],
            files: [
                TestMap.File(
                    path: path,
                    functions: [
                        TestMap.Function(
                            symbol: text, line: 3, lastLine: 9, set: 0,
                            spans: [TestMap.Span(first: 3, last: 5, set: 0)])
                    ])
            ])
    }

    /// The same pages with nothing on them.
    static var empty: [SheetPage] {
        let state = ProjectState(name: "p", runs: 0, branch: nil, latest: nil, regressions: [])
        return [
            .home([], now: now), .project(state, runs: [], modules: [], branches: [], now: now),
            .branch(BranchState(name: "b", project: "p", runs: [], regressions: []), now: now),
            .test(test("t"), project: "p", points: [], regression: nil, between: [], now: now),
            .flaky([], project: "p", days: 1, window: FlakyWindow()), .slow([], project: "p"),
            .slow([], project: "p", tag: "t"),
            .exceptions(nil, project: "p", run: nil, now: now), .owners(ProjectOwners(), project: "p"),
            .known([], project: "p", run: nil),
            .exclusions([], project: "p", run: nil),
            .unverified(CommitAudit(branch: "main", looked: 100, entries: []), project: "p"),
            .unverified(nil, project: "p"), .selection(SelectionLedger([]), project: "p"),
            .search("", SearchFindings(), now: now),
            .search("x", SearchFindings(), now: now), .machines([], days: 30, now: now),
        ]
    }
}
