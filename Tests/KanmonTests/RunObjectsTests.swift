import Access
import Dashboard
import Evidence
import Foundation
import RunModel
import Synchronization
import Testing

@testable import Application
@testable import Objects

/// What a server keeps as objects before it takes in a run.
@Suite struct RunObjectsTests {
    private static let moment = Date(timeIntervalSince1970: 1_780_000_000.25)

    private let store = MemoryStore()
    private let server: ObjectsServer

    init() throws { server = try ObjectsServer(store, name: "server", at: Self.moment) }

    private func take(
        _ offer: ObjectsServer.Offer, from token: String = "ci", attests: Bool = true
    ) async throws -> DeliveryReceipt {
        try await server.take(offer, from: token, attests: attests, at: Self.moment)
    }

    @Test func `a run is kept as its files, its manifest, a line of the log and who delivered it`() async throws {
        let offer = try server.offer()
        #expect(try await take(offer) == DeliveryReceipt(.stored, decision: "passed"))
        let project = Digest.sha256(Array("Mixed".utf8))
        let manifest = "v1/manifests/\(project)/\(offer.id)/\(offer.manifest)"
        let arrival = "v1/arrivals/\(project)/\(offer.id)/2026-05-28T20:26:40.250Z-server"
        let log = "v1/log/2026-05-28/2026-05-28T20:26:40.250Z-server-\(project)-\(offer.id)"
        let blobs = offer.files.map { "v1/blobs/\($0.prefix(2))/\($0)" }
        #expect(store.keys == ([arrival, log, manifest] + blobs).sorted())
        for file in offer.delivery.files {
            let key = file.path == "manifest.json" ? manifest : "v1/blobs/\(file.sha256.prefix(2))/\(file.sha256)"
            #expect(store[key].map { Digest.sha256($0) } == file.sha256, "\(file.path)")
        }
        let record = DeliveryRecord(token: "ci", isAttested: true, receivedAt: Self.moment, address: nil)
        let kept = Arrival(offer.id, of: "Mixed", manifest: offer.manifest, record)
        #expect(Arrival(store[arrival] ?? [], at: offer.place) == kept)
        let puts = store.calls.filter { $0.hasPrefix("put ") }
        #expect(puts.suffix(3) == ["put \(manifest)", "put \(log)", "put \(arrival)"])
        // It is known, and nothing is asked of the store.
        store.forgetCalls()
        #expect(try await take(offer) == DeliveryReceipt(.known, decision: "passed"))
        #expect(store.calls == [])
    }

    @Test(arguments: ["put v1/blobs", "put v1/manifests", "put v1/log", "put v1/arrivals"])
    func `what the store does not keep is not taken, and is taken when it does`(call: String) async throws {
        let offer = try server.offer()
        for kind in [ObjectError.Kind.later, .refused, .settings, .failed] {
            store.fail { name, _ in name.hasPrefix(call) ? ObjectError(kind, "it cannot be") : nil }
            let refusal = await #expect(throws: DeliveryRefusal.self) { try await take(offer) }
            #expect(refusal == .notNow("the store of objects does not take the run now"))
            #expect(server.directories == [])
            #expect(Spool(server.home).waiting().isEmpty && !server.home.hasStore)
        }
        store.fail { _, _ in nil }
        #expect(try await take(offer).state == .stored)
        #expect(store.keys.filter { $0.hasPrefix("v1/arrivals/") }.count == 1)
    }

    @Test func `credentials that come late are waited for as long as the store is`() async throws {
        var failure = ObjectError(.settings, "there are no credentials")
        failure.awaitsCredentials = true
        let none = failure
        store.fail { _, count in count < 3 ? none : nil }
        try await server.objects.tryOut(pause: .milliseconds(1))
        #expect(store.calls == ["list ", "list ", "list "])
        store.fail { _, _ in none }
        let late = await #expect(throws: ObjectError.self) {
            try await server.objects.tryOut(within: .milliseconds(200), pause: .milliseconds(1))
        }
        #expect(late?.awaitsCredentials == true && late?.mayPassBehindStart == true && late?.mayPass == false)
        // What is wrong for good is told at once.
        store.forgetCalls()
        store.fail { _, _ in ObjectError(.settings, "there is no such bucket") }
        let wrong = await #expect(throws: ObjectError.self) { try await server.objects.tryOut() }
        #expect(wrong?.mayPassBehindStart == false && store.calls.count == 1)
    }

    @Test func `a file that runs have in common is sent once`() async throws {
        let (one, two) = (try server.offer(), try server.offer(seed: "another"))
        _ = try await take(one)
        store.forgetCalls()
        _ = try await take(two)
        let sent = store.calls.filter { $0.hasPrefix("put v1/blobs/") }.compactMap { $0.split(separator: "/").last }
        #expect(Set(sent.map(String.init)) == two.files.subtracting(one.files))
        #expect(Set(store.keys.filter { $0.hasPrefix("v1/blobs/") }).count == one.files.union(two.files).count)
    }

    @Test func `a file is put for each sender that sends it, whether others have sent it or not`() async throws {
        let (one, two) = (try server.offer(), try server.offer(seed: "another"))
        _ = try await take(one)
        store.forgetCalls()
        _ = try await take(two, from: "laptop", attests: false)
        let sent = store.calls.filter { $0.hasPrefix("put v1/blobs/") }.map { String($0.suffix(64)) }
        #expect(sent.sorted() == two.files.sorted() && !two.files.isDisjoint(with: one.files))
        // How long it takes to ask would tell, too.
        #expect(!store.calls.contains { $0.hasPrefix("head ") })
    }

    @Test func `a run arrives among the objects when it is judged, and before it has a place here`() async throws {
        let offer = try server.offer()
        let home = server.home
        let kept = RunDirectory(path: home.runDirectory(project: "Mixed", id: offer.id))
        let found = Mutex<[[Bool]]>([])
        store.fail { call, _ in
            if call.hasPrefix("put v1/arrivals/") {
                let here = [kept.isThere, home.hasStore, !Spool(home).waiting().isEmpty]
                found.withLock { $0.append(here) }
            }
            return nil
        }
        #expect(try await take(offer).state == .stored)
        let states = found.withLock { $0 }
        #expect(states == [[false, false, false]])
        #expect(kept.isThere && home.hasStore && Spool(home).waiting().isEmpty)
    }

    @Test func `each token that delivers a run is an arrival, and they come to what the server has`() async throws {
        let offer = try server.offer()
        for (name, scope) in [("laptop", false), ("other", false), ("ci", true)] {
            try server.addToken(name, scope ? .attest : .submit)
            #expect(try await take(offer, from: name, attests: scope).state == .stored)
            // The clock of this server stands: the key of each would be the same.
            let key = try #require(store.keys.first { $0.hasPrefix("v1/arrivals/") && $0.hasSuffix("-server") })
            store[key + "-\(name == "laptop" ? 1 : name == "other" ? 2 : 3)"] = store[key]
            store[key] = nil
        }
        var arrivals: [String: Arrival] = [:]
        for key in store.keys where key.hasPrefix("v1/arrivals/") {
            arrivals[key] = Arrival(store[key] ?? [], at: offer.place)
        }
        #expect(arrivals.count == 3)
        let trust = TokenTrust(try TokenFile(path: server.home.tokens).tokens())
        let choice = try #require(RunChoice(arrivals, by: trust))
        #expect(choice.manifest == offer.manifest && choice.others == [])
        #expect(try server.delivery(of: offer) == choice.delivery)
        #expect(choice.delivery.token == "ci" && choice.delivery.others == ["laptop", "other"])
    }

    @Test func `a run that came before there were objects is kept with the next token, and each once`() async throws {
        let offer = try server.offer()
        let before = try await server.take(
            offer, from: "laptop", attests: false, at: Self.moment, by: server.intake(keeping: nil))
        #expect(before.state == .stored && store.keys == [])
        #expect(try await take(offer).state == .stored)
        let keys = store.keys
        #expect(keys.count == offer.files.count + 3)
        // A run of this machine itself never becomes that of a sender, who asks and is told the same each time.
        let record = server.home.runDirectory(project: "Mixed", id: offer.id) + "/delivery.json"
        try FileManager.default.removeItem(atPath: record)
        for _ in 0..<2 { #expect(try await take(offer).state == .stored) }
        #expect(store.keys == keys)
    }

    @Test func `what cannot be judged leaves no object`() async throws {
        let offer = try server.offer()
        let judged = DeliveryIntake(
            checkpoint: Checkpoint(process: server.folder.process, home: server.home),
            blobs: BlobStore(path: server.home.blobs), objects: server.objects
        ) { _, _, _ in .impossible("it cannot be") }
        let refusal = await #expect(throws: DeliveryRefusal.self) {
            try await server.take(offer, from: "ci", attests: true, at: Self.moment, by: judged)
        }
        #expect(refusal == .impossible("it cannot be"))
        #expect(store.keys == [] && server.directories == [])
    }

    @Test(
        arguments: [
            ("s3://bucket/a/b", "s3://bucket/a/b"), ("s3://bucket", "s3://bucket"),
            ("folder:///srv/objects", "folder:///srv/objects"), ("folder://srv", nil), ("folder:///", nil),
            ("/srv/objects", nil), ("https://host/bucket", nil), ("", nil),
        ] as [(String, String?)])
    func `a place is a bucket or a folder`(text: String, place: String?) {
        #expect((try? ObjectPlace(text))?.description == place)
    }
}

/// What several arrivals of one run come to.
@Suite struct RunChoiceTests {
    private static let moment = Date(timeIntervalSince1970: 1_780_000_000)
    private static let id = RunID(milliseconds: 1_780_000_000_000, random: (1, 2))
    private static let (red, green) = (String(repeating: "a", count: 64), String(repeating: "b", count: 64))
    private static let trust = TokenTrust([
        token("laptop", .submit), token("ci", .attest), token("night", .attest), token("bad", .attest, moment),
    ])

    private static func token(_ name: String, _ scope: AccessScope, _ distrusted: Date? = nil) -> AccessToken {
        var token = AccessToken(name: name, scope: scope, projects: [], created: moment, expires: nil, sha256: "")
        token.distrusted = distrusted
        return token
    }

    private static func record(_ token: String, others: [String]? = nil, attested: Bool = true) -> DeliveryRecord {
        var record = DeliveryRecord(token: token, isAttested: attested, receivedAt: moment, address: nil)
        record.others = others
        return record
    }

    /// The choice among deliveries in the order of their keys; `laptop` attests nothing.
    private static func choice(_ deliveries: [(String, String)]) -> RunChoice? {
        var arrivals: [String: Arrival] = [:]
        for (index, (token, manifest)) in deliveries.enumerated() {
            arrivals["2026-0\(index + 1)"] = Arrival(
                id, of: "Kit", manifest: manifest, record(token, attested: token != "laptop"))
        }
        return RunChoice(arrivals, by: trust)
    }

    @Test func `the first counts, unless another is trusted more`() {
        let (red, green) = (Self.red, Self.green)
        func chosen(_ deliveries: [(String, String)]) -> [String] {
            guard let choice = Self.choice(deliveries) else { return [] }
            return [choice.manifest, choice.delivery.token] + choice.others.sorted()
        }
        #expect(chosen([("ci", red)]) == [red, "ci"])
        #expect(chosen([("ci", red), ("night", green)]) == [red, "ci", green])
        #expect(chosen([("laptop", red), ("ci", green)]) == [green, "ci", red])
        #expect(chosen([("ci", green), ("laptop", red)]) == [green, "ci", red])
        #expect(chosen([("laptop", red), ("ci", green), ("night", red)]) == [green, "ci", red])
        // Nobody vouches who is distrusted, or who was never here.
        #expect(chosen([("bad", red), ("ci", green)]) == [green, "ci", red])
        #expect(chosen([("stranger", red), ("ci", green)]) == [green, "ci", red])
        #expect(Self.choice([]) == nil)
    }

    @Test func `the same from several tokens is one run, and the trusted one is named first`() {
        let red = Self.red
        func delivery(_ tokens: String...) -> DeliveryRecord? { Self.choice(tokens.map { ($0, red) })?.delivery }
        #expect(delivery("laptop") == Self.record("laptop", attested: false))
        #expect(delivery("laptop", "ci") == Self.record("ci", others: ["laptop"]))
        #expect(delivery("ci", "laptop", "ci") == Self.record("ci", others: ["laptop"]))
        #expect(delivery("laptop", "ci", "night") == Self.record("ci", others: ["laptop", "night"]))
        #expect(delivery("stranger") == Self.record("stranger", attested: false))
        var bad = Self.record("bad", attested: false)
        bad.distrustedAt = Self.moment
        #expect(delivery("bad") == bad)
        #expect(delivery("bad", "ci") == Self.record("ci", others: ["bad"]))
    }
}
