public import Evidence
import HTTPTypes
public import RunModel

/// Why a delivery is refused, in words for its sender.
public enum DeliveryRefusal: Error, Sendable, Hashable {
    /// There is a run of this id with other bytes.
    case conflict(String)
    /// No run can be so.
    case impossible(String)
    /// It is above a limit.
    case tooLarge(String)
    /// It was not stored now, and may be later.
    case notNow(String)
    /// The disk is full.
    case full
}

/// Who delivers a run.
public struct DeliverySender: Sendable, Hashable {
    /// What is kept of the delivery.
    public var record: DeliveryRecord
    /// What the sender's token is known by: the SHA-256 of its secret, which no other token ever has.
    public var identity: String

    package init(record: DeliveryRecord, identity: String) { (self.record, self.identity) = (record, identity) }
}

/// Where deliveries are taken in: the files of runs, and whoever reads, judges and stores them.
public final class DeliveryService: Sendable {
    /// Takes in a run; called for one run of a token at a time, on a thread that may wait.
    ///
    /// - Throws: `DeliveryRefusal`; any other error is one of the server.
    public typealias Intake = @Sendable (RunID, Delivery, DeliverySender) throws -> DeliveryReceipt

    /// The files of runs; what a token sent is apart from what others did.
    let blobs: BlobStore
    let blobSize = BlobSize()
    /// The least share of the disk that must be free to take anything in.
    private let leastFree: Double
    private let intake: Intake
    private let name: @Sendable (String) throws -> String
    /// How far the server has read what others take in; `nil` where there are none.
    let followed: @Sendable () -> FollowedObjects?
    private let turns = FairQueue(DeliveryService.places)
    private let threads = WorkThreads("kanmon.deliveries", DeliveryService.places.all)
    /// Runs that are taken in at a time, and those of one token; how many may wait.
    private static let places = FairQueue.Places(all: 3, ofOne: 1, waitingOfOne: 16, waiting: 256)

    /// Makes the service.
    ///
    /// - Parameters:
    ///   - blobs: Where the files of runs are kept.
    ///   - leastFree: The least share of the disk that must be free, 0 to 1.
    ///   - name: The name that a project has now, by one that machines still say.
    ///   - followed: How far the server has read what others over the same objects take in; `nil` where there are none.
    ///   - intake: Takes in a run.
    public init(
        blobs: BlobStore, leastFree: Double, name: @escaping @Sendable (String) throws -> String = { $0 },
        followed: @escaping @Sendable () -> FollowedObjects? = { nil }, intake: @escaping Intake
    ) {
        self.blobs = blobs
        self.leastFree = leastFree
        self.name = name
        self.followed = followed
        self.intake = intake
    }

    /// The name that a project has now: who may see it is decided by that.
    func currentName(of project: String) throws -> String { try name(project) }

    /// Whether there is room on the disk.
    var hasRoom: Bool { blobs.freeShare >= leastFree }

    /// Takes in a run when it is its turn.
    func take(_ id: RunID, _ delivery: Delivery, from sender: DeliverySender) async throws -> DeliveryReceipt {
        let intake = intake
        return try await inTurn(of: sender.record.token, in: delivery.project) { try intake(id, delivery, sender) }
    }

    /// Refuses the runs that wait and that come, as the server ends: whoever sent them does so again, and what is in the spool is judged
    /// when it serves again.
    func close() { turns.close() }

    /// How many runs wait for their turn.
    var waiting: Int { turns.waiting }

    /// Whether nothing is being taken in or judged, and nothing waits for that.
    public var isIdle: Bool { turns.isIdle }

    /// Does other work on runs beside what is delivered, when it is its turn.
    ///
    /// - Parameter sender: Whose run it is: the name of a token, or empty for a run of this machine.
    public func work(
        of sender: String, in project: String, _ work: @escaping @Sendable () throws -> Void
    ) async throws { try await inTurn(of: sender, in: project, work) }

    /// Does work on a thread that may wait, when it is the sender's turn.
    private func inTurn<Value: Sendable>(
        of sender: String, in project: String, _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        let turn: FairQueue.Turn
        do throws(FairQueue.Refused) {
            turn = try await turns.turn(of: sender, in: project)
        } catch {
            throw DeliveryRefusal.notNow(
                error.isOfOne ? "too many runs of this token are being taken in" : "too many runs are being taken in")
        }
        defer { withExtendedLifetime(turn) {} }
        return try await threads.run { try work() }
    }
}
