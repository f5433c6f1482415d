import Dashboard
import Evidence
import Foundation
import Gate
import RunModel
import Storage
import Testing

@testable import Application
@testable import Objects

/// A server that learns of the runs of another one over the same objects.
@Suite struct RunFollowingTests {
    private static let moment = Date(timeIntervalSince1970: 1_780_000_000)

    private let store = MemoryStore()
    private let one: ObjectsServer
    private let two: ObjectsServer

    init() throws {
        one = try ObjectsServer(store, name: "one", at: Self.moment)
        two = try ObjectsServer(store, name: "two", at: Self.moment.addingTimeInterval(1))
        for server in [one, two] { try server.addTokens() }
    }

    private func deliver(_ offer: ObjectsServer.Offer, to server: ObjectsServer, from token: String) async throws {
        let receipt = try await server.take(offer, from: token, attests: token == "ci", at: Self.moment)
        #expect(receipt.state == .stored)
    }

    /// Reads the log once with a server, so many seconds later.
    private func look(
        _ server: ObjectsServer, _ position: inout LogPosition, after seconds: TimeInterval
    ) async throws {
        let now = Self.moment.addingTimeInterval(seconds)
        try await RunFollower(server.objects, server.intake) { now }.look(&position) { _, _, work in try work() }
    }

    /// What the store of a server says of a run: who delivered it, how far it is trusted, and what it came to.
    private func row(_ offer: ObjectsServer.Offer, of server: ObjectsServer) throws -> [String] {
        guard server.home.hasStore, let run = try RunStore.reading(server.home.database).summary(of: offer.id) else {
            return []
        }
        return [run.package, run.delivery?.token ?? "", run.trust.rawValue, run.decision.rawValue]
    }

    @Test func `a run that one server takes is soon that of the other, with the same verdict`() async throws {
        var position = LogPosition()
        try await look(two, &position, after: 0)
        #expect(two.directories == [])
        let (mixed, failing) = (try one.offer(), try one.offer("Failing"))
        try await deliver(mixed, to: one, from: "ci")
        try await deliver(failing, to: one, from: "laptop")
        try await look(two, &position, after: 4)
        for offer in [mixed, failing] {
            #expect(try row(offer, of: two) == row(offer, of: one) && !row(offer, of: two).isEmpty)
            #expect(try two.delivery(of: offer) == one.delivery(of: offer))
        }
        #expect(Spool(two.home).waiting().isEmpty)
        // It is looked into once more when clocks and lists cannot have kept anything back, and then never again.
        store.forgetCalls()
        try await look(two, &position, after: 8)
        #expect(store.calls == ["list v1/log"])
        try await look(two, &position, after: 700)
        #expect(store.calls.filter { $0.hasPrefix("get v1/arrivals") }.count == 2)
        store.forgetCalls()
        try await look(two, &position, after: 704)
        #expect(store.calls == ["list v1/log"])
    }

    @Test func `a server that trusts a run more by what the other took says so, and so does the other`() async throws {
        let offer = try one.offer()
        try await deliver(offer, to: one, from: "laptop")
        try await deliver(offer, to: two, from: "ci")
        var (first, second) = (LogPosition(), LogPosition())
        for seconds in [5.0, 700, 705] {
            try await look(one, &first, after: seconds)
            try await look(two, &second, after: seconds)
        }
        #expect(try row(offer, of: one) == ["Mixed", "ci", "ci", "passed"])
        #expect(try row(offer, of: two) == ["Mixed", "ci", "ci", "passed"])
        #expect(try one.delivery(of: offer) == two.delivery(of: offer))
        #expect(try one.delivery(of: offer)?.others == ["laptop"])
    }

    @Test func `of two manifests under one id both servers show that which arrived first`() async throws {
        let offer = try one.offer()
        let other = try offer.changed(in: one.folder)
        try await deliver(offer, to: one, from: "ci")
        try await deliver(other, to: two, from: "ci")
        #expect(try row(other, of: two).first == "Other")
        var (first, second) = (LogPosition(), LogPosition())
        for seconds in [5.0, 700, 705] {
            try await look(one, &first, after: seconds)
            try await look(two, &second, after: seconds)
        }
        for server in [one, two] {
            #expect(try row(offer, of: server).first == "Mixed")
            #expect(try RunStore.reading(server.home.database).check().isEmpty)
            let kept = RunDirectory(path: server.home.runDirectory(project: "Mixed", id: offer.id))
            #expect(try kept.manifestDigest() == offer.manifest)
        }
    }

    @Test func `a run of which a file is not there yet is looked for until it is`() async throws {
        let offer = try one.offer()
        try await deliver(offer, to: one, from: "ci")
        let file = try #require(offer.files.sorted().first)
        let key = "v1/blobs/\(file.prefix(2))/\(file)"
        let bytes = store[key]
        store[key] = nil
        var position = LogPosition()
        try await look(two, &position, after: 5)
        #expect(two.directories == [])
        try await look(two, &position, after: 800)
        #expect(two.directories == [])
        store[key] = bytes
        try await look(two, &position, after: 900)
        #expect(two.directories == [offer.id.description])
        #expect(try row(offer, of: two) == row(offer, of: one))
    }

    @Test func `what a server could not judge is judged when it looks again`() async throws {
        let offer = try one.offer()
        try await deliver(offer, to: one, from: "ci")
        var position = LogPosition()
        let now = Self.moment.addingTimeInterval(5)
        try await RunFollower(two.objects, two.intake) { now }.look(&position) { _, _, _ in
            throw ObjectsServer.Busy()
        }
        #expect(two.directories == [offer.id.description])
        #expect(try row(offer, of: two) == [])
        #expect(Spool(two.home).waiting().map(\.id) == [offer.id])
        try await look(two, &position, after: 9)
        #expect(try row(offer, of: two) == row(offer, of: one))
        #expect(Spool(two.home).waiting().isEmpty)
    }

    @Test func `a store that is away is an error, and what was read before it is known`() async throws {
        let offers = try ["a", "b", "c", "d"].map { try one.offer(seed: $0) }
        for offer in offers { try await deliver(offer, to: one, from: "ci") }
        store.fail { call, _ in call.hasPrefix("get v1/arrivals") ? ObjectError(.later, "it is away") : nil }
        store.forgetCalls()
        var position = LogPosition()
        var failure: (any Error)?
        do { try await look(two, &position, after: 5) } catch { failure = error }
        #expect((failure as? ObjectError)?.kind == .later)
        // After three of them nothing else is asked for.
        #expect(store.calls.filter { $0.hasPrefix("get v1/arrivals") }.count == 3)
        store.fail { _, _ in nil }
        try await look(two, &position, after: 66)
        #expect(Set(two.directories) == Set(offers.map(\.id.description)))
    }

    /// What may be wrong with one object: what its bytes are, or what the store says of it.
    enum Damage: CaseIterable {
        case otherManifest, newerManifest, largeArrival, newerArrival, archivedArrival, archivedFile, refusedFile
    }

    @Test(arguments: Damage.allCases)
    func `one bad object keeps nobody from the other runs, and its run comes when it is whole`(
        damage: Damage
    ) async throws {
        let (bad, good) = (try one.offer("Failing"), try one.offer())
        try await deliver(bad, to: one, from: "ci")
        // It is behind the other one in the log.
        let later = try ObjectsServer(store, name: "three", at: Self.moment.addingTimeInterval(2))
        try later.addTokens()
        try await deliver(good, to: later, from: "ci")
        let arrival = try #require(
            store.keys.first { $0.hasPrefix("v1/arrivals/") && $0.contains(bad.id.description) })
        let file = try #require(bad.files.subtracting(good.files).sorted().first)
        let blob = "v1/blobs/\(file.prefix(2))/\(file)"
        let manifest = "v1/manifests/\(bad.place.project)/\(bad.id)/\(bad.manifest)"
        let whole = [arrival: store[arrival], manifest: store[manifest]]
        func fail(_ key: String, _ kind: ObjectError.Kind) {
            store.fail { call, _ in call == "get \(key)" ? ObjectError(kind, "not this one") : nil }
        }
        switch damage {
        case .otherManifest: store[manifest] = Array("{}".utf8)
        case .newerManifest:
            let newer = Array(#"{"schemaVersion": 1000}"#.utf8)
            let hash = Digest.sha256(newer)
            store["v1/manifests/\(bad.place.project)/\(bad.id)/\(hash)"] = newer
            store[arrival] = String(decoding: store[arrival] ?? [], as: UTF8.self)
                .replacing(bad.manifest, with: hash).utf8.map { $0 }
        case .largeArrival: store[arrival] = [UInt8](repeating: 0x20, count: Arrival.largest + 1)
        case .newerArrival:
            store[arrival] = String(decoding: store[arrival] ?? [], as: UTF8.self)
                .replacing("\"schemaVersion\" : 1", with: "\"schemaVersion\" : 2")
                .replacing("\"schemaVersion\": 1", with: "\"schemaVersion\": 2").utf8.map { $0 }
        case .archivedArrival: fail(arrival, .failed)
        case .archivedFile: fail(blob, .failed)
        case .refusedFile: fail(blob, .refused)
        }
        var position = LogPosition()
        let follower = RunFollower(two.objects, two.intake) { Self.moment.addingTimeInterval(5) }
        try await follower.look(&position) { _, _, work in try work() }
        #expect(two.directories == [good.id.description])
        #expect(follower.followed == FollowedObjects(waiting: 1, readAt: Self.moment.addingTimeInterval(5)))
        for seconds in [100.0, 700, 1_000] { try await look(two, &position, after: seconds) }
        #expect(try row(good, of: two) == row(good, of: later) && position.waiting == 1)
        // It is tried again at times.
        store.fail { _, _ in nil }
        for (key, bytes) in whole { store[key] = bytes }
        for seconds in [1_400.0, 2_100] { try await look(two, &position, after: seconds) }
        #expect(try row(bad, of: two) == row(bad, of: one) && position.waiting == 0)
    }

    @Test func `how far the log was read is kept with the store that it is of`() throws {
        two.home.prepare()
        let known = KnownLog(two.home)
        #expect(known.read(of: "memory") == nil)
        try known.write(Self.moment, of: "memory")
        #expect(known.read(of: "memory") == Self.moment)
        #expect(known.read(of: "s3://another") == nil)
        try Data("{".utf8).write(to: URL(filePath: two.home.knownLog))
        #expect(known.read(of: "memory") == nil)
    }
}

/// Which entries of the log are due, and from where it is read.
@Suite struct LogPositionTests {
    private static let moment = Date(timeIntervalSince1970: 1_780_000_000)

    private static func entry(_ seconds: TimeInterval, server: String = "other", run: UInt64 = 1) -> LogEntry {
        LogEntry(
            moment: moment.addingTimeInterval(seconds), server: server,
            place: RunPlace(RunID(milliseconds: 1_780_000_000_000, random: (run, 2)), of: "Kit"))
    }

    private static func at(_ seconds: TimeInterval) -> Date { moment.addingTimeInterval(seconds) }

    @Test func `an entry is its key`() throws {
        let entry = Self.entry(0.25, server: "0123456789abcdef")
        let key = try #require(ObjectKey(entry.key))
        #expect(LogEntry(key) == entry)
        #expect(entry.key.hasPrefix("v1/log/2026-05-28/2026-05-28T20:26:40.250Z-0123456789abcdef-"))
        for text in ["v1/log", "v1/log/2026-05-29/\(RunKey.end(of: key))", entry.key + "0", "a/" + entry.key] {
            let other = try #require(ObjectKey(text))
            #expect(LogEntry(other) == nil, "\(text)")
        }
    }

    @Test func `an entry is looked into at once, and again when nothing can be kept back`() {
        var position = LogPosition()
        #expect(position.start == nil)
        let entry = Self.entry(0)
        #expect(position.isDue(entry, at: Self.at(1), own: "own") == true)
        position.settle(entry, at: Self.at(1))
        #expect(position.isDue(entry, at: Self.at(600), own: "own") == false)
        #expect(position.start == RunKey.log(at: Self.at(-600)))
        #expect(position.isDue(entry, at: Self.at(601), own: "own") == true)
        position.settle(entry, at: Self.at(601))
        #expect(position.isDue(entry, at: Self.at(700), own: "own") == false)
        // It begins behind what is newest.
        let next = Self.entry(900)
        #expect(position.isDue(next, at: Self.at(901), own: "own") == true)
        #expect(position.start == RunKey.log(at: Self.at(300)))
    }

    @Test func `what this server itself has named is looked into once`() {
        var position = LogPosition()
        let entry = Self.entry(0, server: "own")
        #expect(position.isDue(entry, at: Self.at(1), own: "own") == false)
        #expect(position.isDue(entry, at: Self.at(601), own: "own") == true)
        position.settle(entry, at: Self.at(601))
        #expect(position.isDue(entry, at: Self.at(5000), own: "own") == false)
    }

    @Test func `what is not whole is tried each time at first, then each minute, and given up after two days`() {
        var position = LogPosition()
        let entry = Self.entry(0)
        for seconds in [1.0, 5, 59] { #expect(position.isDue(entry, at: Self.at(seconds), own: "own") == true) }
        #expect(position.isDue(entry, at: Self.at(61), own: "own") == false)
        #expect(position.isDue(entry, at: Self.at(119), own: "own") == true)
        #expect(position.known == Self.at(0))
        #expect(position.end(at: Self.at(172_800)) == [])
        #expect(position.end(at: Self.at(172_801)) == [entry.key])
        #expect(position.isDue(entry, at: Self.at(172_802), own: "own") == false)
    }

    @Test func `what the store cannot give is told once, and tried less and less often`() {
        var position = LogPosition()
        let entry = Self.entry(0)
        var tried: [Int] = []
        for seconds in 1...1_500 where position.isDue(entry, at: Self.at(Double(seconds)), own: "own") {
            let isToTell = position.putOff(entry, at: Self.at(Double(seconds)), isUnreadable: true, mayTell: true)
            #expect(isToTell == tried.isEmpty)
            tried.append(seconds)
        }
        #expect(tried == [1, 61] + stride(from: 181, through: 1_381, by: 120))
        #expect(position.waiting == 1 && position.known == Self.at(0))
        // It is whole again: nothing is left of that.
        position.settle(entry, at: Self.at(1_501))
        #expect(position.waiting == 0 && position.end(at: Self.at(172_801)) == [])
    }

    @Test func `what is missing is told when it is a minute old, or later where there is much to tell`() {
        var position = LogPosition()
        let entry = Self.entry(0)
        func isToTell(at seconds: TimeInterval, mayTell: Bool = true) -> Bool {
            #expect(position.isDue(entry, at: Self.at(seconds), own: "own") == true)
            return position.putOff(entry, at: Self.at(seconds), isUnreadable: false, mayTell: mayTell)
        }
        let told = [
            isToTell(at: 5), isToTell(at: 9), isToTell(at: 100, mayTell: false), isToTell(at: 160), isToTell(at: 220),
        ]
        #expect(told == [false, false, false, true, false])
    }

    @Test func `while the store is away looks become rarer, and no two servers come at the same moment`() {
        let usual = Duration.seconds(4)
        #expect([0, 0.5, 1].map { LookPause.pause(usual, after: 0, share: $0) } == [usual, usual, usual])
        let most = [1, 2, 3, 4, 1_000].map { LookPause.pause(usual, after: $0, share: 1) }
        #expect(most == [.seconds(8), .seconds(16), .seconds(30), .seconds(30), .seconds(30)])
        #expect(LookPause.pause(usual, after: 1, share: 0) == .seconds(4))
    }

    @Test func `a clock that is ahead hides nothing that comes later`() {
        var position = LogPosition()
        let ahead = Self.entry(90_000)
        #expect(position.isDue(ahead, at: Self.at(0), own: "own") == true)
        position.settle(ahead, at: Self.at(0))
        #expect(position.start == RunKey.log(at: Self.at(-600)))
        #expect(position.isDue(Self.entry(1), at: Self.at(2), own: "own") == true)
    }

    @Test func `two days are read once more on request`() {
        var position = LogPosition(Self.at(300_000))
        position.lookBack(at: Self.at(300_000))
        #expect(position.known == Self.at(300_000 - 172_800))
        var nothing = LogPosition()
        nothing.lookBack(at: Self.at(0))
        #expect(nothing.start == nil)
    }
}
