public import Gate
import RunModel
import Wording

/// What of every owner of a project needs a look, as it stood in the latest full run on the default branch.
public struct ProjectOwners: Sendable {
    /// That run; `nil` without one.
    public var run: RunSummary?
    /// The `CODEOWNERS` that it was judged with; `nil` without one.
    public var list: CodeOwners?
    /// Who has most to do first, and last what nobody is known to own; none where no `CODEOWNERS` was read.
    public var digests: OwnerDigests

    package init(run: RunSummary? = nil, list: CodeOwners? = nil, digests: OwnerDigests = OwnerDigests()) {
        (self.run, self.list, self.digests) = (run, list, digests)
    }

    /// Where owners are known from; `nil` without a `CODEOWNERS`. Untrusted text.
    public var source: String? { list?.source }

    /// Only the digest of one owner, or all, in the order that was requested.
    public func listed(_ owner: String?, by order: ListOrder?) -> ProjectOwners {
        var listed = self
        if let owner { listed.digests.list.removeAll { $0.owner.map { Name($0) } != Name(owner) } }
        listed.digests.list = listed.digests.list.sorted(by: order)
        return listed
    }
}

extension SheetPage {
    /// What of every owner needs a look, or of one.
    public static func owners(
        _ owners: ProjectOwners, project: String, kept: String? = nil, order: ListOrder? = nil,
        links: Links = .dashboard
    ) -> SheetPage {
        let table = CellTable(
            ownerColumns, owners.digests.list, (), sorting: sorting(.owners, project, kept: kept, order, links))
        let source = owners.source.map { "\($0.cut(to: 300)). " } ?? ""
        let note = owners.digests.note.map { "\($0) " } ?? ""
        return list(
            .owners, project: project, kept: kept, order: order, count: owners.digests.list.count,
            summary: source + note + origin(owners.run), subject: subject(owners.run, links), table, links,
            empty: EmptyList(
                "No owners are known.", "Commit a CODEOWNERS: it counts for runs that have it in their base."))
    }

    typealias OwnerColumn = ListColumn<OwnerDigest, Void>

    /// The columns of the list of owners; what nobody is known to own is last by name.
    static let ownerColumns: [OwnerColumn] = [
        OwnerColumn(.by(.name, "Owner"), before: { SheetPage.isFirst($0.owner, $1.owner) }) { digest, _ in
            Cell.name(digest.name, nil)
        },
        OwnerColumn(.by(.failures, "#Red"), before: { $0.failed.count < $1.failed.count }) { digest, _ in
            Cell.figure(Figures.grouped(digest.failed.count), "Red", isBad: !digest.failed.isEmpty)
        },
        OwnerColumn(.by(.flaky, "#Flaky"), before: { $0.flaky.count < $1.flaky.count }) { digest, _ in
            Cell.figure(Figures.grouped(digest.flaky.count), "Flaky")
        },
        OwnerColumn(.by(.slow, "#Slow"), before: { $0.slow.count < $1.slow.count }) { digest, _ in
            Cell.figure(Figures.grouped(digest.slow.count), "Slow")
        },
        OwnerColumn(.by(.coverage, "#Covered"), before: { $0.lines.rank < $1.lines.rank }) { digest, _ in
            let total = digest.lines.total
            return Cell.figure(
                Figures.percent(digest.lines), "Covered",
                detail: total == 0 ? nil : "of \(Figures.counted(total, "line"))")
        },
        OwnerColumn("Needs a look") { digest, _ in
            let points = digest.points.map { "\($0.title): \($0.names)" }
            return Cell.words(points.isEmpty ? "–" : points.joined(separator: "; "), "Needs a look")
        },
    ]

    /// Whether an owner stands before another by name.
    private static func isFirst(_ owner: String?, _ other: String?) -> Bool {
        guard let owner else { return false }
        guard let other else { return true }
        return Name(owner) < Name(other)
    }
}
