import Foundation
import RunModel
import TestSupport

@testable import Gate
@testable import Pages

/// The pages of the sample runs under a fixed clock: two hours after the first.
enum SamplePages {
    static let now = SampleRuns.moment.addingTimeInterval(7200)

    /// The tests of a target of a run.
    static func tests(
        of run: TestRun, target: String = "CoreTests", tag: String? = nil, order: ListOrder? = nil,
        links: Links = .dashboard
    ) -> TestsPage? {
        TestsPage(
            target: target, run: RunSummary(run, SampleVerdicts.of(run)), tests: run.tests, tag: tag, order: order,
            links: links)
    }

    static let testSource = SourceText(
        (1...33).map { "// line \($0)\n" }.joined().utf8
            + Array("    let rounded = Calc.divideRoundUp(100, by: 3)\n    XCTAssertEqual(rounded, 34)\n}\n".utf8)
    )

    static let coreSource = SourceText(
        Array("import Foundation\n\npublic struct URLRule {\n\tlet pattern: String\n    // <b>not bold</b> & 🇯🇵\n".utf8)
            + Array("    func matches() -> Bool {\n        true\n    }\n}\n".utf8)
    )

    static func run(_ run: TestRun) -> RunPage {
        var sources = SourceTexts()
        sources["Tests/CoreTests/CoreTests.swift"] = testSource
        return RunPage(run: run, verdict: SampleVerdicts.of(run), sources: sources, now: now)
    }

    /// A run that was compared with a base, of which more files changed than are listed.
    static var changed: RunPage {
        let run = SampleRuns.passing(8)
        let hostile = "Sources/<b>\u{202E}.swift"
        var verdict = SampleVerdicts.of(run)
        verdict.change = ChangeStatus(
            base: BaseCommit(commit: String(repeating: "0c", count: 20), kind: .mergeBase, name: "<i>main"),
            lines: CoverageTally(covered: 1, total: 2),
            rule: SampleVerdicts.floor.map { PatchRule(line: $0, minimumLines: 2) },
            files: (0...ChangeSection.most).map { number in
                ChangedFile(
                    path: "\(hostile)\(number)", tally: CoverageTally(covered: 1, total: 2), missed: [2...2],
                    debt: number == 0 ? [4...5] : [])
            },
            indirect: [IndirectChange(path: hostile, lost: [1...2], gained: [7...7], unstable: [9...9])],
            project: CoverageTally(covered: 1, total: 2), before: CoverageTally(covered: 2, total: 2),
            notes: [Note(.baseRunMissing, subject: "<u>", detail: "another compiler")])
        return RunPage(run: run, verdict: verdict, sources: SourceTexts(), now: now)
    }

    /// A run of which tests were left out, with what all of them would have covered.
    static var estimated: RunPage {
        var run = SampleRuns.passing(10)
        run.selection = Selection(mappedBy: SampleRuns.id(2))
        var verdict = SampleVerdicts.of(run)
        verdict.estimate = CoverageEstimate(
            base: SampleRuns.id(2), executed: 2, deselected: 1,
            modules: ["Core", SampleRuns.hostile].map {
                CoverageEstimate.Module(name: $0, lines: CoverageTally(covered: 5, total: 6))
            })
        return RunPage(run: run, verdict: verdict, sources: SourceTexts(), now: now)
    }

    /// A run of which is known what was not executed, with more functions never called than a page lists.
    static var detailed: TestRun {
        var run = SampleRuns.passing(9)
        let index = run.coverage?.files.firstIndex { $0.path == "Sources/Core/URLRule.swift" } ?? 0
        let covered = run.coverage?.files[index].lines.first { $0.count.isCovered }?.line ?? 1
        run.coverage?.files[index].unexecuted = UnexecutedCode(
            parts: [MissedPart(line: covered, start: 2, end: 5), MissedPart(line: covered, start: 8, end: nil)],
            functions: (0...FunctionList.most).map { number in
                let line = Int32(10 + number)
                return SourceFunction(
                    name: "<b>closure</b> #\(number)", line: line, column: 1, endLine: line, endColumn: 9)
            })
        return run
    }

    /// That run's verdict, by a policy that excludes files, against a base.
    static var detailedVerdict: Verdict {
        var verdict = SampleVerdicts.of(detailed)
        verdict.exclusions = [
            ExclusionStatus(
                exclusion: Exclusion(pattern: "<i>/**", reason: "made by <u>protoc</u>"), files: 2,
                lines: CoverageTally(covered: 3, total: 9), since: CalendarDay("2026-01-01")),
            ExclusionStatus(exclusion: "Old/*", files: 0, lines: CoverageTally()),
        ]
        verdict.change = ChangeStatus(
            base: BaseCommit(commit: String(repeating: "0c", count: 20), kind: .mergeBase, name: "<i>main"),
            lines: CoverageTally(covered: 1, total: 2), rule: nil,
            files: [
                ChangedFile(
                    path: "Sources/Core/URLRule.swift", tally: CoverageTally(covered: 1, total: 2), missed: [2...2],
                    debt: [4...4], added: [1...4])
            ],
            indirect: [
                IndirectChange(path: "Sources/Core/URLRule.swift", lost: [6...6], gained: [7...7], unstable: [8...8])
            ])
        return verdict
    }

    /// A file with missed lines in three places.
    static var scattered: SourcePage? {
        var run = SampleRuns.passing(9)
        let index = run.coverage?.files.firstIndex { $0.path == "Sources/Core/URLRule.swift" } ?? 0
        run.coverage?.files[index].lines = (1...9).map { number in
            LineCount(line: Int32(number), count: ExecutionCount(number % 4 == 1 ? 0 : 2))
        }
        return SourcePage(path: "Sources/Core/URLRule.swift", run: run, text: coreSource)
    }

    /// A file with more places of missed lines than a page lists.
    static var torn: SourcePage? {
        var run = SampleRuns.passing(9)
        let index = run.coverage?.files.firstIndex { $0.path == "Sources/Core/URLRule.swift" } ?? 0
        run.coverage?.files[index].lines = (1...2 * (Jumps.most + 1)).map { number in
            LineCount(line: Int32(number), count: ExecutionCount(number % 2 == 0 ? 0 : 1))
        }
        return SourcePage(path: "Sources/Core/URLRule.swift", run: run, text: nil)
    }

    /// A run under way in which every text is the one given.
    static func underway(_ text: String, _ status: LiveEntry.LiveStatus = .running) -> LiveEntry {
        var entry = LiveStateTests.entry(status)
        entry.run.project = text
        entry.run.revision = Revision(commit: text, tree: text, branch: text, subject: text, isDirty: true)
        entry.run.progress.failures = [text, text]
        entry.run.progress.running = text
        return entry
    }

    /// The page of a run under way, of one that is judged, of one that was killed, and of one on another machine.
    static func live(_ text: String) -> [LivePage] {
        var reader = LogReader()
        // What an escape does to the pieces of a line is a test of its own.
        let shown = text.replacing("\u{1B}", with: "x")
        let log = ["first", shown, "\u{1B}[1;31m\(shown)\u{1B}[0m plain", ""].map { reader.line(Array($0.utf8)) }
        let own = [LiveEntry.LiveStatus.running, .judging, .gone].map { status in
            var entry = underway(text, status)
            if status == .judging { (entry.run.progress.failures, entry.run.progress.failed) = ([], 0) }
            return LivePage(entry, log: status == .judging ? [] : log, now: now)
        }
        var elsewhere = underway(text)
        elsewhere.sender = LiveSender(token: text, machine: text)
        return own + [LivePage(elsewhere, log: [], now: now)]
    }

    /// A run that did not compile.
    static var unbuilt: TestRun {
        var run = SampleRuns.passing(4)
        run.steps = [
            RunStep(
                kind: .build, arguments: ["swift", "build", "--build-tests"], duration: .seconds(8),
                termination: .exited(1)
            )
        ]
        run.tests = []
        run.coverage = nil
        run.diagnostics = [
            BuildDiagnostic(
                severity: .error, message: "cannot find 'rounded' in scope",
                location: SourceLocation(path: "Tests/CoreTests/CoreTests.swift", line: 35, column: 24)
            ),
            BuildDiagnostic(severity: .warning, message: "variable was never used"),
        ]
        return run
    }

    /// A run with more of everything than a page lists: failures, issues, errors, skipped tests, files, reasons, notes.
    static var crowded: TestRun {
        var run = HostileRun.run("crowd")
        let place = SourceLocation(path: "crowd", line: 1)
        run.diagnostics = Array(
            repeating: BuildDiagnostic(severity: .error, message: "no", location: place), count: 30
        )
        run.tests = (0..<101).map { number in
            TestResult(
                id: TestID(module: "CrowdTests", suite: "", name: "test\(number)"), library: .xctest, outcome: .failed,
                attempts: [
                    TestAttempt(outcome: .failed, issues: Array(repeating: Issue(message: "no"), count: 21))
                ]
            )
        }
        run.tests += (0..<501).map { number in
            TestResult(
                id: TestID(module: "CrowdTests", suite: "", name: "skipped\(number)"), library: .xctest,
                outcome: .skipped, skipReason: "crowd"
            )
        }
        run.tests.append(
            TestResult(id: TestID(module: "CrowdTests", suite: "", name: "quiet"), library: .xctest, outcome: .timedOut)
        )
        run.gaps = Array(repeating: Gap(.testsNotRun, detail: "one of a list"), count: 51)
        run.notes = Array(repeating: Note(.reportRepaired, detail: "crowd"), count: 201)
        return run
    }

    static func entry(_ run: TestRun) -> RunSummary {
        let verdict = SampleVerdicts.of(run)
        return RunSummary(
            run.head, decision: verdict.decision, exitStatus: verdict.exitStatus, outcomes: run.outcomes,
            lines: run.coverage.map { $0.files.reduce(CoverageTally()) { $0 + $1.lineTally } }
        )
    }

    /// The runs of one project, in a report without a server.
    static var history: RunsPage {
        let entries = [SampleRuns.undecided(), SampleRuns.failing(), SampleRuns.passing()].map(entry)
        return RunsPage(
            entries: entries, projects: [ProjectSummary(name: "example/video-kit", runs: 3)],
            project: "example/video-kit", before: nil, hasOlder: false, now: nil,
            links: StaticNames(SampleRuns.undecided()).links(from: ""))
    }

    static func runs(
        project: String? = nil, filter: RunFilter = RunFilter(), order: ListOrder? = nil, before: RunID? = nil,
        hasOlder: Bool = false
    ) -> RunsPage {
        let entries = [unbuilt, SampleRuns.undecided(), SampleRuns.failing(), SampleRuns.passing()].map(entry)
        return RunsPage(
            entries: entries,
            projects: [
                ProjectSummary(name: "example/video-kit", runs: 1204), ProjectSummary(name: "日本/🇯🇵", runs: 1),
            ],
            project: project, filter: filter, order: order, branches: project == nil ? [] : ["main", "fix/<b>"],
            before: before,
            hasOlder: hasOlder, now: now
        )
    }
}
