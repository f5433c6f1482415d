import Foundation
import RunModel
import TestSupport

@testable import Gate

/// Verdicts on the sample runs, written by hand, so that no rule of the gate is needed to test a report.
enum SampleVerdicts {
    static let floor = Floors(line: Percentage(thousandths: 80_000))

    static func passing() -> Verdict {
        Verdict(decision: .passed, violations: [], gaps: [], modules: modules(toolCovered: 8), policy: Policy())
    }

    /// A run of which a test was left out, with what all of them would have covered.
    static func estimated() -> (run: TestRun, verdict: Verdict) {
        var run = SampleRuns.passing(6)
        run.selection = Selection(mappedBy: SampleRuns.id(2))
        var verdict = passing()
        verdict.estimate = CoverageEstimate(
            base: SampleRuns.id(2), executed: 2, deselected: 1,
            modules: ["Core", SampleRuns.hostile].map {
                CoverageEstimate.Module(name: $0, lines: CoverageTally(covered: 5, total: 6))
            })
        return (run, verdict)
    }

    static func failing(_ run: TestRun) -> Verdict {
        var violations = run.tests.filter(\.outcome.isFailure).map {
            Violation.testFailed(id: $0.id, outcome: $0.outcome, issue: $0.firstFailure)
        }
        if let floor = Percentage(thousandths: 80_000) {
            violations.append(
                .floorMissed(
                    module: "tool",
                    MissedCoverage(
                        metric: .line, tally: CoverageTally(covered: 5, total: 10), floor: floor,
                        shortfall: 3, files: [MissedFile(path: "Sources/tool/main.swift", missed: 5, ranges: [6...10])]
                    )
                )
            )
        }
        let kinds: [FailureOrigin.Kind] = [
            .redOnBase(
                since: FailureOrigin.FirstFailure(
                    run: SampleRuns.id(1), commit: String(repeating: "ab", count: 20), author: SampleRuns.hostile,
                    startedAt: Date(timeIntervalSince1970: 1_790_000_000), isFirst: true)),
            .newTest, .flaky(passed: SampleRuns.id(1), failed: SampleRuns.id(2)),
            .unknown(reason: "it did not run on the base"),
        ]
        return Verdict(
            decision: .failed, violations: violations, gaps: [], modules: modules(toolCovered: 5),
            failureOrigins: zip(run.failures, kinds).map { FailureOrigin(test: $0.id, kind: $1) }, policy: Policy()
        )
    }

    static func undecided(_ run: TestRun) -> Verdict {
        Verdict(
            decision: .undecided, violations: [], gaps: run.gaps, modules: modules(toolCovered: 8), policy: Policy()
        )
    }

    /// The unsteady run under rules that its tests break, and one entry of the quarantine that holds.
    static func unsteady(_ run: TestRun) -> Verdict {
        let day = CalendarDay(run.startedAt.addingTimeInterval(32 * 86_400))
        let holds = QuarantineEntry(
            test: run.tests[3].id.description, owner: "ana", reason: SampleRuns.hostile, expires: day)
        let gone = QuarantineEntry(test: "CoreTests.Gone/test", owner: "bo", reason: "slow network", expires: day)
        return Verdict(
            decision: .failed,
            violations: [
                .testFlaky(id: run.tests[0].id, attempts: 2),
                .quarantineBroken(entry: gone, fault: .matchesNothing(nearest: nil)),
                .budgetExceeded(
                    test: run.tests[1].id, rule: BudgetRule(pattern: "CoreTests/*", bound: .microseconds(800)),
                    median: .microseconds(870), executions: 5, machine: run.machine),
            ],
            gaps: [], modules: modules(toolCovered: 8),
            quarantine: [
                QuarantineStatus(entry: holds, id: run.tests[3].id, outcome: .failed),
                QuarantineStatus(entry: gone, fault: .matchesNothing(nearest: nil)),
            ],
            policy: Policy(flaky: .fail, quarantine: [holds, gone])
        )
    }

    /// A commit that weakens the gate twice, once with a waiver; hostile text wherever a commit can put some.
    static func rebased() -> Verdict {
        let hostile = SampleRuns.hostile
        let commit = String(repeating: "0a", count: 20)
        let day = CalendarDay(SampleRuns.moment)
        let used = Waiver(subject: "tool", until: day, reason: hostile, commit: commit, line: 3)
        let other = Waiver(subject: "tol", until: day, reason: "typed in haste", commit: commit, line: 4)
        let blocking = GateChange(
            .floorLowered, subject: "Core", metric: .line, before: "95 %", after: "60 %",
            basePlace: ".kanmon.yml:4:5", place: ".kanmon.yml:4:5")
        let waived = GateChange(
            .excludeAdded, subject: hostile, before: "none", after: hostile, items: ["Sources/tool/main.swift"],
            waiver: used)
        let review = BaseReview(
            commit: BaseCommit(commit: commit, kind: .mergeBase, name: "origin/main"), run: SampleRuns.id(4),
            changes: [blocking, waived],
            waivers: [
                WaiverStatus(used, .used), WaiverStatus(other, .unused, suggestion: "tool"),
                WaiverStatus(other, .expired), WaiverStatus(other, .standing),
            ],
            faults: [WaiverFault(text: hostile, problem: .dayMissing, commit: commit, line: 5)],
            floors: [
                RaisedFloor(module: "Core", metric: .line, floor: .zero, source: .base),
                RaisedFloor(
                    module: "tool", metric: .line, floor: .zero, source: .ratchet,
                    tally: CoverageTally(covered: 8, total: 10)),
            ]
        )
        return Verdict(
            decision: .failed, violations: [.gateChange(blocking)], gaps: [], modules: modules(toolCovered: 8),
            policy: Policy(), base: review
        )
    }

    /// A run that did not compile: two errors, no tests, no coverage.
    static func unbuilt() -> (run: TestRun, verdict: Verdict) {
        var run = SampleRuns.passing(4)
        run.tests = []
        run.coverage = nil
        run.diagnostics = [
            BuildDiagnostic(
                severity: .error, message: "cannot find '\(SampleRuns.hostile)' in scope",
                location: SourceLocation(path: "Sources/Core/Core.swift", line: 3, column: 9)
            ),
            BuildDiagnostic(severity: .error, message: "undefined reference to 'nowhere'"),
            BuildDiagnostic(severity: .warning, message: "never mind"),
        ]
        let violation = Violation.buildFailed(errors: 2, first: run.diagnostics.first)
        let verdict = Verdict(decision: .failed, violations: [violation], gaps: [], modules: [], policy: Policy())
        return (run, verdict)
    }

    private static func modules(toolCovered: Int) -> [ModuleCoverage] {
        [
            ModuleCoverage(
                module: "Core", lines: CoverageTally(covered: 19, total: 20),
                regions: CoverageTally(covered: 14, total: 15), functions: CoverageTally(covered: 6, total: 6),
                floors: floor
            ),
            ModuleCoverage(
                module: "tool", lines: CoverageTally(covered: toolCovered, total: 10),
                regions: CoverageTally(covered: 4, total: 5), functions: CoverageTally(covered: 1, total: 1),
                floors: floor
            ),
            ModuleCoverage(module: "CShim", notMeasurable: "a C-family target"),
        ]
    }
}
