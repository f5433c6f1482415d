import Exports
import Gate
import Pages
import RunModel

/// What of every owner needs a look.
struct OwnersResponse: Codable {
    /// One of them.
    struct Owner: Codable {
        /// `nil` for what nobody is known to own.
        let owner: String?
        let failed: [TestForm]
        let flaky: [TestForm]
        let slow: [TestForm]
        let modulesUnderFloor: [String]
        let expiring: [Expiring]
        let lines: CoverageTally

        init(_ digest: OwnerDigest) {
            owner = digest.owner
            failed = digest.failed.map { TestForm($0) }
            flaky = digest.flaky.map { TestForm($0.id) }
            slow = digest.slow.map { TestForm($0.id) }
            modulesUnderFloor = digest.modules
            expiring = digest.expiring.map { Expiring(test: $0.test, expires: $0.expires.description) }
            lines = digest.lines
        }
    }

    /// An entry of the quarantine.
    struct Expiring: Codable {
        let test: String
        let expires: String
    }

    /// The latest run of all tests on the default branch; `nil` without one.
    let run: String?
    /// Where owners are known from; `nil` where the run was judged without a `CODEOWNERS`.
    let source: String?
    let owners: [Owner]
    /// Whether there is more than is looked up and listed.
    let isCut: Bool

    init(_ owners: ProjectOwners) {
        run = owners.run?.id.description
        source = owners.source
        self.owners = owners.digests.list.map { Owner($0) }
        isCut = owners.digests.isCut
    }
}
