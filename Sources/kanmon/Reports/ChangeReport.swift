import Exports
import Foundation
import Gate
import RunModel
import Wording

/// What a branch changes, in words.
struct ChangeReport {
    let branch: String
    let change: BranchChange
    let now: Date

    /// Whose change it is and what the gate says, then the comparison with the base.
    var text: String {
        let latest = change.comparison.after
        var facts = ["\(branch): \(latest.decision.word)"] + [latest.allowanceWords].compactMap { $0 }
        if let author = latest.revision?.author { facts.append("by \(author)") }
        if let subject = latest.revision?.subject { facts.append(subject) }
        var lines = [facts.joined(separator: ", ")]
        if let asked = change.origin?.change {
            lines.append(["Change request \(asked)", asked.link].compactMap { $0 }.joined(separator: ": "))
        }
        if let build = change.origin?.build {
            lines.append(build.link.map { "Build \(build.name): \($0)" } ?? "Build \(build.name)")
        }
        if let page = change.forge.comparison ?? change.forge.commit { lines.append("On the forge: \(page)") }
        if let words = change.causeWords { lines.append(words) }
        lines += change.violations.map { "  \($0.sentence)" }
        let comparison = ComparisonReport(change.comparison, change: change.lines, now: now)
        return lines.map { TerminalText.safe($0) }.joined(separator: "\n") + "\n\n" + comparison.text
    }
}
