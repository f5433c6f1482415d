import Gate
import RunModel
import Wording

extension TextReport {
    /// How the run stands against its base: what changed, what only moved, what changed without being touched.
    mutating func writeChange() {
        let words =
            verdict.change?.words.lines(files: ReportLimits.files) ?? verdict.absenceOfChange(in: run).map { [$0] }
        lines += words.map { [""] + $0.map { TerminalText.safe($0) } } ?? []
    }

    /// What is worth knowing of the run and of what it is compared with.
    var notes: [Note] { run.notes + (verdict.change?.notes ?? []) }
}
