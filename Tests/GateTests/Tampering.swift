import RunModel
import TestSupport
import Testing

@testable import Gate

/// One way to weaken the gate: what a commit does, and the gate change that must be found.
struct Tampering: Sendable, CustomTestStringConvertible {
    var expected: GateChange
    /// What the commit does.
    var change: @Sendable (inout Trial) -> Void

    init(_ expected: GateChange, _ change: @escaping @Sendable (inout Trial) -> Void) {
        self.expected = expected
        self.change = change
    }

    var testDescription: String { "\(expected.code.rawValue) \(expected.subject) \(expected.after)" }

    /// Every way that is known.
    static let all = ofCoverage + ofTests + ofSettings

    /// The first test of the sample.
    static let firstTest = SampleRuns.passing().tests.first.map { "\($0.id)" } ?? ""
}
