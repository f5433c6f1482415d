import Gate
import RunModel
import Wording

/// One figure of a run with its rule or its parts.
struct Tile: Sendable {
    let name: String
    let figure: String
    let unit: String
    let bar: Bar?
    let detail: String
    let href: String?

    /// The tiles of a run: tests, coverage, modules, duration.
    static func all(_ run: TestRun, _ verdict: Verdict) -> [Tile] {
        [tests(run.outcomes), coverage(verdict), modules(verdict), duration(run)]
    }

    private static func tests(_ outcomes: OutcomeTally) -> Tile {
        let order: [Outcome] = [.passed, .knownIssue, .skipped, .notRun, .timedOut, .crashed, .failed]
        let words = ([.failed, .crashed, .timedOut, .skipped, .knownIssue, .notRun] as [Outcome])
            .filter { outcomes[$0] > 0 || $0 == .failed }
            .map { Figures.counted(outcomes, $0) }
            .joined(separator: " · ")
        return Tile(
            name: "Tests", figure: Figures.grouped(outcomes[.passed]),
            unit: "of \(Figures.grouped(outcomes.total)) passed",
            bar: Bar(
                label: "\(Figures.grouped(outcomes[.passed])) passed, \(words)",
                parts: order.map { ($0.style, outcomes[$0]) }
            ),
            detail: words, href: "#" + RunAnchors.tests
        )
    }

    private static func coverage(_ verdict: Verdict) -> Tile {
        if let estimate = verdict.estimate {
            return Tile(
                name: "Lines covered, estimated", figure: "≈ \(Figures.percent(estimate.lines))",
                unit: Figures.tally(estimate.lines), bar: Bar(estimate.lines, floor: nil),
                detail: "no floor is judged by it", href: nil)
        }
        let measured = verdict.modules.filter { $0.notMeasurable == nil }
        let tally = { (metric: CoverageMetric) in measured.reduce(CoverageTally()) { $0 + $1.tally(metric) } }
        let lines = tally(.line)
        guard lines.total > 0 else {
            return Tile(
                name: "Lines covered", figure: "–", unit: "no coverage was recorded", bar: nil,
                detail: "no percentage without a total", href: nil
            )
        }
        return Tile(
            name: "Lines covered", figure: Figures.percent(lines), unit: Figures.tally(lines),
            bar: Bar(lines, floor: nil),
            detail: "regions \(Figures.percent(tally(.region))) · functions \(Figures.percent(tally(.function)))",
            href: "#" + RunAnchors.modulesTable
        )
    }

    private static func modules(_ verdict: Verdict) -> Tile {
        let judged = verdict.modules.filter { $0.state == .atFloor || $0.state == .underFloor }
        let under = judged.count { $0.state == .underFloor }
        let measured = verdict.modules.count { $0.state == .notJudged }
        let others = verdict.modules.count - judged.count - measured
        let left = [(measured, "not judged"), (others, "not measured")].filter { $0.0 > 0 }
            .map { "\(Figures.grouped($0)) \($1)" }.joined(separator: " · ")
        guard !judged.isEmpty else {
            return Tile(
                name: "Modules", figure: "–", unit: "no floor was judged", bar: nil, detail: left,
                href: verdict.modules.isEmpty ? nil : "#" + RunAnchors.modulesTable)
        }
        return Tile(
            name: "Modules", figure: Figures.grouped(judged.count - under),
            unit: "of \(Figures.grouped(judged.count)) \(Figures.atFloor(judged.count))",
            bar: Bar(
                label: "\(Figures.grouped(under)) \(Figures.underFloor(under))",
                parts: [("covered", judged.count - under), ("under", under)]
            ),
            detail: left.isEmpty ? "every module is judged" : left,
            href: "#" + RunAnchors.modulesTable
        )
    }

    private static func duration(_ run: TestRun) -> Tile {
        let steps = run.steps.filter { $0.kind == .build || $0.kind == .test }
        let spent = { (isCounted: (RunStep.Kind) -> Bool) in
            run.steps.reduce(Duration.zero) { isCounted($1.kind) ? $0 + $1.duration : $0 }.milliseconds
        }
        return Tile(
            name: "Duration", figure: Figures.duration(run.duration), unit: "in all",
            bar: run.steps.isEmpty
                ? nil
                : Bar(
                    label: "build, tests and the rest",
                    parts: [
                        ("build", spent { $0 == .build }), ("test", spent { $0 == .test }),
                        ("rest", spent { $0 != .build && $0 != .test }),
                    ]
                ),
            detail: steps.isEmpty
                ? "ran elsewhere"
                : steps.map { "\($0.kind.rawValue) \(Figures.duration($0.duration))" }.joined(separator: " · "),
            href: "#how"
        )
    }
}

extension Outcome {
    /// The CSS class of its color.
    var style: String { rawValue }
}

extension Duration {
    /// Whole milliseconds, for drawing; 0 if out of range.
    fileprivate var milliseconds: Int { Int(exactly: (self / .milliseconds(1)).rounded()) ?? 0 }
}
