public import Gate
import RunModel

/// What of one owner needs a look, for programs.
public struct OwnerForm: Sendable, Hashable, Codable {
    /// An entry of the quarantine.
    struct Expiring: Hashable, Codable {
        let test: String
        let expires: String
    }

    /// Left out for what nobody is known to own.
    let owner: String?
    let failed: [TestForm]
    let flaky: [TestForm]
    let slow: [TestForm]
    let modulesUnderFloor: [String]
    let expiring: [Expiring]
    let lines: CoverageTally

    /// Makes the form of a digest.
    public init(_ digest: OwnerDigest) {
        owner = digest.owner
        failed = digest.failed.map { TestForm($0) }
        flaky = digest.flaky.map { TestForm($0.id) }
        slow = digest.slow.map { TestForm($0.id) }
        modulesUnderFloor = digest.modules
        expiring = digest.expiring.map { Expiring(test: $0.test, expires: $0.expires.description) }
        lines = digest.lines
    }
}
