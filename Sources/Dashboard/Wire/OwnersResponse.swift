import Exports
import Gate
import Pages
import RunModel

/// What of every owner needs a look.
struct OwnersResponse: Codable {
    /// The latest full run on the default branch; `nil` without one.
    let run: String?
    /// Where owners are known from; `nil` where the run was judged without a `CODEOWNERS`.
    let source: String?
    let owners: [OwnerForm]
    /// Whether there is more than is looked up and listed.
    let isCut: Bool

    init(_ owners: ProjectOwners) {
        run = owners.run?.id.description
        source = owners.source
        self.owners = owners.digests.list.map { OwnerForm($0) }
        isCut = owners.digests.isCut
    }
}
