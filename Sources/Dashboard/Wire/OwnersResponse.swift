import Gate
import Pages
import RunModel

/// What of every owner needs a look.
struct OwnersResponse: Encodable {
    /// One of them.
    struct Owner: Encodable {
        /// `nil` for what nobody is known to own.
        let owner: String?
        let failed: [TestResponse]
        let flaky: [TestResponse]
        let slow: [TestResponse]
        let modulesUnderFloor: [String]
        let expiring: [Expiring]
        let lines: TallyResponse

        init(_ digest: OwnerDigest) {
            owner = digest.owner
            failed = digest.failed.map { TestResponse($0, title: nil) }
            flaky = digest.flaky.map { TestResponse($0.id, title: nil) }
            slow = digest.slow.map { TestResponse($0.id, title: nil) }
            modulesUnderFloor = digest.modules
            expiring = digest.expiring.map { Expiring(test: $0.test, expires: $0.expires.description) }
            lines = TallyResponse(digest.lines)
        }
    }

    /// An entry of the quarantine.
    struct Expiring: Encodable {
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
