import Gate
import RunModel
import Wording

extension TextReport {
    /// How the run stands against its base: what changed, what only moved, what changed without being touched.
    mutating func writeChange() {
        guard let words = verdict.change?.words else { return }
        lines += ["", TerminalText.safe(words.sentence)]
        for group in words.groups {
            lines.append("  \(group.title):")
            for entry in group.entries.prefix(Limit.files) {
                lines.append("    \(TerminalText.safe(entry.path)): \(entry.words)")
            }
            let more = group.entries.count - Limit.files
            if more > 0 { lines.append("    … \(Figures.counted(more, "more file"))") }
        }
        if let project = words.project { lines.append("  \(project)") }
    }

    /// What is worth knowing of the run and of what it is compared with.
    var notes: [Note] { run.notes + (verdict.change?.notes ?? []) }
}
