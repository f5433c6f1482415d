import Access
import Foundation
import RunModel
import TestSupport
import Testing

@testable import Application
@testable import Objects

private enum Sample {
    static let moment = Date(timeIntervalSince1970: 1_780_000_000)
    /// Who delivers; the last one is in no list of tokens.
    static let tokens = ["laptop", "ci", "night", "distrusted", "stranger"]
    static let trust = TokenTrust(tokens.dropLast().map(token))

    private static func token(_ name: String) -> AccessToken {
        var token = AccessToken(
            name: name, scope: .attest, projects: [], created: moment, expires: nil, sha256: "")
        if name == "distrusted" { token.distrusted = moment }
        return token
    }
}

/// Servers over the same objects, in orders that nobody has thought of.
@Suite struct SimulatedServersTests {
    /// A delivery of which the sender was told that it is kept.
    private struct Acknowledged: Hashable {
        let place: RunPlace
        let manifest: String
        let token: String
    }

    /// One schedule of everything that may happen, by its seed.
    private struct Schedule {
        let store: MemoryStore
        let clock: SimulatedClock
        let servers: [SimulatedServer]
        var disks: [SimulatedServer.Disk]
        var acknowledged: Set<Acknowledged> = []
        /// What lists do not have yet, and since when.
        var hidden: Set<String> = []
        var hiddenSince: Date
        var random: SplitMix64

        init(seed: UInt64) {
            let (memory, time) = (MemoryStore(), SimulatedClock(Sample.moment))
            store = memory
            clock = time
            random = SplitMix64(seed: seed)
            servers = [("a", 0.0), ("b", 40.0), ("c", -70.0)].map { name, skew in
                SimulatedServer(memory, time, name: name, skew: skew, trust: Sample.trust)
            }
            disks = servers.map(\.disk)
            hiddenSince = Sample.moment
        }

        /// Lists have everything from now on.
        private mutating func reveal() {
            hidden = []
            store.hide([])
        }

        mutating func step() async throws {
            let index = random.below(servers.count)
            let server = servers[index]
            switch random.below(12) {
            case 0...4: try await deliver(to: server)
            case 5...7: try await server.look()
            case 8: clock.advance(by: Double(1 + random.below(40)))
            // Some time passes, in which those that run look.
            case 9:
                reveal()
                clock.advance(by: Double(random.below(900)))
                for other in servers where random.below(3) > 0 { try await other.look() }
            case 10: disks[index] = server.disk
            // It ends, and comes back with its disk, with one of before, with what another server knows, or without any.
            default:
                switch random.below(4) {
                case 0: server.restart(from: server.disk)
                case 1: server.restart(from: disks[index])
                case 2: server.restart(from: servers[random.below(servers.count)].disk)
                default: server.restart(from: SimulatedServer.Disk())
                }
            }
            // No list is late for longer than this.
            if random.below(3) == 0 || clock.now.timeIntervalSince(hiddenSince) > 240 { reveal() }
        }

        private mutating func deliver(to server: SimulatedServer) async throws {
            let id = RunID(milliseconds: 1_780_000_000_000, random: (UInt64(random.below(3)), 1))
            let manifest = String(repeating: random.below(3) == 0 ? "b" : "a", count: 64)
            let token = Sample.tokens[random.below(Sample.tokens.count)]
            // One in eight is killed between the log and the arrival.
            let isKilled = random.below(8) == 0
            let before = Set(store.keys)
            store.fail { call, _ in
                isKilled && call.hasPrefix("put v1/arrivals") ? ObjectError(.later, "it was killed") : nil
            }
            let isKept = try await server.take(id, manifest, from: token)
            store.fail { _, _ in nil }
            if isKept {
                acknowledged.insert(Acknowledged(place: RunPlace(id, of: "Kit"), manifest: manifest, token: token))
            }
            if random.below(3) == 0 {
                let added = store.keys.filter { !before.contains($0) }
                if hidden.isEmpty { hiddenSince = clock.now }
                for key in added where random.below(2) == 0 { hidden.insert(key) }
                store.hide(hidden)
            }
            // No two objects have one key, as their times differ.
            clock.advance(by: 0.001)
        }

        /// Nothing happens any more but that all of them look, for half an hour.
        func settle() async throws {
            store.hide([])
            for _ in 0..<9 {
                clock.advance(by: 200)
                for server in servers { try await server.look() }
            }
        }

        /// What follows from all objects at once.
        func truth() -> [RunPlace: RunChoice] {
            var arrivals: [RunPlace: [String: Arrival]] = [:]
            for key in store.keys.compactMap({ ObjectKey($0) }) {
                guard let place = RunKey.place(ofArrival: key) else { continue }
                arrivals[place, default: [:]][RunKey.end(of: key)] = Arrival(store[key.text] ?? [], at: place)
            }
            return arrivals.compactMapValues { RunChoice($0, by: Sample.trust) }
        }
    }

    @Test(.slow, arguments: 0..<10)
    func `whatever happens in whatever order, every server shows the same, and nothing is lost`(
        part: Int
    ) async throws {
        for seed in UInt64(part * 50)..<UInt64(part * 50 + 50) {
            var schedule = Schedule(seed: seed)
            for _ in 0..<25 { try await schedule.step() }
            try await schedule.settle()
            let truth = schedule.truth()
            let shown = truth.mapValues { SimulatedServer.Shown(manifest: $0.manifest, delivery: $0.delivery) }
            for server in schedule.servers { #expect(server.index == shown, "seed \(seed)") }
            for kept in schedule.acknowledged {
                let choice = try #require(truth[kept.place], "seed \(seed)")
                if choice.manifest == kept.manifest {
                    #expect(choice.delivery.isDelivered(by: kept.token), "seed \(seed)")
                } else {
                    #expect(choice.others.contains(kept.manifest), "seed \(seed)")
                }
            }
        }
    }
}
