import Gate
import RunModel
import Wording

extension TextReport {
    /// What the compiler said, the first errors with their source lines.
    mutating func writeBuildErrors() {
        let errors = run.diagnostics.filter { $0.severity == .error }
        guard !errors.isEmpty else { return }
        lines.append("")
        for error in errors.prefix(ReportLimits.errors) {
            let place = error.location.map { TerminalText.safe("\($0.description): ") } ?? ""
            let message = TerminalText.safeLines(error.message)
            lines.append("\(style.painted("✕", .red)) \(place)error: \(message.first ?? "")")
            if let location = error.location { excerpt(of: location) }
            lines += message.dropFirst().prefix(ReportLimits.messageLines).map { "    \($0)" }
        }
        let more = errors.count - ReportLimits.errors
        if more > 0 { lines.append("… \(Figures.counted(more, "more error"))") }
    }

    /// What the evidence does not establish, and what to do about it.
    mutating func writeGaps() {
        for gap in verdict.gaps {
            lines.append("")
            let words = gap.words
            write(words, after: "\(style.painted("?", .yellow)) \(style.painted(words.code, .bold))")
            lines.append("    \(words.meaning)")
            lines.append("    Try: \(words.remedy)")
        }
    }

    /// Rules that are neither a failed test, nor a failed build, nor a floor.
    mutating func writeOtherViolations() {
        for violation in verdict.violations {
            guard violation.isOfNoOtherSection else { continue }
            lines += ["", "\(style.painted("✕", .red)) \(TerminalText.safe(violation.sentence))"]
            if let hint = violation.hint { lines.append("    \(TerminalText.safe(hint))") }
        }
    }

    /// Flaky tests, new and changed ones that were repeated, and every entry of the quarantine.
    mutating func writeTestRemarks() {
        for (title, remarks) in [
            ("Flaky", TestRemark.flaky(run, owners)),
            ("New and changed tests", TestRemark.probation(run, verdict, owners)),
            ("Quarantine", TestRemark.quarantine(verdict)),
        ] where !remarks.isEmpty {
            lines += ["", style.painted(title, .bold)]
            for remark in remarks.prefix(ReportLimits.remarks) {
                lines.append("\(style.painted(remark.sign, .yellow)) \(TerminalText.safe(remark.sentence))")
            }
            let more = remarks.count - ReportLimits.remarks
            if more > 0 { lines.append("… \(Figures.counted(more, "more test"))") }
        }
    }

    /// What the run was compared with, what passes by a waiver, and what is wrong with a waiver.
    mutating func writeBase() {
        guard let review = verdict.base, !review.lines.isEmpty else { return }
        lines += ["", style.painted(TerminalText.safe("Base: \(review.commit.words)"), .dim)]
        for line in review.lines.prefix(ReportLimits.notes) {
            let sign = style.painted(line.sign, line.sign == "–" ? .dim : .yellow)
            lines.append("\(sign) \(line.kind): \(TerminalText.safe(line.words))")
        }
        let more = review.lines.count - ReportLimits.notes
        if more > 0 { lines.append("… \(Figures.counted(more, "more line")); kanmon explain has all") }
    }

    /// What is worth knowing and blocks nothing.
    mutating func writeNotes() {
        guard !notes.isEmpty else { return }
        lines.append("")
        for note in notes.prefix(ReportLimits.notes) {
            write(note.words, after: "Note: \(note.words.code)")
        }
        let more = notes.count - ReportLimits.notes
        if more > 0 { lines.append("… \(Figures.counted(more, "more note"))") }
    }

    /// The text that follows a code: its first line beside it, the others under it.
    private mutating func write(_ remark: Remark, after code: String) {
        let all = TerminalText.safeLines(remark.rest)
        lines.append(code + (all.first ?? ""))
        lines += all.dropFirst().prefix(ReportLimits.messageLines).map { "    \($0)" }
        let more = all.count - 1 - ReportLimits.messageLines
        if more > 0 { lines.append("    … \(Figures.counted(more, "more line"))") }
    }

    /// Failures once more by name, then counts, run and time: what is still on the screen when the run ends.
    mutating func writeSummary() {
        lines.append("")
        for test in failures.prefix(ReportLimits.failures) {
            let place = (test.firstFailure?.location ?? test.location).map { "  \(TerminalText.safe($0.description))" }
            lines.append(
                "\(paintedSign(of: test)) "
                    + "\(TerminalText.safe(test.title)) \(verdict.reason(of: test))\(place ?? "")"
            )
        }
        let more = failures.count - ReportLimits.failures
        if more > 0 { lines.append("… \(Figures.counted(more, "more failure"))") }
        let outcomes = run.outcomes
        let counts = Figures.list(outcomes)
        lines.append(Figures.counted(outcomes.total, "test") + (counts.isEmpty ? "" : ": \(counts)"))
        lines.append("Run \(run.id), \(Figures.duration(run.duration))")
        if let build = run.origin?.build, let origin = run.origin {
            lines.append("Build \(TerminalText.safe(build.link == nil ? build.name : origin.description))")
        }
    }
}

extension Violation {
    /// Whether it is neither a failed test, nor a failed build, nor a floor, which have sections of their own.
    var isOfNoOtherSection: Bool { !isTestFailure && !isBuildFailure && coverage == nil }
}
