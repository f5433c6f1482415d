import Dispatch
public import Evidence
public import RunModel
import Synchronization

/// Why a delivery is refused, in words for its sender.
public enum DeliveryRefusal: Error, Sendable, Hashable {
    /// There is a run of this id with other bytes, or of another project.
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
    /// Whether it may replace a damaged run that another token delivered.
    public var isAdmin: Bool

    /// Makes a sender from its parts.
    public init(record: DeliveryRecord, isAdmin: Bool) {
        self.record = record
        self.isAdmin = isAdmin
    }
}

/// Where deliveries are taken in: the files of runs, and whoever reads, judges and stores them.
public final class DeliveryDesk: Sendable {
    /// Takes in a run; called for one run at a time, on a thread that may wait.
    ///
    /// - Throws: `DeliveryRefusal`; any other error is one of the server.
    public typealias Intake = @Sendable (RunID, Delivery, DeliverySender) throws -> DeliveryReceipt

    /// How many runs may wait for their turn.
    private static let mostWaiting = 32

    let blobs: BlobStore
    let blobSize = BlobSize()
    /// The least share of the disk that must be free to take anything in.
    private let leastFree: Double
    private let intake: Intake
    private let queue = DispatchQueue(label: "kanmon.deliveries")
    private let waiting = Mutex(0)

    /// Makes a desk.
    ///
    /// - Parameters:
    ///   - blobs: Where the files of runs are kept.
    ///   - leastFree: The least share of the disk that must be free, 0 to 1.
    ///   - intake: Takes in a run.
    public init(blobs: BlobStore, leastFree: Double = 0.05, intake: @escaping Intake) {
        self.blobs = blobs
        self.leastFree = leastFree
        self.intake = intake
    }

    /// Whether there is room on the disk.
    var hasRoom: Bool { blobs.freeShare >= leastFree }

    /// Takes in a run when it is its turn.
    func take(_ id: RunID, _ delivery: Delivery, from sender: DeliverySender) async throws -> DeliveryReceipt {
        let isFree = waiting.withLock { waiting in
            guard waiting < Self.mostWaiting else { return false }
            waiting += 1
            return true
        }
        guard isFree else { throw DeliveryRefusal.notNow("too many runs are being taken in") }
        defer { waiting.withLock { $0 -= 1 } }
        let intake = intake
        return try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try intake(id, delivery, sender) }) }
        }
    }
}
