extension Violation {
    /// Which rule is broken, without what broke it.
    public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        case buildFailed, testFailed, floorMissed, patch, project, drop, file, tooFewTests, testFlaky, quarantineBroken
        case budgetExceeded, gateChange
    }

    /// Which rule is broken.
    public var kind: Kind {
        switch self {
        case .buildFailed: .buildFailed
        case .testFailed: .testFailed
        case .floorMissed: .floorMissed
        case .coverageMissed(let violation):
            switch violation.rule {
            case .patch: .patch
            case .project: .project
            case .drop: .drop
            case .file: .file
            }
        case .tooFewTests: .tooFewTests
        case .testFlaky: .testFlaky
        case .quarantineBroken: .quarantineBroken
        case .budgetExceeded: .budgetExceeded
        case .gateChange: .gateChange
        }
    }
}
