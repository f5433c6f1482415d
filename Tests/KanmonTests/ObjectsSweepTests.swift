import Evidence
import Foundation
import RunModel
import TestSupport
import Testing

@testable import Application
@testable import Objects

/// What a sweep removes from a store of objects, and what it leaves to whoever needs it at that moment.
@Suite struct ObjectsSweepTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    private func offer(_ name: String = "Mixed", seed: String = "a seed") throws -> ObjectsServer.Offer {
        try ObjectsServer.Offer(try folder.seededRun(name, seed: seed))
    }

    private static func count(_ objects: Int, _ bytes: Int) -> ObjectsSweep.Count {
        ObjectsSweep.Count(objects: objects, bytes: bytes)
    }

    private static func report(_ change: (inout ObjectsSweep.Report) -> Void) -> ObjectsSweep.Report {
        var report = ObjectsSweep.Report()
        change(&report)
        return report
    }

    /// A file that no run needs.
    private static let stray = Array("of no run".utf8)
    private static let strayHash = Digest.sha256(stray)
    private static let strayKey = "v1/blobs/\(strayHash.prefix(2))/\(strayHash)"

    @Test func `a file of no run is left alone while it is young, then set aside, and then removed`() async throws {
        let (world, offer) = (SweptObjects(), try offer())
        try await world.deliver(offer)
        world.store[Self.strayKey] = Self.stray
        let own = Self.count(1, Self.stray.count)
        world.advance(days: 2.9)
        #expect(try await world.sweep() == Self.report { ($0.runs, $0.young) = (1, own) })
        world.advance(days: 0.2)
        // Nothing is done where it is only asked.
        let keys = world.store.keys
        let planned = try await world.sweep(isDryRun: true)
        #expect(planned == Self.report { ($0.runs, $0.setAside) = (1, own) } && world.store.keys == keys)
        #expect(try await world.sweep() == planned)
        let copies = world.others(than: [offer])
        #expect(copies.count == 1 && copies[0].hasPrefix("v1/set-aside/blobs/\(Self.strayHash.prefix(2))/"))
        #expect(world.store[copies.first ?? ""] == Self.stray)
        world.advance(days: 2.9)
        #expect(try await world.sweep() == Self.report { $0.runs = 1 })
        world.advance(days: 0.2)
        #expect(try await world.sweep() == Self.report { ($0.runs, $0.removed) = (1, own) })
        #expect(world.others(than: [offer]).isEmpty && world.missing(of: [offer]).isEmpty)
    }

    @Test func `runs go only when that is asked for, with what only they need and their lines of the log`()
        async throws
    {
        let (world, old, new) = (SweptObjects(), try offer(), try offer(seed: "another"))
        try await world.deliver(old)
        world.advance(days: 10)
        try await world.deliver(new)
        #expect(try await world.sweep() == Self.report { $0.runs = 2 })
        #expect(try await world.sweep(keepDays: 11) == Self.report { $0.runs = 2 })
        let own = SweptObjects.keys(of: [old]).subtracting(SweptObjects.keys(of: [new]))
        let bytes = own.reduce(0) { $0 + (world.store[$1]?.count ?? 0) }
        let expected = Self.report {
            ($0.runs, $0.removedRuns, $0.logEntries, $0.setAside) = (1, 1, 1, Self.count(own.count, bytes))
        }
        let keys = world.store.keys
        #expect(try await world.sweep(keepDays: 9, isDryRun: true) == expected && world.store.keys == keys)
        #expect(try await world.sweep(keepDays: 9) == expected)
        #expect(world.missing(of: [new]).isEmpty && world.missing(of: [old]).count == own.count)
        #expect(!world.store.keys.contains { $0.hasPrefix("v1/arrivals/") && $0.contains(old.id.description) })
        #expect(world.store.keys.filter { $0.hasPrefix("v1/log/") }.map { $0.contains(new.id.description) } == [true])
        world.advance(days: 4)
        #expect(
            try await world.sweep(keepDays: 9)
                == Self.report { ($0.runs, $0.removed) = (1, Self.count(own.count, bytes)) })
        #expect(world.others(than: [new]).isEmpty && world.missing(of: [new]).isEmpty)
    }

    @Test func `snapshots are those of servers, and no matter of a sweep`() async throws {
        let (world, offer) = (SweptObjects(), try offer())
        try await world.deliver(offer)
        let keys = ["v1/indexes/2026-05-28T20:26:40.000Z-home/000000", "v1/snapshots/2026-05-28T20:26:40.000Z-home"]
        for key in keys { world.store[key] = [0] }
        world.advance(days: 100)
        #expect(try await world.sweep() == Self.report { $0.runs = 1 })
        #expect(world.others(than: [offer]) == keys)
    }

    @Test func `a run that arrives again is as young as its last arrival`() async throws {
        let (world, offer) = (SweptObjects(), try offer())
        try await world.deliver(offer)
        world.advance(days: 8)
        try await world.deliver(offer, to: 1, from: "night")
        world.advance(days: 8)
        #expect(try await world.sweep(keepDays: 9) == Self.report { ($0.runs, $0.logEntries) = (1, 1) })
        #expect(world.missing(of: [offer]).isEmpty)
        #expect(world.store.keys.filter { $0.hasPrefix("v1/arrivals/") }.count == 2)
    }

    @Test(arguments: ["manifest", "arrival", "no manifest", "newer", "archived manifest", "archived arrival"])
    func `where it is not known what a run needs, no file is touched`(fault: String) async throws {
        let (world, offer) = (SweptObjects(), try offer())
        try await world.deliver(offer)
        world.store[Self.strayKey] = Self.stray
        world.advance(days: 10)
        let manifest = "v1/manifests/\(offer.place.project)/\(offer.id)/\(offer.manifest)"
        let arrival = try #require(world.store.keys.first { $0.hasPrefix("v1/arrivals/") })
        switch fault {
        case "manifest": world.store[manifest] = Array("{}".utf8)
        case "arrival": world.store[arrival] = Array("{}".utf8)
        case "no manifest": world.store[manifest] = nil
        case "archived manifest", "archived arrival":
            let key = fault == "archived manifest" ? manifest : arrival
            world.store.fail { call, _ in call == "get \(key)" ? ObjectError(.failed, "it is archived") : nil }
        default:
            let newer = Array(#"{"schemaVersion": 1000}"#.utf8)
            let hash = Digest.sha256(newer)
            world.store["v1/manifests/\(offer.place.project)/\(offer.id)/\(hash)"] = newer
            world.store[arrival] = String(decoding: world.store[arrival] ?? [], as: UTF8.self)
                .replacing(offer.manifest, with: hash).utf8.map { $0 }
        }
        let keys = world.store.keys
        let report = try await world.sweep()
        #expect(report.faults.count == 1 && report.setAside == Self.count(0, 0), "\(report)")
        #expect(world.store.keys == keys)
    }

    @Test func `what is no object of a run is named, and stays`() async throws {
        let world = SweptObjects()
        let other = String(Self.strayKey.dropLast()) + "0"
        let names = ["v1/arrivals/readme", "v1/blobs/readme", "v1/log/readme", "v1/manifests/readme", other]
        for name in names { world.store[name] = [1] }
        world.advance(days: 10)
        let expected = Self.report { report in
            for note in [
                "v1/arrivals/readme is of no run", "v1/manifests/readme is of no run",
                "\(other) is of no run and has another hash: it stays", "v1/blobs/readme is no file of a run",
            ].sorted() { report.notes.add(note) }
        }
        let report = try await world.sweep()
        #expect(report.notes.lines.sorted() == expected.notes.lines && report.setAside == Self.count(0, 0))
        #expect(Set(world.store.keys) == Set(names))
    }

    /// A run of before, and one with some of its files that comes at a bad moment: to which server, and from whom.
    private static let comers = [(0, "ci"), (1, "ci"), (0, "laptop")]

    @Test(arguments: 0..<3)
    func `a delivery at any moment of a sweep loses nothing`(comer: Int) async throws {
        let (old, late) = (try offer(), try offer(seed: "another"))
        let (server, token) = Self.comers[comer]
        var number = 0
        var hasCome = true
        while hasCome {
            number += 1
            let world = SweptObjects()
            try await world.deliver(old)
            world.advance(days: 10)
            world.meanwhile(atCall: number) { try await world.deliver(late, to: server, from: token) }
            try await world.sweep(keepDays: 5)
            world.store.meanwhile(nil)
            hasCome = world.store.keys.contains { $0.hasPrefix("v1/arrivals/") && $0.contains(late.id.description) }
            guard hasCome else { break }
            world.advance(days: 4)
            try await world.sweep(keepDays: 5)
            #expect(world.missing(of: [late]).isEmpty, "before call \(number)")
        }
        #expect(number > 20)
    }

    @Test(arguments: 0..<3)
    func `a sweep at any moment of a delivery loses nothing`(comer: Int) async throws {
        let (old, late) = (try offer(), try offer(seed: "another"))
        let (server, token) = Self.comers[comer]
        for number in 1...(2 * late.files.count + 4) {
            let world = SweptObjects()
            try await world.deliver(old)
            world.advance(days: 10)
            world.meanwhile(atCall: number) { try await world.sweep(keepDays: 5) }
            try await world.deliver(late, to: server, from: token)
            world.store.meanwhile(nil)
            // Whoever reads it before the next sweep finds what was set aside.
            let blobs = BlobStore(path: "\(folder.path)/blobs-\(number)")
            for file in late.files {
                let isThere = try await world.servers[1].fetch(file, at: RunKey.blob(file), into: blobs)
                #expect(isThere, "before call \(number)")
            }
            world.advance(days: 4)
            try await world.sweep(keepDays: 5)
            #expect(world.missing(of: [late]).isEmpty, "before call \(number)")
        }
    }

    @Test func `what a run needs that was listed late is put back`() async throws {
        let (world, old, late) = (SweptObjects(), try offer(), try offer(seed: "another"))
        try await world.deliver(old)
        world.advance(days: 10)
        let before = Set(world.store.keys)
        try await world.deliver(late)
        world.store.hide(Set(world.store.keys).subtracting(before))
        let first = try await world.sweep(keepDays: 5)
        #expect(first.removedRuns == 1 && first.runs == 0)
        let shared = SweptObjects.keys(of: [old]).intersection(SweptObjects.keys(of: [late]))
        #expect(!shared.isEmpty && world.missing(of: [late]) == shared.sorted())
        world.store.hide([])
        // It is there for whoever reads it meanwhile.
        let blobs = BlobStore(path: "\(folder.path)/blobs")
        for file in late.files {
            let isThere = try await world.servers[1].fetch(file, at: RunKey.blob(file), into: blobs)
            #expect(isThere)
        }
        #expect(try await world.sweep(keepDays: 5, isDryRun: true).putBack == shared.count)
        #expect(world.missing(of: [late]) == shared.sorted())
        #expect(try await world.sweep(keepDays: 5).putBack == shared.count)
        #expect(world.missing(of: [late]).isEmpty)
    }

    @Test func `a sweep that was ended anywhere goes on where it was`() async throws {
        let (old, new) = (try offer(), try offer("Failing"))
        var calls = 0
        var isWhole = false
        while !isWhole {
            calls += 7
            let (world, most) = (SweptObjects(), calls)
            try await world.deliver(old)
            world.advance(days: 10)
            try await world.deliver(new)
            for _ in 0..<3 {
                world.store.forgetCalls()
                world.store.fail { _, count in count > most ? ObjectError(.later, "it is away") : nil }
                do {
                    try await world.sweep(keepDays: 5)
                    isWhole = true
                } catch {
                    #expect((error as? ObjectError)?.kind == .later)
                }
                world.store.fail { _, _ in nil }
                world.advance(days: 1)
            }
            for _ in 0..<2 {
                try await world.sweep(keepDays: 9)
                world.advance(days: 4)
            }
            try await world.sweep(keepDays: 30)
            #expect(world.others(than: [new]).isEmpty && world.missing(of: [new]).isEmpty, "after \(calls) calls")
        }
    }

    @Test func `with little memory the same is swept, part by part`() async throws {
        let offers = [try offer(), try offer(seed: "another"), try offer("Failing")]
        var reports: [ObjectsSweep.Report] = []
        for most in [1, 5, 1_000_000] {
            let world = SweptObjects()
            for offer in offers { try await world.deliver(offer) }
            for number in 0..<50 {
                let bytes = Array("stray \(number)".utf8)
                let hash = Digest.sha256(bytes)
                world.store["v1/blobs/\(hash.prefix(2))/\(hash)"] = bytes
            }
            world.advance(days: 4)
            reports.append(try await world.sweep(mostHashes: most))
            #expect(world.missing(of: offers).isEmpty, "\(most) hashes")
            world.advance(days: 4)
            #expect(try await world.sweep(mostHashes: most).removed.objects == 50, "\(most) hashes")
            #expect(world.others(than: offers).isEmpty)
        }
        #expect(reports[0].setAside.objects == 50)
        #expect(reports.allSatisfy { $0 == reports[0] })
    }

    @Test func `a run that took too long to keep does not arrive`() async throws {
        let (world, offer) = (SweptObjects(), try offer())
        let record = DeliveryRecord(token: "ci", isAttested: true, receivedAt: world.clock.now, address: nil)
        let arrival = Arrival(offer.id, of: offer.delivery.project, manifest: offer.manifest, record)
        let error = await #expect(throws: ObjectError.self) {
            try await world.servers[0].keep(
                arrival, of: offer.directory, offer.delivery.files, sentBy: "ci", within: .zero)
        }
        #expect(error?.kind == .later)
        #expect(!world.store.keys.contains { $0.hasPrefix("v1/arrivals/") || $0.hasPrefix("v1/log/") })
    }
}

/// Deliveries, sweeps and time in orders that nobody has thought of.
@Suite struct RandomSweepTests {
    @Test(.slow, arguments: 0..<4)
    func `whatever happens in whatever order, what was acknowledged is whole, and nothing else remains`(
        part: Int
    ) async throws {
        let folder = try TestFolder()
        let offers = try ["a", "b", "c", "d"].map {
            try ObjectsServer.Offer(try folder.seededRun($0 == "d" ? "Failing" : "Mixed", seed: $0))
        }
        for seed in UInt64(part * 25)..<UInt64(part * 25 + 25) {
            var random = SplitMix64(seed: seed)
            let world = SweptObjects()
            let keepDays = seed.isMultiple(of: 2) ? nil : 8
            var acknowledged: [RunID: Date] = [:]
            func deliver() -> (offer: ObjectsServer.Offer, server: Int, token: String) {
                (offers[random.below(4)], random.below(2), ["ci", "laptop"][random.below(2)])
            }
            for _ in 0..<20 {
                let call = 1 + random.below(90)
                switch random.below(8) {
                case 0, 1:
                    let one = deliver()
                    try await world.deliver(one.offer, to: one.server, from: one.token)
                    acknowledged[one.offer.id] = world.clock.now
                case 2:
                    let one = deliver()
                    world.meanwhile(atCall: call) { try await world.sweep(keepDays: keepDays) }
                    try await world.deliver(one.offer, to: one.server, from: one.token)
                    acknowledged[one.offer.id] = world.clock.now
                case 3:
                    // It is killed on its way.
                    let one = deliver()
                    world.store.forgetCalls()
                    world.store.fail { _, count in count > call % 40 ? ObjectError(.later, "it was killed") : nil }
                    do {
                        try await world.deliver(one.offer, to: one.server, from: one.token)
                        acknowledged[one.offer.id] = world.clock.now
                    } catch is ObjectError {}
                case 4:
                    let (one, mark) = (deliver(), world.clock.now)
                    world.meanwhile(atCall: call) {
                        try await world.deliver(one.offer, to: one.server, from: one.token)
                    }
                    try await world.sweep(keepDays: keepDays)
                    let arrivals = world.store.keys.compactMap { ObjectKey($0) }
                        .filter { RunKey.place(ofArrival: $0) == one.offer.place }
                    if arrivals.contains(where: { RunKey.moment(ofArrival: $0).map { mark < $0 } ?? false }) {
                        acknowledged[one.offer.id] = world.clock.now
                    }
                case 5:
                    world.store.forgetCalls()
                    world.store.fail { _, count in count > call ? ObjectError(.later, "it was killed") : nil }
                    do { try await world.sweep(keepDays: keepDays) } catch is ObjectError {}
                default: world.advance(days: Double(random.below(300)) / 100)
                }
                world.store.meanwhile(nil)
                world.store.fail { _, _ in nil }
            }
            // Nothing happens any more but that it is swept.
            var kept: [ObjectsServer.Offer] = []
            for _ in 0..<3 {
                world.advance(days: 3.5017)
                try await world.sweep(keepDays: keepDays)
                let oldest = keepDays.map { world.clock.now.addingTimeInterval(-Double($0) * 86_400) }
                kept = offers.filter { offer in acknowledged[offer.id].map { oldest ?? .distantPast < $0 } ?? false }
                #expect(world.missing(of: kept).isEmpty, "seed \(seed)")
            }
            world.advance(days: 3.5017)
            try await world.sweep()
            #expect(world.missing(of: kept).isEmpty && world.others(than: kept).isEmpty, "seed \(seed)")
        }
    }
}

/// Which hashes are held, and in which range.
@Suite struct HashWindowTests {
    @Test func `it holds no more than it may, and says how far it goes`() {
        var window = HashWindow(from: 0, most: 3)
        let hashes: [UInt64] = [1, 1 << 60, 1 << 62, 1 << 63, .max]
        for hash in hashes { window.insert(hash) }
        #expect(window.last < 1 << 63)
        #expect(hashes.filter { window.contains($0) } == hashes.filter { window.covers($0) })
        #expect(window.start(in: "f") == nil)
        var rest = HashWindow(from: window.last + 1, most: 3)
        for hash in hashes { rest.insert(hash) }
        #expect(hashes.allSatisfy { window.contains($0) != rest.contains($0) })
        #expect(rest.last == .max)
        let digits = String(window.last + 1, radix: 16)
        #expect(rest.start(in: "f") == "f/\(digits.prefix(2))/\(digits)")
        #expect(HashWindow(from: 255, most: 1).start(in: "f") == "f/00/00000000000000ff")
    }

    @Test func `a hash is known by how it begins`() {
        let hash = "00000000000000ff" + String(repeating: "e", count: 48)
        #expect(HashWindow.beginning(of: hash) == 255)
        #expect(HashWindow.beginning(of: String(repeating: "f", count: 64)) == .max)
    }
}
