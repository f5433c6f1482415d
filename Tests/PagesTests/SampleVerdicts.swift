import RunModel
import TestSupport

@testable import Gate

/// The verdicts that belong to the sample runs, written out by hand, so that pages are tested without the gate.
enum SampleVerdicts {
    static let floor = Percentage(thousandths: 80_000)

    static func statuses(_ run: TestRun) -> [ModuleCoverage] {
        run.modules.filter { $0.kind != .test }.map { module in
            let tally = { run.coverage(of: module.name, $0) ?? CoverageTally() }
            return ModuleCoverage(
                module: module.name, lines: tally(.line), regions: tally(.region), functions: tally(.function),
                floors: Floors(line: floor), notMeasurable: run.notMeasurable[module.name]
            )
        }
    }

    static func violations(_ run: TestRun) -> [Violation] {
        let failures = run.tests.filter(\.outcome.isFailure).map {
            Violation.testFailed(id: $0.id, outcome: $0.outcome, issue: $0.firstFailure)
        }
        let floors = statuses(run).compactMap { status -> Violation? in
            guard let floor = status.floors.line, status.lines.total > 0, !floor.isReached(by: status.lines)
            else { return nil }
            let files = (run.coverage?.files ?? []).filter { $0.module == status.module && $0.lineTally.missed > 0 }
            return .floorMissed(
                module: status.module,
                MissedCoverage(
                    metric: .line, tally: status.lines, floor: floor,
                    shortfall: floor.shortfall(of: status.lines),
                    files: files.sorted { $0.lineTally.missed > $1.lineTally.missed }
                        .map { MissedFile(path: $0.path, missed: $0.lineTally.missed, ranges: $0.missedRanges) }
                )
            )
        }
        let builds =
            run.buildFailed
            ? [
                Violation.buildFailed(
                    errors: run.diagnostics.filter { $0.severity == .error }.count, first: run.diagnostics.first
                )
            ] : []
        return builds + failures + floors
    }

    static func of(_ run: TestRun) -> Verdict {
        let violations = violations(run)
        return Verdict(
            decision: !run.gaps.isEmpty ? .undecided : violations.isEmpty ? .passed : .failed,
            violations: violations, gaps: run.gaps, modules: statuses(run), policy: Policy(),
            base: run.gaps.isEmpty ? nil : review(run.gaps[0].subject)
        )
    }

    /// A base with everything that can be said of one; every text in it is the one given.
    static func review(_ text: String) -> BaseReview {
        let day = CalendarDay(SampleRuns.moment)
        let waiver = Waiver(subject: text, until: day, reason: text, commit: text, line: 3)
        var change = GateChange(
            .excludeAdded, subject: text, before: text, after: text, items: [text], basePlace: text, place: text)
        change.waiver = waiver
        return BaseReview(
            commit: BaseCommit(commit: String(repeating: "0a", count: 20), kind: .mergeBase, name: text),
            run: SampleRuns.id(1), changes: [change],
            waivers: [WaiverStatus(waiver, .used), WaiverStatus(waiver, .unused, suggestion: text)],
            faults: [WaiverFault(text: text, problem: .dayMissing, commit: text, line: 1)],
            floors: floor.map { [RaisedFloor(module: text, metric: .line, floor: $0, source: .base)] } ?? []
        )
    }
}
