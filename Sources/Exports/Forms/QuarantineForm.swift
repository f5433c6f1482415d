public import Gate
import RunModel

/// An entry of the quarantine and its status in a run, for programs: in the report, and in lists of tests and
/// exceptions.
public struct QuarantineForm: Sendable, Hashable, Codable {
    /// The test as every report names it.
    let test: String
    /// How it ended; left out where the run has no such test.
    let outcome: String?
    let owner: String
    let reason: String
    /// The last day on which it holds, in UTC.
    let expires: String
    let isInForce: Bool
    /// Why the entry blocks: `expired`, `matches-nothing` or `always-fails`; left out where it does not.
    let fault: String?

    /// Makes the form of an entry.
    public init(_ status: QuarantineStatus) {
        test = status.entry.test
        outcome = status.outcome?.rawValue
        owner = status.entry.owner
        reason = status.entry.reason
        expires = status.entry.expires.description
        isInForce = status.isInForce
        fault = status.fault?.code
    }
}
