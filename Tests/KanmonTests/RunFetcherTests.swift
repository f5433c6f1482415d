import Access
import Dashboard
import Evidence
import Foundation
import Gate
import RunModel
import Storage
import Testing

@testable import Application
@testable import Objects

/// Runs whose files are dropped where they were taken in, as the objects have them, and fetched back.
@Suite struct RunFetcherTests {
    private static let moment = Date(timeIntervalSince1970: 1_780_000_000)

    private let store = MemoryStore()
    private let server: ObjectsServer

    init() throws {
        server = try ObjectsServer(store, name: "one", at: Self.moment)
        try server.addToken("ci", .attest)
        try server.addToken("night", .attest)
    }

    @discardableResult
    private func deliver(_ offer: ObjectsServer.Offer, from token: String = "ci") async throws -> DeliveryReceipt {
        try await server.take(offer, from: token, attests: true, at: Self.moment)
    }

    private func directory(of offer: ObjectsServer.Offer) -> RunDirectory {
        RunDirectory(path: server.home.runDirectory(project: offer.delivery.project, id: offer.id))
    }

    private func drop(_ offer: ObjectsServer.Offer, isDryRun: Bool = false) async throws -> Int? {
        try await RunDropping(server.objects, server.home).drop(directory(of: offer), isDryRun: isDryRun)
    }

    /// Fetches an hour later, when nothing is in use any more.
    private func fetcher(room: Int = 1 << 30, after seconds: TimeInterval = 3_600) -> RunFetcher {
        RunFetcher(server.home, from: server.objects, room: room) { Date.now.addingTimeInterval(seconds) }
    }

    /// The bytes of every file of a run directory.
    private func files(of offer: ObjectsServer.Offer) throws -> [String: Data] {
        let path = directory(of: offer).path
        var files: [String: Data] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: path) {
            files[name] = FileManager.default.contents(atPath: "\(path)/\(name)")
        }
        return files
    }

    private static let rest = ["delivery.json", "manifest.json"]

    private func isDropped(_ offer: ObjectsServer.Offer) throws -> Bool {
        try files(of: offer).keys.sorted() == Self.rest && DroppedRuns(server.home).isDropped(offer.id)
    }

    @Test func `files that are dropped come back byte for byte, and nothing of the run is unknown meanwhile`()
        async throws
    {
        let offer = try server.offer()
        try await deliver(offer)
        let before = try files(of: offer)
        let bytes = offer.delivery.files.reduce(0) { $0 + $1.size }
        #expect(try await drop(offer, isDryRun: true) == bytes)
        #expect(try files(of: offer) == before)
        #expect(try await drop(offer) == bytes)
        #expect(try isDropped(offer) && directory(of: offer).hasOnlyManifest)
        #expect(try await drop(offer) == nil)
        // It is known by its manifest, and by who delivered it.
        #expect(try await deliver(offer) == DeliveryReceipt(.known, decision: "passed"))
        #expect(try isDropped(offer))
        let fetcher = fetcher()
        try await fetcher.fetch(offer.id)
        #expect(try files(of: offer) == before && !DroppedRuns(server.home).isDropped(offer.id))
        #expect(try DroppedRuns(server.home).allFetched().map(\.run) == [offer.id])
        // Once is enough, and it may go again.
        store.forgetCalls()
        try await fetcher.fetch(offer.id)
        #expect(store.calls == [])
        #expect(try await drop(offer) == bytes)
        #expect(try isDropped(offer) && DroppedRuns(server.home).allFetched().isEmpty)
    }

    @Test func `what is not whole among the objects, or was not delivered, is not dropped`() async throws {
        let (offer, own) = (try server.offer(), try server.offer("Failing"))
        try await deliver(offer)
        _ = try await server.take(own, from: "ci", attests: true, at: Self.moment, by: server.intake(keeping: nil))
        #expect(try await drop(own) == nil)
        let file = try #require(offer.files.sorted().first)
        let key = "v1/blobs/\(file.prefix(2))/\(file)"
        let bytes = store[key]
        for damaged in [nil, [1]] as [[UInt8]?] {
            store[key] = damaged
            #expect(try await drop(offer) == nil)
        }
        store[key] = bytes
        Spool(server.home).add(offer.id, at: directory(of: offer).path)
        #expect(try await drop(offer) == nil)
        Spool(server.home).remove(offer.id)
        let record = "\(directory(of: offer).path)/delivery.json"
        let kept = try #require(FileManager.default.contents(atPath: record))
        try FileManager.default.removeItem(atPath: record)
        #expect(try await drop(offer) == nil)
        try kept.write(to: URL(filePath: record))
        #expect(try await drop(offer) != nil)
    }

    @Test func `a file that is missing is named, a store that is away is told, and both may pass`() async throws {
        let offer = try server.offer()
        try await deliver(offer)
        let before = try files(of: offer)
        _ = try await drop(offer)
        let log = try #require(offer.delivery.files.first { $0.path == "build.log" }?.sha256)
        let key = "v1/blobs/\(log.prefix(2))/\(log)"
        let bytes = store[key]
        let source = fetcher().source
        #expect(source.isAway(offer.id))
        for (content, reason) in [
            (nil, "the object store does not have its file build.log"),
            ([1], "what the object store has of it is damaged"),
        ] as [([UInt8]?, String)] {
            store[key] = content
            let error = await #expect(throws: EvidenceUnavailable.self) { try await source.bring(offer.id) }
            #expect(error?.reason == reason)
        }
        store[key] = nil
        let problem = await #expect(throws: Problem.self) { try await fetcher().fetch(offer.id) }
        #expect(problem?.reason == "the objects lack the file build.log of run \(offer.id.short)")
        store[key] = bytes
        for (kind, reason) in [
            (ObjectError.Kind.later, "the object store does not answer"),
            (ObjectError.Kind.refused, "the object store does not let the server read"),
        ] {
            store.fail { call, _ in call.hasPrefix("get ") ? ObjectError(kind, "no") : nil }
            let error = await #expect(throws: EvidenceUnavailable.self) { try await source.bring(offer.id) }
            #expect(error?.reason == reason)
        }
        store.fail { _, _ in nil }
        let alone = RunFetcher(server.home, from: nil, room: 1 << 30) { .now }.source
        let error = await #expect(throws: EvidenceUnavailable.self) { try await alone.bring(offer.id) }
        #expect(error?.reason.contains("without --objects") == true)
        #expect(try isDropped(offer))
        try await source.bring(offer.id)
        #expect(try files(of: offer) == before && !source.isAway(offer.id))
        // Nothing is left of what was fetched but the run directory.
        let blobs = BlobStore(path: server.home.blobs).sent(by: "fetched:\(offer.id)").path
        #expect(!FileManager.default.fileExists(atPath: blobs))
    }

    @Test func `whoever asks for a run at the same time has it fetched once`() async throws {
        let offer = try server.offer()
        try await deliver(offer)
        _ = try await drop(offer)
        store.forgetCalls()
        let fetcher = fetcher()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 { group.addTask { try await fetcher.fetch(offer.id) } }
            try await group.waitForAll()
        }
        let gets = store.calls.filter { $0.hasPrefix("get ") }
        #expect(gets.count == offer.files.count + 1 && Set(gets).count == gets.count)
    }

    @Test func `what was needed least recently goes when there is no room, and never what is in use`() async throws {
        let offers = [try server.offer(), try server.offer(seed: "another"), try server.offer("Failing")]
        for offer in offers {
            try await deliver(offer)
            _ = try await drop(offer)
        }
        let sizes = offers.map { $0.delivery.files.reduce(0) { $0 + $1.size } }
        let fetcher = fetcher(room: sizes[0] + max(sizes[1], sizes[2]))
        try await fetcher.fetch(offers[0].id)
        try await fetcher.fetch(offers[1].id)
        try await Task.sleep(for: .milliseconds(20))
        // A page needs the first one again.
        try await fetcher.fetch(offers[0].id)
        try await fetcher.fetch(offers[2].id)
        let dropped = try offers.map(isDropped)
        #expect(dropped == [false, true, false])
        #expect(try DroppedRuns(server.home).allFetched().count == 2)
        try await self.fetcher(room: 1, after: 0).fetch(offers[1].id)
        let inUse = try offers.map(isDropped)
        #expect(inUse == [false, false, false])
    }

    @Test func `a run that another token delivers is judged with all of its files`() async throws {
        let offer = try server.offer()
        _ = try await server.take(offer, from: "laptop", attests: false, at: Self.moment)
        let before = try files(of: offer).count
        _ = try await drop(offer)
        #expect(try await deliver(offer) == DeliveryReceipt(.stored, decision: "passed"))
        #expect(try files(of: offer).count == before && !DroppedRuns(server.home).isDropped(offer.id))
        let run = try #require(try RunStore.reading(server.home.database).summary(of: offer.id))
        #expect(run.trust == .ci && run.decision == .passed)
    }

    @Test func `what other servers learn of a dropped run is judged with all of its files`() async throws {
        let offer = try server.offer()
        _ = try await server.take(offer, from: "laptop", attests: false, at: Self.moment)
        _ = try await drop(offer)
        var position = LogPosition()
        func look(after seconds: TimeInterval) async throws {
            let now = Self.moment.addingTimeInterval(seconds)
            try await RunFollower(server.objects, server.intake) { now }.look(&position) { _, _, work in try work() }
        }
        // The same record changes nothing, and fetches nothing.
        try await look(after: 700)
        #expect(try isDropped(offer))
        let other = try ObjectsServer(store, name: "two", at: Self.moment.addingTimeInterval(800))
        try other.addToken("ci", .attest)
        _ = try await other.take(offer, from: "ci", attests: true, at: Self.moment)
        try await look(after: 810)
        #expect(!DroppedRuns(server.home).isDropped(offer.id) && !directory(of: offer).hasOnlyManifest)
        let run = try #require(try RunStore.reading(server.home.database).summary(of: offer.id))
        #expect(run.trust == .ci && run.decision == .passed)
    }

    @Test func `a rebuild brings the files back first`() async throws {
        let offer = try server.offer()
        try await deliver(offer)
        let before = try files(of: offer)
        _ = try await drop(offer)
        #expect(try StoreRebuild(server.home, now: .now).droppedCount == 1)
        let report = try await RunRestoration(server.objects, into: server.home, now: .now).restoreAll { _ in }
        #expect(report.restored == 1 && report.lost == [])
        #expect(try files(of: offer) == before)
        #expect(try StoreRebuild(server.home, now: .now).droppedCount == 0)
    }
}
