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
        // Of a run that passed this is said first: nobody is to take it for a run without a failure.
        let allowed = [verdict.allowanceWords].compactMap { $0 }
        switch verdict.decision {
        case .passed: detail = (allowed + Self.success(run, verdict) + part).joined(separator: ", ")
        case .failed: detail = (Rules.headline(verdict.violations) + allowed + part).joined(separator: ", ")
        case .undecided:
            detail = (Self.gaps(verdict) + Rules.headline(verdict.violations) + allowed + part).joined(separator: "; ")
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
        let unproven = verdict.probation?.failures.count ?? 0
        if unproven > 0 { parts.append("\(Figures.grouped(unproven)) failed when repeated") }
        let warnings = run.warnings.count
        if warnings > 0 { parts.append(Figures.counted(warnings, "warning")) }
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
            + (isUnjudged ? ["tests not compared: no base run is stored"] : [])
    }

    /// That the run is partial, and its selection.
    private static func part(_ run: TestRun) -> [String] {
        run.isPartial ? ["only \(run.selection.words.joined(separator: ", ")), coverage not judged"] : []
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
