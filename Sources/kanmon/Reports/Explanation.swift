import Application
import Exports
import Gate
import RunModel
import Wording

/// How a verdict came to be: every floor with its rule and its place, the comparison in whole numbers, and the fix.
struct Explanation: Sendable, Encodable {
    /// One floor of one module.
    struct Step: Sendable, Encodable {
        let metric: String
        let covered: Int
        let total: Int
        let floor: String?
        /// `head`, `base` or `ratchet`.
        let source: String?
        /// Where the rule stands, and in which commit.
        let rule: String?
        /// `covered × 100000` and `thousandths of the floor × total`: the floor is reached when the first is not less.
        let have: Int?
        let need: Int?
        let reached: Bool?
        let shortfall: Int?
    }

    struct ModuleSteps: Sendable, Encodable {
        let module: String
        let notMeasurable: String?
        let excludedFiles: Int
        let steps: [Step]
        /// What of its public declarations was executed, where that was requested.
        let publicAPI: PublicSurface?
        /// Its files with what was not executed in them, where a module was requested.
        let files: [UnexecutedFile]?
    }

    /// A rule that is broken, or evidence that is missing, with what cures it.
    struct Finding: Sendable, Encodable {
        let sentence: String
        let fix: String?
        /// The missed lines of each file that the fix names: `path:10, 20–35`.
        let missed: [String]
    }

    let run: String
    let commit: String?
    let decision: String
    let exitStatus: Int32
    let headline: String
    let evidence: String
    let base: String?
    let modules: [ModuleSteps]
    let findings: [Finding]
    let remarks: [String]

    /// Explains a verdict; of one module only, if it is named, and then with what was not executed in its files.
    ///
    /// - Parameters:
    ///   - publicAPI: What of the public declarations of that module was executed, if that was requested.
    ///   - line: Gives the line of a source file by its path in the package, if it is known.
    init(
        _ run: TestRun, _ verdict: Verdict, _ baseline: Baseline?, module: String? = nil,
        publicAPI: PublicSurface? = nil,
        line: (_ path: String, _ line: Int) -> String? = { _, _ in nil }
    ) {
        self.run = run.id.description
        commit = run.revision?.commit
        decision = verdict.decision.rawValue
        exitStatus = verdict.exitStatus.rawValue
        headline = Headline(run, verdict).sentence
        evidence =
            "\(Figures.counted(run.outcomes.total, "test")) (\(Figures.list(run.outcomes))), coverage of "
            + "\(Figures.counted(run.coverage?.files.count ?? 0, "file")), \(Figures.counted(verdict.gaps.count, "gap"))"
        base =
            verdict.base.map { review in
                review.commit.words + (review.run.map { ", run \($0)" } ?? ", without a complete stored run")
            } ?? baseline?.absence.map { "none, \($0)" }
        modules = verdict.modules.filter { module == nil || Name($0.module) == Name(module ?? "") }
            .map { status in
                ModuleSteps(
                    module: status.module, notMeasurable: status.notMeasurable,
                    excludedFiles: status.excludedFiles,
                    steps: status.notMeasurable == nil
                        ? CoverageMetric.allCases.map { Self.step($0, status, verdict, baseline, run) } : [],
                    publicAPI: publicAPI,
                    files: module.map { UnexecutedFile.all(of: $0, in: run, line: line) })
            }
        findings =
            verdict.violations.filter { violation in
                guard let module else { return true }
                return [.module(module), .settings(module)].contains(violation.subject)
            }
            .map { Finding($0) }
            + verdict.gaps.map { Finding(sentence: $0.words.sentence, fix: $0.words.remedy, missed: []) }
        remarks = (verdict.base?.lines ?? []).map { "\($0.kind): \($0.words)" }
    }

    private static func step(
        _ metric: CoverageMetric, _ status: ModuleCoverage, _ verdict: Verdict, _ baseline: Baseline?, _ run: TestRun
    ) -> Step {
        let tally = status.tally(metric)
        guard let floor = status.floors[metric] else {
            return Step(
                metric: metric.rawValue, covered: tally.covered, total: tally.total, floor: nil, source: nil, rule: nil,
                have: nil, need: nil, reached: nil, shortfall: nil)
        }
        let raised = verdict.base?.floors.last {
            Name($0.module) == Name(status.module) && $0.metric == metric && $0.floor == floor
        }
        return Step(
            metric: metric.rawValue, covered: tally.covered, total: tally.total, floor: floor.description,
            source: (raised?.source ?? .head).rawValue,
            rule: rule(raised, status.module, verdict, baseline, run), have: tally.covered * 100_000,
            need: floor.thousandths * tally.total, reached: floor.isReached(by: tally),
            shortfall: floor.shortfall(of: tally))
    }

    private static func rule(
        _ raised: RaisedFloor?, _ module: String, _ verdict: Verdict, _ baseline: Baseline?, _ run: TestRun
    ) -> String {
        let base = verdict.base.map { " in the base \($0.commit.commit.prefix(12))" } ?? ""
        switch raised?.source {
        case .base: return (baseline?.settings?.place(ofFloorsFor: module) ?? "the default") + base
        case .ratchet:
            let before = raised?.tally.map(Figures.tally) ?? "more"
            return "coverage.ratchet: the base run covered \(before), minus 0.1 points"
        case .head, nil:
            let commit = run.revision?.commit.map { " in \($0.prefix(12))" } ?? ""
            let dirty = run.revision?.isExact == false ? ", from a working copy" : ""
            return (baseline?.head.place(ofFloorsFor: module) ?? verdict.policy.placeless(module)) + commit + dirty
        }
    }

    /// For a person.
    var text: String {
        var lines = [TerminalText.safe("\(headline) (exit status \(exitStatus))"), "Run \(run)"]
        lines.append("Evidence: \(evidence)")
        if let base { lines.append("Base: \(TerminalText.safe(base))") }
        for module in modules {
            lines += ["", TerminalText.safe(module.module)]
            if module.excludedFiles > 0 { lines.append("  \(Figures.counted(module.excludedFiles, "file")) excluded") }
            if let reason = module.notMeasurable { lines.append("  not measurable: \(TerminalText.safe(reason))") }
            for step in module.steps { lines += step.lines }
            lines += module.publicAPI?.lines ?? []
            for file in module.files ?? [] { lines += file.lines }
        }
        if !findings.isEmpty { lines.append("") }
        for finding in findings {
            lines.append("✕ \(TerminalText.safe(finding.sentence))")
            if let fix = finding.fix { lines.append("    \(TerminalText.safe(fix))") }
            lines += finding.missed.map { "      \(TerminalText.safe($0))" }
        }
        if !remarks.isEmpty { lines.append("") }
        lines += remarks.map(TerminalText.safe)
        return lines.joined(separator: "\n")
    }
}

extension Explanation.Finding {
    fileprivate init(_ violation: Violation) {
        sentence = violation.sentence
        fix = violation.hint
        missed = (violation.coverage?.files ?? []).map { file in
            "\(file.path):\(MissedLines(file.ranges, atMost: file.ranges.count).words)"
        }
    }
}

extension Explanation.Step {
    fileprivate var lines: [String] {
        let counted = "  \(metric): \(covered) of \(total)"
        guard let floor, let rule, let have, let need, let reached else { return [counted + ", no floor"] }
        let sign = reached ? "✓ \(have) ≥ \(need)" : "✕ \(have) < \(need), \(shortfall ?? 0) more needed"
        return [
            counted + ", floor \(floor) % by \(TerminalText.safe(rule))",
            "    \(covered) × 100000 against \(floor) % × 1000 × \(total): \(sign)",
        ]
    }
}

extension Policy {
    /// Which rule is for a module, where no place is known.
    fileprivate func placeless(_ module: String) -> String {
        modules.first { $0.matches(module) }.map { "coverage.modules.\($0.pattern)" } ?? "the default"
    }
}
