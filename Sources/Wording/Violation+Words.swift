public import Gate
import RunModel

/// A violation in words: its subject, the reason, and the smallest fix.
public struct ViolationWords: Sendable, Hashable {
    /// The subject: a test, a module, the build; may be untrusted text.
    public let subject: String
    /// The reason: `crashed`, `line coverage 78.4 % < 80 %: 1,204 of 1,535 lines.`
    public let reason: String
    /// What to do: `Cover any 24 of these 61 lines:`; `nil` if the reason is enough.
    public let cure: String?

    /// `ThumbnailKit line coverage 78.4 % < 80 %: 1,204 of 1,535 lines.`
    public var sentence: String { "\(subject) \(reason)" }
}

extension Violation {
    /// The violation in words; those of a failed test name it by its identity alone.
    public var words: ViolationWords {
        switch self {
        case .buildFailed(let errors, _):
            let count = errors > 0 ? " with \(Figures.counted(errors, "error"))" : ""
            return ViolationWords(subject: "the build", reason: "failed" + count, cure: nil)
        case .testFailed(let id, let outcome, _):
            return ViolationWords(subject: id.description, reason: outcome.label, cure: nil)
        case .floorMissed(let floor): return floor.words
        case .gateChange(let change): return change.words
        case .coverageMissed(let rule): return rule.words
        case .tooFewTests(let executed, let minimum):
            return ViolationWords(
                subject: Figures.counted(executed, "test"),
                reason: "ran instead of at least \(Figures.grouped(minimum))",
                cure: "Check the filter, and that no test target was left out."
            )
        case .testFlaky(let id, let attempts):
            return ViolationWords(
                subject: id.description, reason: FlakyWords.reason(attempts: attempts),
                cure: "Repair it, or put it under tests.quarantine until somebody has."
            )
        case .quarantineBroken(let entry, let fault): return fault.words(entry)
        case .budgetExceeded(let violation): return violation.words
        }
    }
}
