import Dispatch
public import Evidence
import HTTPTypes
public import RunModel

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
    /// Takes in a run; called for one run of a token at a time, on a thread that may wait.
    ///
    /// - Throws: `DeliveryRefusal`; any other error is one of the server.
    public typealias Intake = @Sendable (RunID, Delivery, DeliverySender) throws -> DeliveryReceipt

    /// Finds the directory of a run of a project that a token of a name has delivered; `nil` if there is none.
    public typealias EarlierRun = @Sendable (RunID, _ project: String, _ token: String) throws -> RunDirectory?

    let blobs: BlobStore
    let blobSize = BlobSize()
    /// The least share of the disk that must be free to take anything in.
    private let leastFree: Double
    private let earlier: EarlierRun
    private let intake: Intake
    private let turns = FairTurns(DeliveryDesk.places)
    private let threads = DispatchQueue(label: "kanmon.deliveries", attributes: .concurrent)
    /// Runs that are taken in at a time, and those of one token; how many may wait.
    private static let places = FairTurns.Places(all: 3, ofOne: 1, waitingOfOne: 16, waiting: 256)
    private let differences = WorkQueue("kanmon.differences")

    /// Makes a desk.
    ///
    /// - Parameters:
    ///   - blobs: Where the files of runs are kept.
    ///   - leastFree: The least share of the disk that must be free, 0 to 1.
    ///   - earlier: Finds a run that files may be sent as differences from.
    ///   - intake: Takes in a run.
    public init(
        blobs: BlobStore, leastFree: Double = 0.05, earlier: @escaping EarlierRun, intake: @escaping Intake
    ) {
        self.blobs = blobs
        self.leastFree = leastFree
        self.earlier = earlier
        self.intake = intake
    }

    /// Whether there is room on the disk.
    var hasRoom: Bool { blobs.freeShare >= leastFree }

    /// Takes in a run when it is its turn.
    func take(_ id: RunID, _ delivery: Delivery, from sender: DeliverySender) async throws -> DeliveryReceipt {
        let intake = intake
        return try await inTurn(of: sender.record.token, in: delivery.project) { try intake(id, delivery, sender) }
    }

    /// How many runs wait for their turn.
    var waiting: Int { turns.waiting }

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
        let turn: FairTurns.Turn
        do throws(FairTurns.Refused) {
            turn = try await turns.turn(of: sender, in: project)
        } catch {
            throw DeliveryRefusal.notNow(
                error.isOfOne ? "too many runs of this token are being taken in" : "too many runs are being taken in")
        }
        return try await withCheckedThrowingContinuation { continuation in
            threads.async {
                let result = Result { try work() }
                withExtendedLifetime(turn) { continuation.resume(with: result) }
            }
        }
    }

    /// Takes in a file that is sent as its difference from one of an earlier run; on disk when it returns.
    ///
    /// Only the machine that sent the earlier file can send a difference from it: to anybody else, the answers would tell what
    /// is in it.
    func take(
        _ difference: [UInt8], of sha256: String, from earlier: EarlierFile, token: String
    ) async throws {
        let (blobs, find) = (blobs, self.earlier)
        try await differences.run {
            guard let before = try Self.contents(of: earlier, in: try find(earlier.run, earlier.project, token)) else {
                throw DeliveryError(.notFound, "there is no such file of a run that this token delivered")
            }
            try blobs.take(try Difference.apply(difference, to: before), as: sha256)
        }
    }

    /// An earlier file; `nil` where there is none, or what is there is not read. What is wrong with it says where it is.
    private static func contents(of file: EarlierFile, in directory: RunDirectory?) throws(EvidenceError) -> [UInt8]? {
        do throws(EvidenceError) {
            return try directory?.contents(of: file.path, limit: Difference.largestFile)
        } catch {
            guard error.isBadInput else { throw error }
            return nil
        }
    }
}

/// A file that another one is sent as a difference from.
struct EarlierFile: Sendable, Hashable {
    /// The project of its run.
    var project: String
    var run: RunID
    /// Where it is in the run directory.
    var path: String
}
