import Access
import RunModel

/// What the arrivals of one run come to: which manifest counts, and who vouches for it.
///
/// It follows from the set of the arrivals, and not from the order in which somebody learns of them: they are taken in the order of
/// their keys, each as a server takes in a delivery.
struct RunChoice: Sendable, Hashable {
    /// The run.
    let run: RunID
    /// Its project.
    let project: String
    /// The SHA-256 of the manifest that counts: of those that are trusted more, the first.
    private(set) var manifest: String
    /// Who delivered that.
    private(set) var delivery: DeliveryRecord
    /// The manifests that came with the same id, too, and do not count.
    private(set) var others: Set<String> = []

    /// Chooses; `nil` where nothing has arrived.
    ///
    /// - Parameter arrivals: Of one run, each with the end of its key.
    init?(_ arrivals: [String: Arrival], by trust: TokenTrust) {
        let inOrder = arrivals.sorted { Name($0.key) < Name($1.key) }.map(\.value)
        guard let first = inOrder.first else { return nil }
        run = first.run
        project = first.project
        manifest = first.manifest
        delivery = trust.today(first.delivery)
        for arrival in inOrder.dropFirst() {
            let record = trust.today(arrival.delivery)
            if arrival.manifest == manifest {
                delivery = delivery.united(with: record)
            } else if record.isTrustedMore(than: delivery) {
                others.insert(manifest)
                others.remove(arrival.manifest)
                (manifest, delivery) = (arrival.manifest, record)
            } else {
                others.insert(arrival.manifest)
            }
        }
    }
}

/// How far those are trusted today who have delivered.
struct TokenTrust: Sendable {
    private let tokens: [AccessToken]

    /// - Parameter tokens: All that there were, revoked ones too.
    init(_ tokens: [AccessToken]) { self.tokens = tokens }

    /// Whether the list has a token, by a name that it has or had.
    func knows(_ name: String) -> Bool { tokens.contains { $0.isCalled(name) } }

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
