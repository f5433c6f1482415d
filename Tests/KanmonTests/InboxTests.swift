import Access
import Evidence
import Foundation
import Gate
import RunModel
import Storage
import Testing

@testable import Application
@testable import Objects

/// Runs that machines without a server put into the objects, and the servers that find them there.
@Suite struct InboxTests {
    private static let moment = Date(timeIntervalSince1970: 1_780_000_000)

    private let store = MemoryStore()
    private let one: ObjectsServer
    private let two: ObjectsServer

    init() throws {
        one = try ObjectsServer(store, name: "one", at: Self.moment)
        two = try ObjectsServer(store, name: "two", at: Self.moment.addingTimeInterval(1))
        for server in [one, two] { try server.addToken("ci", .attest) }
    }

    /// Puts a run into the inbox, as a machine does.
    @discardableResult
    private func push(
        _ offer: ObjectsServer.Offer, as name: String = "agent"
    ) async throws -> (files: Int, bytes: Int) {
        try await RunObjects(store, at: "memory", server: "machine") { Self.moment }
            .offer(offer.directory, as: name, patience: .seconds(600))
    }

    /// Puts files into the inbox as somebody may who means no good.
    private func push(_ files: [[UInt8]], of run: RunID, manifest: String, as name: String = "agent") throws {
        let offer = InboxOffer(name: name, run: run, manifest: manifest)
        for bytes in files {
            let key = try offer.file(Digest.sha256(bytes))
            store[key.text] = bytes
        }
        let key = try offer.key
        store[key.text] = []
    }

    /// Lists the inbox once with a server, so many seconds later.
    private func look(
        _ server: ObjectsServer, _ memory: inout InboxMemory, after seconds: TimeInterval = 5,
        dailyBytes: Int = 1 << 30
    ) async throws {
        let now = Self.moment.addingTimeInterval(seconds)
        let limits = InboxReader.Limits(dailyBytes: dailyBytes, leastFree: 0)
        try await InboxReader(server.objects, server.intake, limits) { now }.look(&memory, ObjectsServer.turn)
    }

    private var inbox: [String] { store.keys.filter { $0.hasPrefix("v1/inbox/") } }
    private var offers: [String] { store.keys.filter { $0.hasPrefix("v1/inbox/runs/") } }
    private var arrivals: [String] { store.keys.filter { $0.hasPrefix("v1/arrivals/") } }

    private func row(_ offer: ObjectsServer.Offer, of server: ObjectsServer) throws -> [String] {
        guard server.home.hasStore, let run = try RunStore.reading(server.home.database).summary(of: offer.id) else {
            return []
        }
        return [run.package, run.delivery?.token ?? "", run.trust.rawValue, run.decision.rawValue]
    }

    @Test func `a machine only puts, below its own name, and last what says that all is there`() async throws {
        let offer = try one.offer()
        let pushed = try await push(offer)
        let sizes = Dictionary(offer.delivery.files.map { ($0.sha256, $0.size) }) { one, _ in one }
        #expect(pushed.files == sizes.count && pushed.bytes == sizes.values.reduce(0, +))
        let place = "agent/\(offer.id)-\(offer.manifest)"
        let files = (offer.files + [offer.manifest]).map { "put v1/inbox/files/\(place)/\($0)" }
        #expect(store.calls.sorted() == (files + ["put v1/inbox/runs/\(place)"]).sorted())
        #expect(store.calls.last == "put v1/inbox/runs/\(place)")
        let key = try #require(ObjectKey("v1/inbox/runs/\(place)"))
        #expect(InboxOffer(key) == InboxOffer(name: "agent", run: offer.id, manifest: offer.manifest))
        for text in [
            "v1/inbox/runs/\(place)0", "v1/inbox/runs/x/\(place)", "v1/inbox/files/\(place)",
            "v1/inbox/runs/\(offer.id)-\(offer.manifest)", "v1/inbox/runs/a b/\(offer.id)-\(offer.manifest)",
        ] {
            let other = try #require(ObjectKey(text))
            #expect(InboxOffer(other) == nil, "\(text)")
        }
    }

    @Test func `a server takes what it finds there as that of a machine that nobody vouches for`() async throws {
        let offer = try one.offer()
        try await push(offer)
        var memory = InboxMemory()
        try await look(one, &memory)
        #expect(try row(offer, of: one) == ["Mixed", "inbox:agent", "laptop", "passed"])
        #expect(inbox == [] && arrivals.count == 1)
        let record = Arrival(store[arrivals[0]] ?? [], at: offer.place)?.delivery
        #expect(record?.token == "inbox:agent" && record?.isAttested == false)
        // With that it is a run like any other: others learn of it by the log, and CI may vouch for it.
        var position = LogPosition()
        let now = Self.moment.addingTimeInterval(9)
        try await RunFollower(two.objects, two.intake) { now }.look(&position) { _, _, work in try work() }
        #expect(try row(offer, of: two) == row(offer, of: one))
        let receipt = try await one.take(offer, from: "ci", attests: true, at: Self.moment)
        #expect(receipt.state == .stored)
        #expect(try row(offer, of: one) == ["Mixed", "ci", "ci", "passed"])
        #expect(try one.delivery(of: offer)?.others == ["inbox:agent"])
    }

    @Test func `no token can have the name of one that puts there`() {
        let offer = InboxOffer(name: "ci", run: RunID(milliseconds: 1, random: (1, 1)), manifest: "")
        #expect(!AccessToken.isName(offer.token))
    }

    @Test func `what one server has taken another one only removes, and the same put again is known`() async throws {
        let offer = try one.offer()
        try await push(offer)
        store.fail { call, _ in call.hasPrefix("delete ") ? ObjectError(.refused, "it may not") : nil }
        var (first, second) = (InboxMemory(), InboxMemory())
        try await look(one, &first)
        #expect(offers.count == 1 && arrivals.count == 1)
        // What cannot be removed is not read again.
        store.forgetCalls()
        try await look(one, &first, after: 500)
        #expect(store.calls == ["list v1/inbox/runs"])
        store.fail { _, _ in nil }
        try await look(two, &second, after: 9)
        #expect(inbox == [] && arrivals.count == 1 && two.directories == [])
        try await push(offer)
        try await look(two, &second, after: 20)
        #expect(inbox == [] && arrivals.count == 1)
    }

    @Test func `what can be no run is removed, and keeps nobody from those that can`() async throws {
        let (good, other) = (try one.offer(), try one.offer("Failing"))
        func id(_ number: UInt64) -> RunID { RunID(milliseconds: 1_780_000_000_000, random: (number, 1)) }
        let manifest = Array(try Data(contentsOf: URL(filePath: "\(other.directory.path)/manifest.json")))
        // The key of no run, no manifest, one with another hash, one of another run, and one without its files.
        store["v1/inbox/runs/agent/readme"] = []
        let nonsense = Array("{}".utf8)
        try push([nonsense], of: id(1), manifest: Digest.sha256(nonsense))
        let absent = String(repeating: "a", count: 64)
        try push([], of: id(2), manifest: absent)
        store["v1/inbox/files/agent/\(id(2))-\(absent)/\(absent)"] = nonsense
        let files = try other.delivery.files.map {
            Array(try Data(contentsOf: URL(filePath: "\(other.directory.path)/\($0.path)")))
        }
        try push(files, of: id(3), manifest: other.manifest)
        try push([manifest], of: other.id, manifest: other.manifest, as: "b")
        try await push(good, as: "z")
        var memory = InboxMemory()
        try await look(one, &memory)
        #expect(try row(good, of: one).first == "Mixed")
        #expect(one.directories == [good.id.description])
        #expect(offers == ["v1/inbox/runs/b/\(other.id)-\(other.manifest)"])
        // Its files may come late.
        store.forgetCalls()
        try await look(one, &memory, after: 20)
        #expect(store.calls == ["list v1/inbox/runs"])
        try await look(one, &memory, after: 70)
        #expect(offers.count == 1)
        try await look(one, &memory, after: 3_700)
        #expect(inbox == [])
        try await push(other, as: "b")
        try await look(one, &memory, after: 3_800)
        #expect(try row(other, of: one).prefix(3) == ["Failing", "inbox:b", "laptop"])
    }

    @Test func `a name gets no more than its share, and others get theirs`() async throws {
        let good = try one.offer()
        for number in 0..<70 { store["v1/inbox/runs/a/\(100 + number)"] = [] }
        try await push(good, as: "b")
        var memory = InboxMemory()
        try await look(one, &memory)
        #expect(offers.count == 70 - InboxMemory.runsInMinute)
        #expect(try row(good, of: one).first == "Mixed")
        try await look(one, &memory, after: 20)
        #expect(offers.count == 70 - InboxMemory.runsInMinute)
        try await look(one, &memory, after: 66)
        #expect(inbox == [])
    }

    @Test func `a name delivers so much in a day, and the rest waits`() async throws {
        let (first, second) = (try one.offer(), try one.offer(seed: "another"))
        for offer in [first, second] { try await push(offer) }
        var memory = InboxMemory()
        try await look(one, &memory, dailyBytes: 1)
        #expect(one.directories.count == 1 && offers.count == 1)
        try await look(one, &memory, after: 3_600, dailyBytes: 1)
        #expect(one.directories.count == 1 && offers.count == 1)
        try await look(one, &memory, after: 26 * 3_600, dailyBytes: 1)
        #expect(one.directories.count == 2 && inbox == [])
    }

    @Test func `a store that is away is an error, and nothing is lost`() async throws {
        let offer = try one.offer()
        for name in ["a", "b", "c", "d"] { try await push(offer, as: name) }
        let before = store.keys
        store.fail { call, _ in call.hasPrefix("get v1/inbox") ? ObjectError(.later, "it is away") : nil }
        var memory = InboxMemory()
        var failure: (any Error)?
        do { try await look(one, &memory) } catch { failure = error }
        #expect((failure as? ObjectError)?.kind == .later && store.keys == before)
        // After three of them nothing else is asked for.
        #expect(!store.calls.contains { $0.hasPrefix("get v1/inbox/files/d/") })
        // What cannot be kept is not taken either, and waits.
        store.fail { call, _ in call.hasPrefix("put v1/manifests") ? ObjectError(.later, "it is away") : nil }
        try await look(one, &memory, after: 70)
        #expect(one.directories == [] && offers.count == 4)
        store.fail { _, _ in nil }
        try await look(one, &memory, after: 140)
        #expect(one.directories.count == 1 && inbox == [])
    }

    @Test(arguments: [ObjectError.Kind.refused, .later, .failed])
    func `a run that the store does not give keeps no other from its own`(kind: ObjectError.Kind) async throws {
        let (bad, good) = (try one.offer("Failing"), try one.offer())
        try await push(bad, as: "a")
        try await push(good, as: "a")
        try await push(good, as: "b")
        let name = "\(bad.id)"
        store.fail { call, _ in
            call.hasPrefix("get v1/inbox/") && call.contains(name) ? ObjectError(kind, "not this one") : nil
        }
        var memory = InboxMemory()
        try await look(one, &memory)
        #expect(try row(good, of: one).first == "Mixed")
        // It is left alone for a minute, in which its name gets what is behind it.
        store.forgetCalls()
        try await look(one, &memory, after: 15)
        #expect(!store.calls.contains { $0.hasPrefix("get ") && $0.contains(name) })
        #expect(offers.map { $0.contains(name) } == [true])
        store.fail { _, _ in nil }
        try await look(one, &memory, after: 90)
        #expect(inbox == [] && one.directories.count == 2)
    }

    @Test func `a run that cannot be read is tried for two days, and then only if somebody wants it`() async throws {
        let bad = try one.offer("Failing")
        try await push(bad)
        let manifest = "get v1/inbox/files/agent/\(bad.id)-\(bad.manifest)/\(bad.manifest)"
        store.fail { call, _ in call == manifest ? ObjectError(.failed, "it is archived") : nil }
        let ledger = InboxLedger(one.home)
        var (memory, moment) = (InboxMemory(), 5.0)
        for step in 0..<(60 + 3 * 24) {
            try await look(one, &memory, after: moment)
            if step == 58 { #expect(ledger.entries().isEmpty) }
            if step == 59 { #expect(ledger.entries().map(\.isGivenUp) == [false]) }
            moment += step < 59 ? 61 : 3_601
        }
        #expect(store.calls.count { $0 == manifest } == InboxLedger.mostAttempts)
        let known = try #require(ledger.entries().first)
        #expect(known.isGivenUp && known.reason.contains("it is archived") && offers == [known.key])
        // A server that starts does not begin anew.
        store.forgetCalls()
        var fresh = InboxMemory()
        try await look(one, &fresh, after: moment)
        #expect(store.calls == ["list v1/inbox/runs"])
        for repairs in [false, true] {
            let check = try ObjectsCheck(one.objects, one.home, reads: false, repairs: repairs)
            let found = try await check.report { _ in }.findings
            #expect(found.count == 1 && found.first?.isRepaired == false)
            #expect(found.first?.text.contains("is not tried any more: it is archived") == true, "\(found)")
        }
        store.forgetCalls()
        try await look(one, &fresh, after: moment + 70)
        #expect(store.calls.contains(manifest) && ledger.entries().isEmpty)
        store.fail { _, _ in nil }
        try await look(one, &fresh, after: moment + 140)
        #expect(try row(bad, of: one).first == "Failing")
        #expect(inbox == [] && ledger.names() == [])
    }

    @Test func `what is known of a run is of that which was put, and goes with it`() async throws {
        let key = try InboxOffer(name: "a", run: one.offer().id, manifest: String(repeating: "a", count: 64)).key
        func object(_ seconds: TimeInterval) -> ObjectPage.Entry {
            ObjectPage.Entry(key: key, size: 0, modified: Self.moment.addingTimeInterval(seconds))
        }
        one.home.prepare()
        let ledger = InboxLedger(one.home)
        #expect(try ledger.add(object(0), in: "memory", because: "one", at: Self.moment).attempts == 1)
        #expect(try ledger.add(object(0), in: "memory", because: "two", at: Self.moment).attempts == 2)
        #expect(ledger.entry(of: object(0), in: "memory")?.reason == "two")
        #expect(ledger.entry(of: object(1), in: "memory") == nil && ledger.entry(of: object(0), in: "other") == nil)
        #expect(try ledger.add(object(1), in: "memory", because: "new", at: Self.moment).attempts == 1)
        // Another server has taken it.
        var memory = InboxMemory()
        try await look(one, &memory)
        #expect(ledger.names() == [])
    }

    @Test func `a store that is away is no fault of the runs in it`() async throws {
        let offer = try one.offer()
        for name in ["a", "b", "c"] { try await push(offer, as: name) }
        store.fail { call, _ in call.hasPrefix("get v1/inbox") ? ObjectError(.later, "it is away") : nil }
        var memory = InboxMemory()
        var failure: (any Error)?
        do { try await look(one, &memory) } catch { failure = error }
        #expect((failure as? ObjectError)?.kind == .later)
        #expect(InboxLedger(one.home).names() == [])
    }

    @Test func `a sweep removes files of the inbox that nobody offers, and no others`() async throws {
        let (open, given) = (try one.offer(), try one.offer(seed: "another"))
        for offer in [open, given] { try await push(offer) }
        store["v1/inbox/runs/agent/\(given.id)-\(given.manifest)"] = nil
        let objects = one.objects
        func sweep(_ days: Double) async throws -> ObjectsSweep.Report {
            let now = Self.moment.addingTimeInterval(days * 86_400)
            return try await ObjectsSweep(objects, ObjectsSweep.Rules(keepDays: nil), now: now).report { _ in }
        }
        #expect(try await sweep(2) == ObjectsSweep.Report())
        #expect(try await sweep(4).setAside.objects == given.files.count + 1)
        #expect(inbox.filter { $0.hasPrefix("v1/inbox/files/") }.count == open.files.count + 1)
        var memory = InboxMemory()
        try await look(one, &memory)
        #expect(one.directories == [open.id.description])
    }
}
