import Evidence
import Foundation
import RunModel
import Synchronization
import Testing

@testable import Application
@testable import Objects

/// Servers over objects in memory that are swept now and then, by a clock that goes on when it is told to.
final class SweptObjects: Sendable {
    static let moment = Date(timeIntervalSince1970: 1_780_000_000)

    let store: MemoryStore
    let clock: SimulatedClock
    /// Each remembers what it has put.
    let servers: [RunObjects]

    init() {
        let (memory, time) = (MemoryStore(), SimulatedClock(Self.moment))
        (store, clock) = (memory, time)
        memory.setClock { time.now }
        servers = ["one", "two"].map { name in RunObjects(memory, at: "memory", server: name) { time.now } }
    }

    func advance(days: Double) { clock.advance(by: days * 86_400) }

    /// Keeps a run as a server does that has judged it; kept when it returns.
    func deliver(_ offer: ObjectsServer.Offer, to server: Int = 0, from token: String = "ci") async throws {
        // No two objects have one key, as their times differ.
        clock.advance(by: 0.001)
        let record = DeliveryRecord(token: token, isAttested: true, receivedAt: clock.now, address: nil)
        let arrival = Arrival(offer.id, of: offer.delivery.project, manifest: offer.manifest, record)
        try await servers[server].keep(arrival, of: offer.directory, offer.delivery.files, sentBy: token)
    }

    @discardableResult
    func sweep(
        keepDays: Int? = nil, isDryRun: Bool = false, mostHashes: Int = 1_000_000
    ) async throws -> ObjectsSweep.Report {
        clock.advance(by: 0.001)
        let time = clock
        let objects = RunObjects(store, at: "memory", server: "sweep") { time.now }
        let rules = ObjectsSweep.Rules(keepDays: keepDays, isDryRun: isDryRun)
        return try await ObjectsSweep(objects, rules, now: clock.now, mostHashes: mostHashes).report { _ in }
    }

    /// Does something else once, before the call with a number.
    func meanwhile(atCall number: Int, _ work: @escaping @Sendable () async throws -> Void) {
        let calls = Mutex(0)
        store.meanwhile { _ in
            let count = calls.withLock { calls in
                calls += 1
                return calls
            }
            guard count == number else { return }
            do { try await work() } catch { Issue.record(error) }
        }
    }

    /// Under which keys the objects of runs are, without arrivals and log.
    static func keys(of offers: [ObjectsServer.Offer]) -> Set<String> {
        offers.reduce(into: []) { keys, offer in
            keys.insert("v1/manifests/\(offer.place.project)/\(offer.id)/\(offer.manifest)")
            keys.formUnion(offer.files.map { "v1/blobs/\($0.prefix(2))/\($0)" })
        }
    }

    /// The objects that are not those of runs, or their arrivals, or the log.
    func others(than offers: [ObjectsServer.Offer]) -> [String] {
        let keys = Self.keys(of: offers)
        return store.keys.filter { key in
            !keys.contains(key) && !key.hasPrefix("v1/log/")
                && !offers.contains { key.hasPrefix("v1/arrivals/\($0.place.project)/\($0.id)/") }
        }
    }

    /// The objects of runs that are not there.
    func missing(of offers: [ObjectsServer.Offer]) -> [String] {
        Self.keys(of: offers).filter { store[$0] == nil }.sorted()
    }
}
