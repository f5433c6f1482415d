public import Gate
import RunModel

/// The state of a module, with words and a sign.
public enum ModuleState: Sendable, Hashable, CaseIterable {
    /// There is nothing in it to measure.
    case notMeasurable
    /// It should have coverage and has none.
    case notRecorded
    /// A metric is under its floor.
    case underFloor
    /// No metric is under its floor.
    case atFloor
    /// It has no floor.
    case notJudged

    /// The sign shown with the words, so that no meaning depends on color alone.
    public var sign: String {
        switch self {
        case .notMeasurable, .notJudged: "–"
        case .notRecorded: "?"
        case .underFloor: "✕"
        case .atFloor: "✓"
        }
    }

    /// The words a person reads.
    public var words: String {
        switch self {
        case .notMeasurable: "not measurable"
        case .notRecorded: "no coverage recorded"
        case .underFloor: Figures.underFloor()
        case .atFloor: Figures.atFloor()
        case .notJudged: "not judged"
        }
    }
}

extension ModuleCoverage {
    /// The state of the module.
    public var state: ModuleState {
        if notMeasurable != nil { return .notMeasurable }
        if lines.total == 0 { return .notRecorded }
        if CoverageMetric.allCases.contains(where: isUnderFloor) { return .underFloor }
        return floors == Floors() ? .notJudged : .atFloor
    }

    /// Why there are no figures: `not measurable: a C-family target`; `nil` if there are.
    public var absence: String? {
        switch state {
        case .notMeasurable: "not measurable: \(notMeasurable ?? "")"
        case .notRecorded: ModuleState.notRecorded.words
        case .underFloor, .atFloor, .notJudged: nil
        }
    }
}
