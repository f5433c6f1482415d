public import Gate
public import RunModel
import Wording

/// A run as a terminal, a hook or a console log prints it: verdict first, then what blocks, and failures again at the end.
public struct TextReport {
    let run: TestRun
    let verdict: Verdict
    let owners: RunOwners
    let explanation: FailureExplanation
    let style: TextStyle
    let source: (_ path: String, _ line: Int) -> String?
    var lines: [String] = []

    /// Renders a run and its verdict.
    ///
    /// - Parameters:
    ///   - run: What happened.
    ///   - verdict: What the gate says of it.
    ///   - style: Colors and width.
    ///   - source: Gives the line of a source file by its path in the package, if it is known.
    /// - Returns: Lines that end with a newline each; nothing in them commands a terminal or a console.
    public static func render(
        _ run: TestRun,
        _ verdict: Verdict,
        style: TextStyle = TextStyle(),
        source: (_ path: String, _ line: Int) -> String? = { _, _ in nil }
    ) -> String {
        withoutActuallyEscaping(source) { source in
            var report = TextReport(
                run: run, verdict: verdict, owners: RunOwners(run, verdict),
                explanation: FailureExplanation(verdict, of: run), style: style, source: source)
            report.write()
            return report.lines.map { TerminalText.defused($0) + "\n" }.joined()
        }
    }

    private mutating func write() {
        let headline = paintedHeadline()
        lines.append(headline)
        writeFailures()
        writeBuildErrors()
        writeGaps()
        writeOtherViolations()
        writeFloors()
        writeTestRemarks()
        writeModules()
        writeEstimate()
        writeChange()
        writeBase()
        writeNotes()
        writeSummary()
        if verdict.decision != .passed { lines.append(headline) }
    }

    func paintedHeadline() -> String {
        let paint: TextStyle.Paint =
            switch verdict.decision {
            case .passed: .green
            case .failed: .red
            case .undecided: .yellow
            }
        return style.painted(style.painted(TerminalText.safe(Headline(run, verdict).text), paint), .bold)
    }

    /// The tests that failed, in the order of their identity.
    var failures: [TestResult] { run.failures }

    private mutating func writeFailures() {
        // Whose they are is the first question.
        var opening = Array(explanation.commonReasons.prefix(ReportLimits.reasons))
        if verdict.causes != nil, let words = explanation.inShort { opening.insert(words, at: 0) }
        if !opening.isEmpty { lines += [""] + opening.map { TerminalText.safe($0) } }
        for test in failures.prefix(ReportLimits.failures) {
            lines.append("")
            let time = test.duration.map { " after \(Figures.duration($0))" } ?? ""
            lines.append(
                "\(paintedSign(of: test)) \(style.painted(TerminalText.safe(test.title), .bold)) "
                    + "\(verdict.reason(of: test))\(time)"
            )
            for issue in test.issues.filter(\.isFailure).prefix(ReportLimits.issues) { write(issue) }
            let more = test.issues.count { $0.isFailure } - ReportLimits.issues
            if more > 0 { lines.append("    … \(Figures.counted(more, "more issue"))") }
            if let words = explanation.words(on: test.id) { lines.append("    \(TerminalText.safe(words))") }
            if let words = owners.words(of: test) { lines.append("    \(TerminalText.safe(words))") }
            if let words = verdict.relation(of: test) { lines.append("    It \(words).") }
            if let words = test.silentFailure { lines.append("    \(words)") }
            if let output = test.attempts.last?.output { write(output: output) }
            if let command = test.rerunCommand { lines.append("    Rerun: \(command)") }
        }
        let more = failures.count - ReportLimits.failures
        if more > 0 {
            lines += ["", "… \(Figures.moreFailures(more))"]
        }
        if verdict.causes == nil, let words = explanation.inShort { lines += ["", TerminalText.safe(words)] }
        if !failures.isEmpty, let words = owners.note { lines += ["", TerminalText.safe(words)] }
    }

    /// The sign of a failed test; one that does not block is not red.
    func paintedSign(of test: TestResult) -> String {
        style.painted(verdict.sign(of: test), verdict.toleratesFailure(of: test) ? .yellow : .red)
    }

    private mutating func write(_ issue: Issue) {
        if let location = issue.location {
            lines.append("    \(TerminalText.safe(location.description))")
            excerpt(of: location)
        }
        writeBlock(issue.message, limit: ReportLimits.messageLines, indent: "    ")
        if let argument = issue.argument { lines.append("    Argument: \(TerminalText.safe(argument))") }
    }

    private mutating func write(output: String) {
        let all = TerminalText.safeLines(output)
        guard !all.isEmpty else { return }
        lines.append("    Output:")
        let hidden = all.count - ReportLimits.outputLines
        if hidden > 0 { lines.append("    │ … \(Figures.counted(hidden, "line")) before") }
        lines += all.suffix(ReportLimits.outputLines).map { "    │ \($0)" }
    }

    /// The source line at a place, if it is known.
    mutating func excerpt(of location: SourceLocation) {
        guard let text = source(location.path, location.line) else { return }
        let line = TerminalText.safeLines(text).first ?? ""
        let trimmed = String(line.drop { $0 == " " })
        let front = "      \(location.line) │ "
        lines.append(style.painted(front + TerminalText.cut(trimmed, to: style.columns - front.count), .dim))
    }

    /// Untrusted text of several lines; what is left out is counted.
    mutating func writeBlock(_ text: String, limit: Int, indent: String) {
        let all = TerminalText.safeLines(text)
        lines += all.prefix(limit).map { indent + $0 }
        if all.count > limit { lines.append("\(indent)… \(Figures.counted(all.count - limit, "more line"))") }
    }
}
