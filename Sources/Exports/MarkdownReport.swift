public import Gate
public import RunModel
import Wording

/// A run as Markdown: for a pull request, a job's summary, a chat.
public enum MarkdownReport {
    /// A heading and what stands under it, each entry whole or not at all.
    struct Section {
        let title: String
        /// The text that opens the section, such as the head of a table.
        var opening = ""
        let entries: [String]
        let noun: String
    }

    /// How many lines of a message are shown.
    static let messageLines = 20
    /// Room for the lines that say what was left out.
    private static let reserve = 800

    /// Renders a run and its verdict in at most `limit` bytes of UTF-8.
    ///
    /// Platforms cut what is too long for them in the middle; here entries are left out whole and counted. A limit
    /// under 2,000 is treated as 2,000.
    ///
    /// - Parameters:
    ///   - run: What happened.
    ///   - verdict: What the gate says of it.
    ///   - limit: The most bytes that the reader takes; GitHub takes 65,536 characters in a comment.
    public static func render(_ run: TestRun, _ verdict: Verdict, limit: Int = 60_000) -> String {
        let budget = max(2000, limit) - reserve
        let headline = Headline(run, verdict)
        let title = MarkdownText.inline(TerminalText.cut(headline.sentence, to: 300))
        var text = "## \(headline.sign) \(title)\n\n\(facts(run))\n"
        for section in sections(run, verdict) where !section.entries.isEmpty {
            var part = "\n### \(section.title)\n\n\(section.opening)"
            var shown = 0
            for entry in section.entries {
                guard text.utf8.count + part.utf8.count + entry.utf8.count <= budget else { break }
                part += entry
                shown += 1
            }
            let left = section.entries.count - shown
            if shown > 0 { text += part }
            if left > 0 {
                text +=
                    "\n… \(Figures.counted(left, shown > 0 ? "more \(section.noun)" : section.noun)), omitted to keep the limit.\n"
            }
        }
        return text
    }

    private static func facts(_ run: TestRun) -> String {
        let outcomes = run.outcomes
        var parts = [
            MarkdownText.inline(TerminalText.cut(run.package, to: 100)),
            outcomes.total == 0 ? "no tests" : Figures.list(outcomes),
        ]
        if let commit = run.revision?.commit { parts.append("commit \(MarkdownText.code(String(commit.prefix(12))))") }
        if run.revision?.isExact == false { parts.append("working copy") }
        return (parts + [Figures.duration(run.duration), "run `\(run.id)`"]).joined(separator: " · ")
    }

    private static func sections(_ run: TestRun, _ verdict: Verdict) -> [Section] {
        let explanation = FailureExplanation(verdict, of: run)
        let owners = RunOwners(run, verdict)
        var opening = [explanation.inShort].compactMap { $0 }
        opening += explanation.commonReasons.prefix(ReportLimits.reasons)
        if let note = owners.note { opening.append(note) }
        return [
            Section(
                title: "Failed tests",
                opening: opening.map { "\(MarkdownText.inline($0))\n\n" }.joined(),
                entries: run.failures.map { failure($0, verdict, explanation, owner: owners.words(of: $0)) },
                noun: "failure"
            ),
            Section(
                title: "Build errors",
                entries: run.diagnostics.filter { $0.severity == .error }.map { error in
                    let place = error.location.map { "\(MarkdownText.code($0.description)) " } ?? ""
                    return "- \(place)\(MarkdownText.inline(error.message))\n"
                },
                noun: "error"
            ),
            Section(
                title: "Missing evidence",
                entries: verdict.gaps.map { gap in
                    let words = gap.words
                    return "- **\(words.code)**\(MarkdownText.inline(words.rest))  \n"
                        + "  \(MarkdownText.inline(words.meaning)) \(MarkdownText.inline(words.remedy))\n"
                },
                noun: "gap"
            ),
            Section(
                title: "Floors missed",
                entries: verdict.violations.compactMap { floor($0, owner: owners.words(of: $0)) }, noun: "floor"),
            Section(title: "Other rules", entries: verdict.violations.compactMap(otherRule), noun: "rule"),
            Section(title: "Flaky tests", entries: TestRemark.flaky(run, owners).map(remark), noun: "flaky test"),
            Section(
                title: "New and changed tests", entries: TestRemark.probation(run, verdict, owners).map(remark),
                noun: "test"),
            Section(title: "Quarantine", entries: TestRemark.quarantine(verdict).map(remark), noun: "entry"),
            modules(run, verdict),
            estimate(verdict),
            unstable(verdict),
            change(run, verdict),
            base(verdict),
            Section(
                title: "Notes",
                entries: (run.notes + (verdict.change?.notes ?? [])).map { note in
                    "- \(note.words.code)\(MarkdownText.inline(note.words.rest))\n"
                },
                noun: "note"
            ),
        ]
    }
}
