public import Gate
public import RunModel

/// The verdict in one sentence.
public struct Headline: Sendable, Hashable {
    /// The sign shown with the word, so that no meaning depends on color alone.
    public let sign: String
    /// `Passed`, `Blocked` or `Undecided`.
    public let word: String
    /// What follows the word; may hold untrusted text.
    public let detail: String

    /// Formats the verdict on a run.
    public init(_ run: TestRun, _ verdict: Verdict) {
        sign = verdict.decision.sign
        word = verdict.decision.word
        let part =
            Self.part(run)
            + Self.reservations(
                switchedOff: run.selection.disabledTargets, run.isPartial || run.buildFailed ? nil : verdict)
        switch verdict.decision {
        case .passed: detail = (Self.success(run, verdict) + part).joined(separator: ", ")
        case .failed: detail = (Self.violations(verdict) + part).joined(separator: ", ")
        case .undecided: detail = (Self.gaps(verdict) + Self.violations(verdict) + part).joined(separator: "; ")
        }
    }

    /// `Blocked: 1 test failed`; may hold untrusted text.
    public var sentence: String { detail.isEmpty ? word : "\(word): \(detail)" }

    /// `✕ Blocked: 1 test failed`; may hold untrusted text.
    public var text: String { "\(sign) \(sentence)" }

    private static func success(_ run: TestRun, _ verdict: Verdict) -> [String] {
        let outcomes = run.outcomes
        // First the passed tests, then the other outcomes, so that the numbers add up to all tests.
        var parts = [Figures.counted(outcomes[.passed], "test")]
        parts += ([.knownIssue, .skipped] as [Outcome]).filter { outcomes[$0] > 0 }.map {
            Figures.counted(outcomes, $0)
        }
        let judged = verdict.modules.count { $0.state == .atFloor }
        if judged > 0 { parts.append("\(Figures.counted(judged, "module")) \(Figures.atFloor(judged))") }
        let flaky = run.flakyTests.count
        if flaky > 0 { parts.append("\(Figures.grouped(flaky)) flaky") }
        let excused = run.failures.count(where: verdict.excuses)
        if excused > 0 { parts.append("\(Figures.counted(excused, "failure")) in quarantine") }
        let waived = verdict.base?.waived.count ?? 0
        if waived > 0 { parts.append(Figures.counted(waived, "gate change") + " waived") }
        return parts
    }

    /// What every verdict must mention: test targets that are switched off, and rules that were not judged. May
    /// contain untrusted text.
    ///
    /// - Parameter verdict: `nil` for a run that cannot be compared: a partial run, or a failed build.
    public static func reservations(switchedOff targets: [String], _ verdict: Verdict?) -> [String] {
        let isTold = verdict?.gaps.contains { $0.code == .baseRunMissing } == true
        let isUnjudged = verdict?.base?.notJudged.isEmpty == false && !isTold
        return (targets.isEmpty ? [] : ["switched off: \(targets.joined(separator: ", "))"])
            + (isUnjudged ? ["tests not compared: no run of the base is stored"] : [])
    }

    /// That the run is partial, and its selection.
    private static func part(_ run: TestRun) -> [String] {
        run.isPartial ? ["only \(run.selection.words.joined(separator: ", ")), coverage not judged"] : []
    }

    private static func violations(_ verdict: Verdict) -> [String] {
        var parts: [String] = []
        var failures = OutcomeTally()
        var modules: [String] = []
        var (flaky, slow, broken, files, changes) = (0, 0, 0, 0, 0)
        for violation in verdict.violations {
            switch violation {
            case .buildFailed, .tooFewTests: parts.append(violation.words.sentence)
            case .testFlaky: flaky += 1
            case .quarantineBroken: broken += 1
            case .budgetExceeded: slow += 1
            case .testFailed(_, let outcome, _): failures[outcome] += 1
            case .gateChange: changes += 1
            case .floorMissed(let floor):
                if !modules.contains(where: { Name($0) == Name(floor.module) }) {
                    modules.append(floor.module)
                }
            case .coverageMissed(let violation):
                if case .file = violation.rule { files += 1 } else { parts.append(violation.headline) }
            }
        }
        for outcome in Outcome.allCases where failures[outcome] > 0 {
            parts.append("\(Figures.counted(failures[outcome], "test")) \(outcome.label)")
        }
        if flaky > 0 { parts.append("\(Figures.counted(flaky, "test")) flaky") }
        if broken > 0 { parts.append("\(Figures.counted(broken, "broken contract")) of the quarantine") }
        if slow > 0 {
            parts.append("\(Figures.counted(slow, "test")) over \(slow == 1 ? "its budget" : "their budgets")")
        }
        if !modules.isEmpty {
            parts.append("\(Figures.counted(modules.count, "module")) \(Figures.underFloor(modules.count))")
        }
        if files > 0 { parts.append("\(Figures.counted(files, "file")) \(Figures.underFloor(files))") }
        if changes > 0 { parts.append(Figures.counted(changes, "gate change") + " without a waiver") }
        return parts
    }

    /// The first gap by its name, the others by their number.
    private static func gaps(_ verdict: Verdict) -> [String] {
        guard let first = verdict.gaps.first else { return [] }
        let rest = verdict.gaps.count - 1
        return [first.words.sentence.firstLine(atMost: 300)] + (rest > 0 ? [Figures.counted(rest, "more gap")] : [])
    }
}

extension Decision {
    /// The sign shown beside the word, so that no meaning depends on color alone.
    public var sign: String {
        switch self {
        case .passed: "✓"
        case .failed: "✕"
        case .undecided: "?"
        }
    }

    /// What it means for the commit.
    public var word: String {
        switch self {
        case .passed: "Passed"
        case .failed: "Blocked"
        case .undecided: "Undecided"
        }
    }
}

extension String {
    /// The first line, at most `length` characters; `…` if something was cut.
    fileprivate func firstLine(atMost length: Int) -> String {
        let line = prefix { !$0.isNewline }.prefix(length)
        return line.endIndex == endIndex ? self : line + "…"
    }
}
