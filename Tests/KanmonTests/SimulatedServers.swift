import Access
import Foundation
import RunModel
import Synchronization

@testable import Application
@testable import Objects

/// A clock that goes on when it is told to.
final class SimulatedClock: Sendable {
    private let moment: Mutex<Date>

    init(_ moment: Date) { self.moment = Mutex(moment) }

    var now: Date { moment.withLock { $0 } }

    func advance(by seconds: TimeInterval) { moment.withLock { $0 = $0.addingTimeInterval(seconds) } }
}

/// A server without run directories: what it would show of each run, by its own clock.
final class SimulatedServer {
    /// What a run directory says: which manifest it has, and who delivered that.
    struct Shown: Hashable {
        let manifest: String
        let delivery: DeliveryRecord
    }

    /// What outlives the end of a server.
    struct Disk {
        var index: [RunPlace: Shown] = [:]
        /// How far it has read the log.
        var known: Date?
    }

    private let store: MemoryStore
    private let clock: SimulatedClock
    private let name: String
    /// By how many seconds its clock is ahead.
    private let skew: TimeInterval
    private let trust: TokenTrust
    private var starts = 0
    private(set) var objects: RunObjects
    private(set) var position = LogPosition()
    private(set) var index: [RunPlace: Shown] = [:]

    init(_ store: MemoryStore, _ clock: SimulatedClock, name: String, skew: TimeInterval, trust: TokenTrust) {
        (self.store, self.clock, self.name, self.skew, self.trust) = (store, clock, name, skew, trust)
        objects = RunObjects(store, at: "memory", server: name) { clock.now.addingTimeInterval(skew) }
    }

    private var now: Date { clock.now.addingTimeInterval(skew) }

    /// Takes in a run as `DeliveryIntake` does; answers whether the sender is told that it is kept.
    func take(_ id: RunID, _ manifest: String, from token: String) async throws -> Bool {
        let place = RunPlace(id, of: "Kit")
        let record = DeliveryRecord(token: token, isAttested: token != "laptop", receivedAt: now, address: nil)
        let today = trust.today(record)
        let before = index[place]
        if let before, before.manifest != manifest, !today.isTrustedMore(than: before.delivery) { return false }
        let arrival = Arrival(id, of: "Kit", manifest: manifest, record)
        do {
            try await objects.note(arrival, until: ContinuousClock.now + .seconds(600))
        } catch is ObjectError {
            return false
        }
        let united = before?.manifest == manifest ? before?.delivery.united(with: today) : today
        index[place] = Shown(manifest: manifest, delivery: united ?? today)
        return true
    }

    /// Reads the log as `RunFollower` does.
    func look() async throws {
        try await objects.forEachEntry(after: position.start) { entry in
            guard position.isDue(entry, at: now, own: objects.server) else { return }
            guard let arrivals = try await objects.arrivals(of: entry),
                let choice = RunChoice(arrivals.read, by: trust)
            else { return }
            index[entry.place] = Shown(manifest: choice.manifest, delivery: choice.delivery)
            position.settle(entry, at: now)
        }
        _ = position.end(at: now)
    }

    /// Ends and begins again, with its disk, with one of before, or without any.
    func restart(from disk: Disk) {
        starts += 1
        objects = RunObjects(store, at: "memory", server: "\(name)\(starts)") { [clock, skew] in
            clock.now.addingTimeInterval(skew)
        }
        index = disk.index
        position = LogPosition(disk.known)
    }

    /// What is on its disk now.
    var disk: Disk { Disk(index: index, known: position.known) }
}
