import Access
import RunModel

/// What the arrivals of one run come to: which manifest counts, and who vouches for it.
///
/// It follows from the set of the arrivals and their keys, and not from the order in which somebody learns of them.
struct RunChoice: Sendable, Hashable {
    let run: RunID
    let project: String
    /// The SHA-256 of the manifest that counts: the first that is trusted, else the first.
    let manifest: String
    /// Who delivered that, as a server has it that took in one delivery after the other.
    let delivery: DeliveryRecord
    /// The manifests that came with the same id, too, and do not count.
    let others: Set<String>

    /// Chooses; `nil` where nothing has arrived.
    ///
    /// - Parameter arrivals: Of one run, each with the end of its key.
    init?(_ arrivals: [String: Arrival], by trust: TokenTrust) {
        let inOrder = arrivals.sorted { Name($0.key) < Name($1.key) }.map(\.value)
        let records = inOrder.map { trust.today($0.delivery) }
        guard let first = records.firstIndex(where: \.isAttested) ?? records.indices.first else { return nil }
        let chosen = inOrder[first]
        let same = zip(inOrder, records).filter { $0.0.manifest == chosen.manifest }.map { $0.1 }
        run = chosen.run
        project = chosen.project
        manifest = chosen.manifest
        delivery = same.dropFirst().reduce(same.first ?? chosen.delivery) { $0.united(with: $1) }
        others = Set(inOrder.map(\.manifest)).subtracting([chosen.manifest])
    }
}

/// How far those are trusted today who have delivered.
struct TokenTrust: Sendable {
    private let tokens: [AccessToken]

    /// - Parameter tokens: All that there were, revoked ones too.
    init(_ tokens: [AccessToken]) { self.tokens = tokens }

    /// Whether the list has a token, by a name that it has or had.
    func knows(_ name: String) -> Bool { tokens.contains { $0.isCalled(name) } }

    /// Whether a token may vouch for what it delivers.
    func mayVouch(_ name: String) -> Bool { tokens.first { $0.isCalled(name) }?.scope.attests ?? false }

    /// A record as it is worth today. Whoever wrote it knew the token: where that is not known, or is distrusted, nobody vouches.
    func today(_ record: DeliveryRecord) -> DeliveryRecord {
        var record = record
        guard let token = tokens.first(where: { $0.isCalled(record.token) }) else {
            record.isAttested = false
            return record
        }
        if let moment = token.distrusted { record.distrust(at: moment) }
        return record
    }
}
