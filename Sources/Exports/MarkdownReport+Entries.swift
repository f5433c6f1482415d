import Gate
import RunModel
import Wording

extension MarkdownReport {
    /// A failed test: its name, and for every issue the place and the message as it was recorded.
    static func failure(
        _ test: TestResult, _ verdict: Verdict, _ explanation: FailureExplanation, owner: String?
    ) -> String {
        let time = test.duration.map { " after \(Figures.duration($0))" } ?? ""
        var text =
            "- \(verdict.sign(of: test)) **\(MarkdownText.inline(test.title))** \(verdict.reason(of: test))\(time)\n"
        for issue in test.issues.filter(\.isFailure).prefix(ReportLimits.issues) {
            if let location = issue.location { text += "\n  \(MarkdownText.code(location.description))\n" }
            text += "\n" + indented(MarkdownText.block(issue.message, limit: messageLines)) + "\n"
            if let argument = issue.argument { text += "\n  Argument: \(MarkdownText.code(argument))\n" }
        }
        let more = test.issues.count { $0.isFailure } - ReportLimits.issues
        if more > 0 { text += "\n  … \(Figures.counted(more, "more issue"))\n" }
        if let words = explanation.words(on: test.id) { text += "\n  \(MarkdownText.inline(words))\n" }
        if let owner { text += "\n  \(MarkdownText.inline(owner))\n" }
        if let words = test.silentFailure { text += "\n  \(words)\n" }
        if let command = test.rerunCommand { text += "\n  Rerun: \(MarkdownText.code(command))\n" }
        return text
    }

    /// A rule on coverage that is missed, with the worst files.
    static func floor(_ violation: Violation, owner: String?) -> String? {
        guard let files = violation.coverage?.files else { return nil }
        var text = "- \(sentenceAndCure(violation))\n"
        if let owner { text += "  - \(MarkdownText.inline(owner))\n" }
        for file in files.prefix(ReportLimits.files) {
            let missed = MissedLines(file.ranges, atMost: ReportLimits.ranges)
            text += "  - \(MarkdownText.code(file.path)): \(missed.words)\n"
        }
        let more = files.count - ReportLimits.files
        if more > 0 { text += "  - … \(Figures.counted(more, "more file"))\n" }
        return text
    }

    /// A rule that is neither a failed test, nor a failed build, nor a floor.
    static func otherRule(_ violation: Violation) -> String? {
        guard violation.isOfNoOtherSection else { return nil }
        return "- \(sentenceAndCure(violation))\n"
    }

    /// What passes by a waiver, and what is wrong with a waiver.
    static func base(_ verdict: Verdict) -> Section {
        guard let review = verdict.base else { return Section(title: "Base", entries: [], noun: "line") }
        return Section(
            title: "Base", opening: "\(MarkdownText.inline(review.commit.words))\n\n",
            entries: review.lines.map { "- \($0.sign) **\($0.kind)**: \(MarkdownText.inline($0.words))\n" },
            noun: "line"
        )
    }

    /// A flaky test, or an entry of the quarantine.
    static func remark(_ remark: TestRemark) -> String {
        "- \(remark.sign) **\(MarkdownText.inline(remark.subject))** \(MarkdownText.inline(remark.words))\n"
    }

    private static func sentenceAndCure(_ violation: Violation) -> String {
        MarkdownText.inline(violation.sentence + (violation.hint.map { " \($0)" } ?? ""))
    }

    /// The table of modules, one entry a row.
    static func modules(_ run: TestRun, _ verdict: Verdict) -> Section {
        let head = """
            | | Module | Lines | | Regions | Functions | Floor |
            |-|:-|-:|-:|-:|-:|:-|

            """
        let rows = verdict.modules.map { status in
            let name = MarkdownText.inline(status.module)
            let sign = status.state.sign
            if let absence = status.absence {
                return "| \(sign) | \(name) | \(MarkdownText.inline(absence)) | | | | |\n"
            }
            return "| \(sign) | \(name) | \(Figures.percent(status.lines)) "
                + "| \(Figures.tally(status.lines)) | \(Figures.percent(status.regions)) "
                + "| \(Figures.percent(status.functions)) | \(status.floors.words) |\n"
        }
        return Section(
            title: "Coverage", opening: head, entries: run.coverage == nil || run.selection.mappedBy != nil ? [] : rows,
            noun: "module"
        )
    }

    /// What all tests would have covered, one entry a module.
    static func estimate(_ verdict: Verdict) -> Section {
        let head = """
            | Module | Lines | |
            |:-|-:|-:|

            """
        return Section(
            title: "Estimated coverage", opening: verdict.estimate.map { "\($0.sentence)\n\n\(head)" } ?? "",
            entries: (verdict.estimate?.modules ?? []).map { module in
                "| \(MarkdownText.inline(module.name)) | \(Figures.percent(module.lines)) "
                    + "| \(Figures.tally(module.lines)) |\n"
            }, noun: "module")
    }

    /// The lines that the tests do not always cover.
    static func unstable(_ verdict: Verdict) -> Section {
        Section(
            title: "Unstable lines",
            entries: verdict.unstable.words.map { ["\(MarkdownText.inline($0)). \([UnstableFile].meaning)\n"] } ?? [],
            noun: "list")
    }

    /// How the run stands against its base, one entry a group of files.
    static func change(_ run: TestRun, _ verdict: Verdict) -> Section {
        let words = verdict.change?.words
        let entries = words?.groups.map { group in
            let files = group.entries.prefix(ReportLimits.files).map {
                "  - \(MarkdownText.code($0.path)): \(MarkdownText.inline($0.words))\n"
            }
            let more = group.entries.count - ReportLimits.files
            let rest = more > 0 ? "  - … \(Figures.counted(more, "more file"))\n" : ""
            return "- \(MarkdownText.inline(group.title))\n" + files.joined() + rest
        }
        let sentences = [words?.sentence, words?.project, words?.limit, verdict.absenceOfChange(in: run)]
            .compactMap { $0 }.map { "- \(MarkdownText.inline($0))\n" }
        return Section(title: "Change", entries: sentences + (entries ?? []), noun: "part of the comparison")
    }

    private static func indented(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { "  \($0)" }.joined(separator: "\n")
    }
}
