import Access
import Evidence
import Foundation
import RunModel
import Testing

@testable import Application
@testable import Objects

/// Run directories that come back from the objects to a machine that has lost them.
@Suite struct RunRestorationTests {
    private static let moment = Date(timeIntervalSince1970: 1_780_000_000)

    private let store = MemoryStore()
    private let server: ObjectsServer
    private let other: ObjectsServer

    init() throws {
        server = try ObjectsServer(store, name: "one", at: Self.moment)
        other = try ObjectsServer(store, name: "two", at: Self.moment.addingTimeInterval(60))
        for each in [server, other] { try each.addTokens() }
    }

    /// Delivers a run to the first server.
    @discardableResult
    private func deliver(_ offer: ObjectsServer.Offer, from token: String = "ci") async throws -> DeliveryReceipt {
        try await server.take(offer, from: token, attests: token == "ci", at: Self.moment)
    }

    /// Brings everything back to the other server.
    private func restored() async throws -> RunRestoration.Report {
        try await RunRestoration(other.objects, into: other.home, now: .now).restoreAll { _ in }
    }

    private func expected(
        present: Int = 0, restored: Int = 0, lost: [String] = [], strangers: Set<String> = []
    ) -> RunRestoration.Report {
        var report = RunRestoration.Report()
        (report.present, report.restored, report.lost, report.strangers) = (present, restored, lost, strangers)
        return report
    }

    /// The bytes of every file below the run directories.
    private func files(of server: ObjectsServer) throws -> [String: Data] {
        var files: [String: Data] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: server.home.runs) {
            files[path] = FileManager.default.contents(atPath: "\(server.home.runs)/\(path)")
        }
        return files
    }

    @Test func `what comes back is byte for byte what was delivered, and who delivered it`() async throws {
        try await deliver(server.offer())
        try await deliver(server.offer(seed: "another"), from: "laptop")
        try await deliver(server.offer("Failing"))
        #expect(try await restored() == expected(restored: 3))
        #expect(try files(of: other) == files(of: server))
        // Again, nothing but what has arrived is asked for.
        store.forgetCalls()
        #expect(try await restored() == expected(present: 3))
        #expect(store.calls.allSatisfy { $0.hasPrefix("list v1/arrivals") || $0.hasPrefix("get v1/arrivals/") })
    }

    @Test func `what was ended goes on where it was`() async throws {
        try await deliver(server.offer())
        try await deliver(server.offer("Failing"))
        let calls = 12
        for attempt in 0..<100 {
            store.forgetCalls()
            store.fail { _, count in count > calls ? ObjectError(.later, "it is away") : nil }
            do {
                _ = try await restored()
                #expect(attempt > 1)
                #expect(try files(of: other) == files(of: server))
                return
            } catch {
                #expect((error as? ObjectError)?.kind == .later, "\(error)")
            }
        }
        Issue.record("it never ends")
    }

    @Test func `a run that is not whole among the objects is left out, and told`() async throws {
        let (one, two, three) = (try server.offer(), try server.offer(seed: "another"), try server.offer("Failing"))
        for offer in [one, two, three] { try await deliver(offer) }
        let own = try #require(three.files.subtracting(one.files).subtracting(two.files).sorted().first)
        store["v1/blobs/\(own.prefix(2))/\(own)"] = nil
        store["v1/manifests/\(two.place.project)/\(two.id)/\(two.manifest)"] = Array("{}".utf8)
        let found = try await restored()
        let reasons = [
            "run \(three.id): files that are not among the objects: 1",
            "run \(two.id): \(two.manifest): the bytes that arrived have another SHA-256",
        ]
        #expect(found.restored == 1 && found.present == 0)
        #expect(found.lost.sorted() == reasons.sorted())
        #expect(other.directories == [one.id.description])
        // Put back by whoever still has it, it comes, too.
        let path = try #require(three.delivery.files.first { $0.sha256 == own }?.path)
        store["v1/blobs/\(own.prefix(2))/\(own)"] = Array(
            try Data(contentsOf: URL(filePath: "\(three.directory.path)/\(path)")))
        #expect(try await restored().restored == 1)
    }

    @Test func `a run of which the store cannot give an object is left out, and all others come back`() async throws {
        let (bad, good) = (try server.offer("Failing"), try server.offer())
        for offer in [bad, good] { try await deliver(offer) }
        let file = try #require(bad.files.subtracting(good.files).sorted().first)
        // What was fetched is not requested again, so the manifest is the first.
        let manifest = "v1/manifests/\(bad.place.project)/\(bad.id)/\(bad.manifest)"
        for key in [manifest, "v1/blobs/\(file.prefix(2))/\(file)"] {
            for kind in [ObjectError.Kind.failed, .tooLarge] {
                store.fail { call, _ in call == "get \(key)" ? ObjectError(kind, "it is archived") : nil }
                #expect(try await restored().lost == ["run \(bad.id): it is archived"])
                #expect(other.directories == [good.id.description])
            }
        }
        store.fail { _, _ in nil }
        #expect(try await restored() == expected(present: 1, restored: 1))
    }

    @Test func `a file that a folder of objects does not give costs its run, and no other`() async throws {
        let folder = try TestFolder()
        let kept = FolderStore(path: "\(folder.path)/objects")
        let one = try ObjectsServer(kept, name: "one", at: Self.moment)
        let two = try ObjectsServer(kept, name: "two", at: Self.moment.addingTimeInterval(60))
        for each in [one, two] { try each.addTokens() }
        let (bad, good) = (try one.offer("Failing"), try one.offer())
        for offer in [bad, good] { _ = try await one.take(offer, from: "ci", attests: true, at: Self.moment) }
        let file = try #require(bad.files.subtracting(good.files).sorted().first)
        let path = "\(kept.path)/v1/blobs/\(file.prefix(2))/\(file)"
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "\(folder.path)/elsewhere")
        let report = try await RunRestoration(two.objects, into: two.home, now: .now).restoreAll { _ in }
        #expect(report.restored == 1 && report.lost.count == 1)
        #expect(report.lost.first?.hasPrefix("run \(bad.id): ") == true)
        #expect(two.directories == [good.id.description])
    }

    @Test func `nobody vouches for a token that is not known here, or is distrusted`() async throws {
        let offer = try server.offer()
        try await deliver(offer)
        let stranger = try ObjectsServer(store, name: "three", at: Self.moment)
        let report = try await RunRestoration(stranger.objects, into: stranger.home, now: .now).restoreAll { _ in }
        #expect(report == expected(restored: 1, strangers: ["ci"]))
        #expect(try stranger.delivery(of: offer)?.isAttested == false)
        // With the list of tokens back, they vouch again.
        try stranger.addToken("ci", .attest)
        #expect(
            try await RunRestoration(stranger.objects, into: stranger.home, now: .now).restoreAll { _ in }
                == expected(present: 1))
        #expect(try stranger.delivery(of: offer) == server.delivery(of: offer))
        try TokenFile(path: other.home.tokens).revoke("ci", at: Self.moment, isDistrusted: true)
        #expect(try await restored() == expected(restored: 1))
        let record = try other.delivery(of: offer)
        #expect(record?.isAttested == false && record?.distrustedAt == Self.moment)
    }

    @Test func `what CI delivered takes the place of what a laptop did, and of nothing else`() async throws {
        let offer = try server.offer()
        try await deliver(offer, from: "laptop")
        #expect(try await restored() == expected(restored: 1))
        // Another machine has the same id with other bytes, and vouches for them.
        let changed = try offer.changed(in: server.folder)
        let late = try ObjectsServer(store, name: "late", at: Self.moment.addingTimeInterval(120))
        _ = try await late.take(changed, from: "ci", attests: true, at: Self.moment)
        #expect(try await restored() == expected(restored: 1))
        let kept = RunDirectory(path: other.home.runDirectory(project: "Mixed", id: offer.id))
        #expect(try kept.manifestDigest() == changed.manifest)
        #expect(try other.delivery(of: offer)?.token == "ci")
        // A run of the machine itself was delivered by nobody, and stays.
        let own = try ObjectsServer(store, name: "own", at: Self.moment)
        let place = own.home.runDirectory(project: "Mixed", id: offer.id)
        try FileManager.default.createDirectory(
            atPath: (place as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: offer.directory.path, toPath: place)
        let report = try await RunRestoration(own.objects, into: own.home, now: .now).restoreAll { _ in }
        #expect(report.present == 1 && report.restored == 0)
        #expect(try RunDirectory(path: place).manifestDigest() == offer.manifest)
    }

    @Test func `of a project that was removed nothing comes back but what is delivered later`() async throws {
        let (one, two, failing) = (try server.offer(), try server.offer(seed: "another"), try server.offer("Failing"))
        for offer in [one, failing] { try await deliver(offer) }
        #expect(try await restored() == expected(restored: 2))
        let removal = try ProjectRemoval("Mixed", of: other.home)
        #expect(removal.folders.count == 1)
        try removal.remove(at: Self.moment.addingTimeInterval(1))
        #expect(try await restored() == expected(present: 1))
        #expect(other.directories == [failing.id.description])
        // What is renamed or forgotten afterwards changes nothing in that.
        try ProjectNames(other.home).rename("Failing", to: "Red")
        let late = try ObjectsServer(store, name: "late", at: Self.moment.addingTimeInterval(60))
        _ = try await late.take(two, from: "ci", attests: true, at: Self.moment.addingTimeInterval(60))
        #expect(try await restored() == expected(present: 1, restored: 1))
        #expect(Set(other.directories) == [failing.id.description, two.id.description])
    }
}
