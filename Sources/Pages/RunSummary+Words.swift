public import Gate
import RunModel
import Wording

extension RunSummary {
    /// The verdict in two or three words; a run of a part of the tests says that it is one.
    var verdictWords: String {
        let words =
            switch exitStatus {
            case .passed: (["Passed"] + tolerated).joined(separator: ", ")
            case .testsFailed: Figures.counted(outcomes.failures, "test") + " failed"
            case .gateFailed: ([brokenWords] + [allowanceWords].compactMap { $0 }).joined(separator: ", ")
            case .buildFailed: "Build failed"
            case .undecided: "Undecided"
            case .noTests: "No tests ran"
            case .usage, .badInput, .internalError, .ioError, .badConfiguration: decision.word
            }
        return isPartial ? words + ", part" : words
    }

    /// What failed and does not block, which is not hidden.
    private var tolerated: [String] {
        let quarantined = outcomes.failures - allowedFailures
        return [allowanceWords, quarantined > 0 ? "\(Figures.grouped(quarantined)) quarantined" : nil].compactMap { $0 }
    }

    /// What the gate blocked for: `1 module under its floor, 1 test flaky`.
    private var brokenWords: String {
        let words = Rules.summary(broken).joined(separator: ", ")
        return words.isEmpty ? "Blocked by the gate" : words.prefix(1).uppercased() + words.dropFirst()
    }
}

extension RunSummary {
    /// The page that shows it as it was judged.
    public var route: Route { .run(self.id, commit: judgedCommit) }
}
