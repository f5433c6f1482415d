import Gate
import RunModel
import Wording

extension RunSummary {
    /// The verdict in two or three words; a run of a part of the tests says that it is one.
    var verdictWords: String {
        let words =
            switch exitStatus {
            case .passed: "Passed"
            case .testsFailed: Figures.counted(outcomes.failures, "test") + " failed"
            case .gateFailed: brokenWords
            case .buildFailed: "Build failed"
            case .undecided: "Undecided"
            case .noTests: "No tests ran"
            case .usage, .badInput, .internalError, .ioError, .badConfiguration: decision.word
            }
        return isPartial ? words + ", part" : words
    }

    /// What the gate blocked for: `2 floors missed`, `Patch under its floor, 1 flaky test`.
    private var brokenWords: String {
        let parts = Violation.Kind.allCases.compactMap { kind in broken[kind].map { kind.words($0) } }
        return parts.isEmpty ? "Blocked by the gate" : parts.joined(separator: ", ")
    }
}

extension Violation.Kind {
    /// So many violations of this kind, in as few words as a list has room for.
    fileprivate func words(_ number: Int) -> String {
        switch self {
        case .buildFailed: "Build failed"
        case .testFailed: Figures.counted(number, "test") + " failed"
        case .floorMissed: Figures.counted(number, "floor") + " missed"
        case .patch: "Patch under its floor"
        case .project: "Project under its floor"
        case .drop: "Project fell"
        case .file: Figures.counted(number, "file") + " under \(number == 1 ? "its floor" : "their floors")"
        case .tooFewTests: "Too few tests"
        case .testFlaky: Figures.counted(number, "flaky test")
        case .quarantineBroken: "Quarantine broken"
        case .budgetExceeded: Figures.counted(number, "test") + " over budget"
        case .gateChange: "Bar lowered"
        }
    }
}
