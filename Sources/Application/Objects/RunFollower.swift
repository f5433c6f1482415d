import Evidence
package import Foundation
import Objects
import RunModel
import Storage

/// Learns of the runs that other servers over the same objects take in, while this one serves.
///
/// It reads the log again and again. Of each run that is named there it looks at all arrivals, so that whatever it has missed, and in
/// whatever order it learns, it comes to the same as the others.
package final class RunFollower: Sendable {
    /// How long to wait until the log is read again.
    private static let pause = Duration.seconds(4)
    /// How long to wait until more of it is read once more, in seconds.
    private static let day: TimeInterval = 86_400

    private let objects: RunObjects
    private let intake: DeliveryIntake
    private let now: @Sendable () -> Date

    private var home: Home { intake.checkpoint.home }

    package init(_ objects: RunObjects, _ intake: DeliveryIntake, now: @escaping @Sendable () -> Date) {
        (self.objects, self.intake, self.now) = (objects, intake, now)
    }

    /// Follows until the task is cancelled.
    ///
    /// - Parameter turn: Judges a run among those that are delivered here.
    package func run(_ turn: DeliveryIntake.Turn) async {
        let known = KnownLog(home)
        var position = LogPosition(known.read(of: objects.place))
        var (saved, lookedBack, isAway) = (position.known, now(), false)
        while !Task.isCancelled {
            do {
                if now().timeIntervalSince(lookedBack) > Self.day {
                    position.lookBack(at: now())
                    lookedBack = now()
                }
                try await look(&position, turn)
                if isAway { StandardStreams.tell("kanmon: what other servers take in is seen again") }
                isAway = false
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
            }
            try? await Task.sleep(for: Self.pause)
        }
    }

    /// Reads the log once, from where it was read to.
    func look(_ position: inout LogPosition, _ turn: DeliveryIntake.Turn) async throws {
        let home = home
        let restoration = try RunRestoration(objects, into: home, now: now()) { id, directory in
            // Whatever ends this server from here on: what lies there then is judged when it serves again.
            Spool(home).add(id, at: directory.path)
            if home.hasStore { try RunStore(path: home.database).remove(run: id) }
        }
        try await objects.forEachEntry(after: position.start) { entry in
            guard position.isDue(entry, at: now(), own: objects.server) else { return }
            if try await settle(entry, restoration, turn) { position.settle(entry, at: now()) }
        }
        for key in position.end(at: now()) {
            StandardStreams.tell("kanmon: what \(key) names is not whole, and is not looked for any more")
        }
    }

    /// Brings a run here up to date; returns whether nothing of it is missing.
    ///
    /// - Throws: `ObjectError` of a store that does not answer.
    private func settle(
        _ entry: LogEntry, _ restoration: RunRestoration, _ turn: DeliveryIntake.Turn
    ) async throws -> Bool {
        let id = entry.place.id
        do {
            switch try await restoration.restore(entry) {
            case .lost: return false
            case .removed: return true
            case .present:
                // It may be here and not judged, as there was no turn for it.
                guard let waiting = Spool(home).directory(of: id) else { return true }
                return try await judge(id, waiting, turn)
            case .updated(let directory), .restored(let directory): return try await judge(id, directory, turn)
            }
        } catch let error as ObjectError {
            throw error
        } catch {
            // Somebody may deliver the same run here at this moment.
            if !Task.isCancelled {
                StandardStreams.tell("kanmon: run \(id.short) of another server is looked at later: \(error)")
            }
            return false
        }
    }

    /// Judges and stores a run; returns whether that is done.
    private func judge(_ id: RunID, _ directory: RunDirectory, _ turn: DeliveryIntake.Turn) async throws -> Bool {
        switch try await intake.judge(directory, in: turn) {
        case .judged: return true
        case .notStored: return false
        case .impossible(let reason), .tooLarge(let reason):
            StandardStreams.tell("kanmon: run \(id.short) of another server is not taken: \(reason)")
            return true
        }
    }
}
