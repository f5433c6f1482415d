import Access
import Evidence
import Foundation
import RunModel
import Testing

@testable import Application
@testable import Objects

/// What a check finds among the objects, and what it repairs.
@Suite struct ObjectsCheckTests {
    private static let moment = Date(timeIntervalSince1970: 1_780_000_000)

    private let store = MemoryStore()
    private let server: ObjectsServer

    init() throws {
        server = try ObjectsServer(store, name: "one", at: Self.moment)
        try server.addToken("ci", .attest)
    }

    private func deliver(_ offer: ObjectsServer.Offer, by intake: DeliveryIntake? = nil) async throws {
        _ = try await server.take(offer, from: "ci", attests: true, at: Self.moment, by: intake)
    }

    private func report(reads: Bool = false, repairs: Bool = false) async throws -> ObjectsCheck.Report {
        try await ObjectsCheck(server.objects, server.home, reads: reads, repairs: repairs).report { _ in }
    }

    private static func key(_ sha256: String) -> String { "v1/blobs/\(sha256.prefix(2))/\(sha256)" }

    private static func expected(
        _ offers: [ObjectsServer.Offer], _ faults: [String] = [], isRepaired: Bool = false, unused: Int = 0,
        notes: [String] = []
    ) -> ObjectsCheck.Report {
        var report = ObjectsCheck.Report()
        report.runs = offers.count
        report.files = offers.reduce(into: Set<String>()) { $0.formUnion($1.files) }.count
        report.unused = unused
        report.findings = faults.map { ObjectsCheck.Finding(text: $0, isRepaired: isRepaired) }
        report.notes = notes
        return report
    }

    @Test func `what servers have kept is whole, and files of no run only count`() async throws {
        #expect(try await report() == Self.expected([]))
        let offers = [try server.offer(), try server.offer(seed: "another"), try server.offer("Failing")]
        for offer in offers { try await deliver(offer) }
        let hash = Digest.sha256(Array("under way".utf8))
        store[Self.key(hash)] = Array("under way".utf8)
        store["v1/blobs/readme"] = [1]
        let notes = ["v1/blobs/readme is no file of a run"]
        for reads in [false, true] {
            #expect(try await report(reads: reads) == Self.expected(offers, unused: 1, notes: notes))
        }
    }

    @Test func `a file that is gone or has other bytes is told, and comes back from a run that is here`() async throws {
        let offer = try server.offer()
        try await deliver(offer)
        let files = offer.files.sorted()
        let (gone, other) = (files[0], files[1])
        store[Self.key(gone)] = nil
        store[Self.key(other)] = [1, 2, 3]
        func fault(_ file: String) -> String { "run \(offer.id): the file \(file) is missing, or has another hash" }
        #expect(try await report() == Self.expected([offer], [fault(gone)]))
        #expect(try await report(reads: true) == Self.expected([offer], [fault(gone), fault(other)]))
        let repaired = try await report(reads: true, repairs: true)
        #expect(repaired == Self.expected([offer], [fault(gone), fault(other)], isRepaired: true))
        #expect(try await report(reads: true) == Self.expected([offer]))
        #expect(store[Self.key(other)].map { Digest.sha256($0) } == other)
    }

    @Test func `what is damaged here, too, is not put there`() async throws {
        let offer = try server.offer()
        try await deliver(offer)
        let file = try #require(offer.delivery.files.first { $0.path == "build.log" })
        store[Self.key(file.sha256)] = nil
        let kept = server.home.runDirectory(project: "Mixed", id: offer.id)
        try FileManager.default.removeItem(atPath: "\(kept)/build.log")
        try Data("other bytes".utf8).write(to: URL(filePath: "\(kept)/build.log"))
        let fault = "run \(offer.id): the file \(file.sha256) is missing, or has another hash"
        #expect(try await report(repairs: true) == Self.expected([offer], [fault]))
        #expect(store[Self.key(file.sha256)] == nil)
    }

    @Test func `a manifest that is gone comes back with what it names, and an arrival that is none is told`()
        async throws
    {
        let offer = try server.offer()
        try await deliver(offer)
        let manifest = "v1/manifests/\(offer.place.project)/\(offer.id)/\(offer.manifest)"
        store[manifest] = Array("{}".utf8)
        let arrival = "v1/arrivals/\(offer.place.project)/\(offer.id)/9"
        store[arrival] = Array("{}".utf8)
        let faults = [
            "\(arrival) cannot be read",
            "run \(offer.id): the manifest \(offer.manifest) is missing, or has another hash",
        ]
        let found = try await report()
        #expect(found.findings.map(\.text) == faults && found.files == 0 && found.unused == offer.files.count)
        let repaired = try await report(repairs: true)
        #expect(repaired.findings.map(\.isRepaired) == [false, true])
        store[arrival] = nil
        #expect(try await report(reads: true) == Self.expected([offer]))
    }

    @Test func `what the store cannot give of one run is told, and all others are looked at`() async throws {
        let (bad, good) = (try server.offer(), try server.offer("Failing"))
        for offer in [bad, good] { try await deliver(offer) }
        let file = try #require(bad.files.subtracting(good.files).sorted().first)
        let manifest = "v1/manifests/\(bad.place.project)/\(bad.id)/\(bad.manifest)"
        let arrival = try #require(
            store.keys.first { $0.hasPrefix("v1/arrivals/") && $0.contains(bad.id.description) })
        let faults = [
            Self.key(file): "run \(bad.id): the file \(file) is missing, or has another hash",
            manifest: "run \(bad.id): the manifest \(bad.manifest) cannot be read: it is archived",
            arrival: "\(arrival) cannot be read",
        ]
        for (key, fault) in faults {
            store.fail { call, _ in call == "get \(key)" ? ObjectError(.failed, "it is archived") : nil }
            let found = try await report(reads: true)
            #expect(found.findings.first?.text == fault, "\(found)")
            #expect(!found.findings.contains { $0.text.contains(good.id.description) })
        }
        store.fail { _, _ in nil }
        // The bytes are those of its key, and a later program may read them: there is nothing to repair.
        let newer = Array(#"{"schemaVersion": 1000}"#.utf8)
        let hash = Digest.sha256(newer)
        store["v1/manifests/\(bad.place.project)/\(bad.id)/\(hash)"] = newer
        store[arrival] = String(decoding: store[arrival] ?? [], as: UTF8.self)
            .replacing(bad.manifest, with: hash).utf8.map { $0 }
        let text = "run \(bad.id): the manifest \(hash) is of a later version than this one reads"
        let found = try await report(repairs: true)
        #expect(found.findings.first == ObjectsCheck.Finding(text: text, isRepaired: false), "\(found)")
    }

    @Test func `a run that was delivered before there were objects is told, and put there`() async throws {
        let (old, new) = (try server.offer(), try server.offer("Failing"))
        try await deliver(old, by: server.intake(keeping: nil))
        try await deliver(new)
        let fault = "run \(old.id) was delivered here, and is not among the objects"
        #expect(try await report() == Self.expected([new], [fault]))
        #expect(try await report(repairs: true) == Self.expected([new], [fault], isRepaired: true))
        #expect(try await report(reads: true) == Self.expected([new, old]))
    }

    @Test func `of two manifests under one id it is said which counts`() async throws {
        let offer = try server.offer()
        let other = try offer.changed(in: server.folder)
        let second = try ObjectsServer(store, name: "two", at: Self.moment.addingTimeInterval(1))
        try await deliver(offer)
        _ = try await second.take(other, from: "ci", attests: true, at: Self.moment)
        let note = "run \(offer.id): of several manifests \(offer.manifest) counts, and not \(other.manifest)"
        #expect(try await report() == Self.expected([offer], notes: [note]))
    }
}
