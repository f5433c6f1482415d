package import Dashboard
import Evidence
package import Foundation
import Objects
import RunModel
import Storage
import Synchronization

/// Learns of the runs that other servers over the same objects take in, while this one serves.
///
/// It reads the log again and again. Of each run that is named there it looks at all arrivals, so that whatever it has missed, and in
/// whatever order it learns, it comes to the same as the others. A run of which something is missing or cannot be read is told, and
/// tried again later; the following goes on with the next.
package final class RunFollower: Sendable {
    /// How long to wait until the log is read again.
    private static let pause = Duration.seconds(4)
    /// How long to wait until more of it is read once more, in seconds.
    private static let day: TimeInterval = 86_400
    /// After how many runs in a row of which the store gives nothing it is taken for away.
    private static let mostFailed = 3
    /// How many runs are told of in one look; of others later ones tell.
    private static let mostTold = 20

    private let objects: RunObjects
    private let intake: DeliveryIntake
    private let now: @Sendable () -> Date
    private let progress = Mutex(FollowedObjects())

    /// How far it has come.
    package var followed: FollowedObjects { progress.withLock { $0 } }

    private var home: Home { intake.checkpoint.home }

    /// - Parameter isAway: Whether the store did not answer when the server started.
    package init(
        _ objects: RunObjects, _ intake: DeliveryIntake, isAway: Bool = false, now: @escaping @Sendable () -> Date
    ) {
        (self.objects, self.intake, self.now) = (objects, intake, now)
        progress.withLock { $0.isAway = isAway }
    }

    /// Follows until the task is cancelled.
    ///
    /// - Parameter turn: Judges a run among those that are delivered here.
    package func run(_ turn: DeliveryIntake.Turn) async {
        let known = KnownLog(home)
        var position = LogPosition(known.read(of: objects.place))
        var (saved, lookedBack, isAway, failures) = (position.known, now(), followed.isAway, 0)
        while !Task.isCancelled {
            do {
                if now().timeIntervalSince(lookedBack) > Self.day {
                    position.lookBack(at: now())
                    lookedBack = now()
                }
                try await look(&position, turn)
                if isAway { StandardStreams.tell("kanmon: the objects answer, and what other servers take in is seen") }
                (isAway, failures) = (false, 0)
                progress.withLock { $0.isAway = false }
                if let moment = position.known, moment != saved {
                    try known.write(moment, of: objects.place)
                    saved = moment
                }
            } catch {
                // Once, and not every few seconds.
                if !isAway, !Task.isCancelled {
                    StandardStreams.tell("kanmon: what other servers take in is seen later: \(error)")
                }
                isAway = true
                progress.withLock { $0.isAway = true }
                failures += 1
            }
            let pause = LookPause.pause(Self.pause, after: failures, share: .random(in: 0...1))
            try? await Task.sleep(for: pause)
        }
    }

    /// Reads the log once, from where it was read to.
    ///
    /// - Throws: `ObjectError` of a store that does not answer.
    func look(_ position: inout LogPosition, _ turn: DeliveryIntake.Turn) async throws {
        let home = home
        let restoration = try RunRestoration(objects, into: home, now: now()) { id, directory in
            // Whatever ends this server from here on: what lies there then is judged when it serves again.
            Spool(home).add(id, at: directory.path)
            if home.hasStore { try RunStore(path: home.database).remove(run: id) }
        }
        var (failed, told) = (0, 0)
        // Those that are put off are as many, however the look ends.
        defer { note(position) }
        try await objects.forEachEntry(after: position.start) { entry in
            guard position.isDue(entry, at: now(), own: objects.server) else { return }
            let fault: Fault
            do {
                switch try await settle(entry, restoration, turn) {
                case .done:
                    failed = 0
                    position.settle(entry, at: now())
                    return
                // Its sender was told nothing: perhaps it never does.
                case .notArrived:
                    failed = 0
                    return
                case .putOff(let reason):
                    failed = 0
                    fault = Fault(reason: reason, isUnreadable: false)
                }
            } catch let error as ObjectError {
                // One object keeps nobody from the others; a store that is away, or refuses everything, does.
                failed += error.isOfOneObject ? 0 : 1
                guard error.kind != .settings, failed < Self.mostFailed, !Task.isCancelled else {
                    _ = position.putOff(entry, at: now(), isUnreadable: true, mayTell: false)
                    throw error
                }
                fault = Fault(reason: "\(error)", isUnreadable: true)
            }
            let isToTell = position.putOff(
                entry, at: now(), isUnreadable: fault.isUnreadable, mayTell: told < Self.mostTold)
            guard isToTell else { return }
            told += 1
            tell(entry, fault, isFirst: told == 1)
        }
        for key in position.end(at: now()) {
            StandardStreams.tell(
                """
                kanmon: what \(key) names is not whole, and is not looked for any more
                Try: kanmon db rebuild --from-objects \(objects.place), when it is
                """)
        }
        progress.withLock { $0.readAt = now() }
    }

    /// Why a run is not here yet.
    private struct Fault {
        let reason: String
        /// Whether the store could not give something of it.
        let isUnreadable: Bool
    }

    private func note(_ position: LogPosition) {
        let waiting = position.waiting
        progress.withLock { $0.waiting = waiting }
    }

    private func tell(_ entry: LogEntry, _ fault: Fault, isFirst: Bool) {
        // What was read may be words of somebody else.
        let (run, reason) = (entry.place.id.short, ObjectError.shown(fault.reason))
        StandardStreams.tell("kanmon: run \(run) of another server waits, and is tried again: \(reason)")
        if isFirst { StandardStreams.tell("Try: kanmon objects check --read \(objects.place)") }
    }

    /// What came of a run that the log names.
    private enum Settled {
        /// Nothing of it is missing.
        case done
        /// It has not arrived.
        case notArrived
        /// Something of it is missing here: why.
        case putOff(String)
    }

    /// Brings a run here up to date.
    ///
    /// - Throws: `ObjectError` of a store that does not answer, or cannot give one object.
    private func settle(
        _ entry: LogEntry, _ restoration: RunRestoration, _ turn: DeliveryIntake.Turn
    ) async throws -> Settled {
        let id = entry.place.id
        do {
            switch try await restoration.restore(entry) {
            case nil: return .notArrived
            case .lost(let reason): return .putOff(reason)
            case .removed: return .done
            case .present:
                // It may be here and not judged, as there was no turn for it.
                guard let waiting = Spool(home).directory(of: id) else { return .done }
                return try await judge(id, waiting, turn)
            case .updated(let directory), .restored(let directory): return try await judge(id, directory, turn)
            }
        } catch let error as ObjectError {
            throw error
        } catch {
            // Somebody may deliver the same run here at this moment.
            return .putOff("\(error)")
        }
    }

    /// Judges and stores a run.
    private func judge(_ id: RunID, _ directory: RunDirectory, _ turn: DeliveryIntake.Turn) async throws -> Settled {
        switch try await intake.judge(directory, in: turn) {
        case .judged: return .done
        case .notStored: return .putOff("the store here does not take it now")
        case .impossible(let reason), .tooLarge(let reason):
            StandardStreams.tell("kanmon: run \(id.short) of another server is not taken: \(reason)")
            return .done
        }
    }
}
