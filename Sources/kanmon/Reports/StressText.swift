import Exports
import Gate
import RunModel
import Wording

/// What came of tests that somebody had repeated, in words.
struct StressText: Sendable {
    let probation: Probation
    /// The commit whose tests these are; `nil` for the working copy.
    let commit: String?

    init(_ probation: Probation, commit: String?) { (self.probation, self.commit) = (probation, commit) }

    /// For a terminal: those that failed first, each with how to see it again.
    var text: String { lines.map { TerminalText.safe($0) }.joined(separator: "\n") }

    /// 1 where a repetition failed, 4 where a test was never repeated to its end.
    var exitStatus: ExitStatus {
        if !probation.failures.isEmpty { return .testsFailed }
        return probation.entries.contains(where: \.isUnproven) || probation.unlisted > 0 ? .undecided : .passed
    }

    private var lines: [String] {
        let failures = probation.failures
        var lines = (failures + probation.entries.filter { !$0.hasFailed }).map { entry in
            let sign = entry.hasFailed ? "✕" : entry.isUnproven ? "?" : "✓"
            return "\(sign) \(entry.test): \(entry.sentence(seed: probation.seed))"
                + entry.replayClause(seed: probation.seed, commit: commit)
        }
        let repetitions = probation.entries.reduce(0) { $0 + $1.all.executions }
        lines.append(
            "\(Figures.counted(probation.entries.count, "test")), \(Figures.counted(repetitions, "repetition")): "
                + "\(Figures.counted(failures.count, "test")) failed. The seed was \(probation.seed).")
        if let shortfall = probation.unlisted > 0 ? probation.shortfall : nil {
            lines.append("Not everything was repeated: \(shortfall)")
        }
        return lines
    }
}
