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

/// Copies of a server's index among the objects, and machines that begin with one.
@Suite struct IndexSnapshotTests {
    private static let moment = Date(timeIntervalSince1970: 1_780_000_000)

    private let store = MemoryStore()
    private let one: ObjectsServer
    private let two: ObjectsServer

    init() throws {
        one = try ObjectsServer(store, name: "one", at: Self.moment)
        two = try ObjectsServer(store, name: "two", at: Self.at(9000))
        for server in [one, two] { try server.addTokens() }
    }

    private static func at(_ seconds: TimeInterval) -> Date { moment.addingTimeInterval(seconds) }

    private func deliver(
        _ offer: ObjectsServer.Offer, to server: ObjectsServer? = nil, from token: String = "ci",
        at seconds: TimeInterval = 0
    ) async throws {
        let receipt = try await (server ?? one).take(
            offer, from: token, attests: token == "ci", at: Self.at(seconds))
        #expect(receipt.state == .stored)
    }

    /// Leaves a snapshot of the first server, which has read the log to some moment.
    @discardableResult
    private func leave(at seconds: TimeInterval, until: TimeInterval) async throws -> SnapshotWriter.Left {
        try KnownLog(one.home).write(Self.at(until), of: "memory")
        return try await SnapshotWriter(one.objects, of: one.home).leave(at: Self.at(seconds))
    }

    private func restoration(_ server: ObjectsServer? = nil) throws -> SnapshotRestoration {
        let server = server ?? two
        return try SnapshotRestoration(server.objects, into: server.home, now: Self.at(20_000))
    }

    /// Begins on the second server; answers with what came of it, and why newer snapshots were not used.
    private func begin() async throws -> (SnapshotRestoration.Beginning, [String]) {
        let (beginning, refused) = try await restoration().begin()
        return (beginning, refused)
    }

    private func finish() async throws -> SnapshotRestoration.Report {
        try await restoration().finish { _ in }
    }

    private func report(restored: Int = 0, left: Int = 0, judged: Int = 0) -> SnapshotRestoration.Report {
        var report = SnapshotRestoration.Report()
        report.directories.restored = restored
        report.left = left
        report.judged = judged
        return report
    }

    private func taken(_ left: SnapshotWriter.Left, leftOut: Int = 0) -> SnapshotRestoration.Beginning {
        .taken(SnapshotRestoration.Taken(name: left.name, runs: left.runs - leftOut, leftOut: leftOut))
    }

    /// What the store of a server says of a run, but for where its directory is.
    private func summary(_ offer: ObjectsServer.Offer, of server: ObjectsServer) throws -> RunSummary? {
        guard server.home.hasStore else { return nil }
        var summary = try RunStore.reading(server.home.database).summary(of: offer.id)
        if let path = summary?.runDirectory {
            #expect(path == server.home.runDirectory(project: offer.delivery.project, id: offer.id))
        }
        summary?.runDirectory = nil
        return summary
    }

    @Test func `a machine that begins with a snapshot judges nothing but what arrived later`() async throws {
        let (mixed, failing, later) = (try one.offer(), try one.offer("Failing"), try one.offer(seed: "another"))
        try await deliver(mixed)
        try await deliver(failing, from: "laptop")
        let left = try await leave(at: 3600, until: 3600)
        #expect(left.runs == 2 && left.bytes > 0)
        let other = try ObjectsServer(store, name: "other", at: Self.at(7200))
        try other.addTokens()
        try await deliver(later, to: other, at: 7200)

        store.forgetCalls()
        let (beginning, refused) = try await begin()
        #expect(beginning == taken(left) && refused.isEmpty)
        // Of the runs themselves nothing was asked for, and no copy is left.
        #expect(!store.calls.contains { $0.hasPrefix("get v1/arrivals") || $0.hasPrefix("get v1/blobs") })
        #expect(!FileManager.default.fileExists(atPath: "\(two.home.database).rebuilding"))
        #expect(KnownLog(two.home).read(of: "memory") == Self.at(3600))
        #expect(two.directories == [])
        #expect(try await finish() == report(restored: 1, left: 2, judged: 1))
        #expect(KnownLog(two.home).read(of: "memory") == Self.at(20_000))
        for offer in [mixed, failing] {
            #expect(try summary(offer, of: two) == summary(offer, of: one))
            #expect(try two.delivery(of: offer) == one.delivery(of: offer))
        }
        let found = try summary(later, of: two)
        let expected = try summary(later, of: other)
        #expect(found?.decision == .passed && found?.trust == expected?.trust && found?.delivery == expected?.delivery)
        #expect(Set(two.directories) == Set([mixed, failing, later].map(\.id.description)))
        #expect(try RunStore.reading(two.home.database).check() == [])
        // Nothing is to be done any more, and a snapshot takes the place of nothing.
        let (again, _) = try await begin()
        #expect(again == .notEmpty)
    }

    @Test func `of what arrived shortly before a snapshot the arrivals are asked for`() async throws {
        let (mixed, failing) = (try one.offer(), try one.offer("Failing"))
        try await deliver(mixed)
        try await deliver(failing, from: "laptop")
        let left = try await leave(at: 60, until: 0)
        // Another server takes the same run from a trusted token; the snapshot does not know.
        let other = try ObjectsServer(store, name: "other", at: Self.at(120))
        try other.addTokens()
        try await deliver(failing, to: other, at: 120)
        let (beginning, _) = try await begin()
        #expect(beginning == taken(left, leftOut: 1))
        #expect(try await finish() == report(restored: 1, left: 1, judged: 1))
        #expect(try summary(mixed, of: two) == summary(mixed, of: one))
        let delivery = try summary(failing, of: two)?.delivery
        #expect(delivery?.token == "ci" && delivery?.isAttested == true && delivery?.others == ["laptop"])
    }

    /// What can be wrong with a snapshot, and what is said then.
    enum Fault: String, CaseIterable {
        case unreadable = "what it consists of cannot be read"
        case version = "its tables have the version 2, and not 1"
        case future = "it is of a time that is still to come"
        case missing = "piece 0 is not there"
        case changed = "piece 0 has another SHA-256"
        case size = "piece 0 is larger than it was"
        case other = "its database is not one that Kanmon has made"
    }

    @Test(arguments: Fault.allCases)
    func `a snapshot that is not whole or cannot be right is passed over for the one before`(
        fault: Fault
    ) async throws {
        try await deliver(try one.offer())
        let first = try await leave(at: 3600, until: 3600)
        try await deliver(try one.offer("Failing"))
        let second = try await leave(at: 7200, until: 7200)
        let (whole, piece) = ("v1/snapshots/\(second.name)", "v1/indexes/\(second.name)/000000")
        let text = String(decoding: try #require(store[whole]), as: UTF8.self)
        switch fault {
        case .unreadable: store[whole] = Array(text.replacing("\"runs\"", with: "\"walks\"").utf8)
        case .version:
            store[whole] = Array(text.replacing("\"storeVersion\" : 1", with: "\"storeVersion\" : 2").utf8)
        case .future:
            let until = Timestamp.text(of: Self.at(7200))
            store[whole] = Array(text.replacing(until, with: "2999-01-01T00:00:00.000Z").utf8)
        case .missing: store[piece] = nil
        case .changed:
            var bytes = try #require(store[piece])
            bytes[bytes.count / 2] ^= 1
            store[piece] = bytes
        case .size: store[piece] = try #require(store[piece]) + [0]
        case .other: store[whole] = Array(text.replacing("\"runs\" : 2", with: "\"runs\" : 3").utf8)
        }
        let (beginning, refused) = try await begin()
        #expect(refused == ["\(second.name): \(fault.rawValue)"])
        #expect(beginning == taken(first))
        #expect(try await finish() == report(restored: 1, left: 1, judged: 1))
    }

    @Test func `a run that no arrival names is left out, and so is one that somebody else delivered`() async throws {
        let (gone, kept, moved) = (try one.offer(), try one.offer("Failing"), try one.offer(seed: "another"))
        for offer in [gone, kept, moved] { try await deliver(offer) }
        let left = try await leave(at: 3600, until: 3600)
        for key in store.keys where key.hasPrefix("v1/arrivals/\(gone.place.project)/\(gone.id)/") {
            store[key] = nil
        }
        // The token that delivered it is distrusted by now, and so nobody vouches for what it delivered.
        try TokenFile(path: two.home.tokens).revoke("ci", at: Self.at(8000), isDistrusted: true)
        let (beginning, _) = try await begin()
        #expect(beginning == taken(left, leftOut: 3))
        #expect(try await finish() == report(restored: 2, judged: 2))
        #expect(try summary(gone, of: two) == nil)
        #expect(try summary(kept, of: two)?.trust == .distrusted)
        #expect(try RunStore.reading(two.home.database).check() == [])
    }

    @Test func `what a project is called here counts, and what was removed here stays away`() async throws {
        let (mixed, failing) = (try one.offer(), try one.offer("Failing"))
        for offer in [mixed, failing] { try await deliver(offer) }
        let left = try await leave(at: 3600, until: 3600)
        two.home.prepare()
        try ProjectNames(two.home).rename("Failing", to: "Red")
        try ProjectNames(two.home).remove(["Mixed"], at: Self.at(1))
        let (beginning, _) = try await begin()
        #expect(beginning == taken(left, leftOut: 1))
        #expect(try await finish() == report(left: 1))
        #expect(try summary(mixed, of: two) == nil)
        #expect(try summary(failing, of: two)?.project == "Red")
    }

    @Test func `the manifests come behind the index, and what was ended goes on`() async throws {
        let offers = [try one.offer(), try one.offer("Failing")]
        for offer in offers { try await deliver(offer) }
        let left = try await leave(at: 3600, until: 3600)
        let (beginning, _) = try await begin()
        #expect(beginning == taken(left))
        #expect(two.directories == [])
        for offer in offers { #expect(try summary(offer, of: two) == summary(offer, of: one)) }
        // Who delivers one of them again meanwhile is told to come later, and not that its evidence was removed.
        let refusal = await #expect(throws: DeliveryRefusal.self) {
            try await two.take(offers[0], from: "laptop", attests: false, at: Self.at(8000))
        }
        #expect(refusal == .notNow("what was lost here is being brought back"))

        let folder = "get v1/manifests/\(offers[1].place.project)/"
        store.fail { call, _ in call.hasPrefix(folder) ? ObjectError(.later, "it is away") : nil }
        var failure: (any Error)?
        do { _ = try await finish() } catch { failure = error }
        #expect((failure as? ObjectError)?.kind == .later)
        store.fail { _, _ in nil }
        let again = try await begin()
        #expect(again.0 == .goesOn)
        let end = try await finish()
        #expect(end.directories.restored == 0 && end.judged == 0 && end.left + end.directories.present == 2)
        #expect(Set(two.directories) == Set(offers.map(\.id.description)))
        // It is known as it was.
        for offer in offers {
            let receipt = try await two.take(offer, from: "ci", attests: true, at: Self.at(9000))
            #expect(receipt.state == .known)
        }
    }

    @Test func `the files of a run stay among the objects until somebody needs them`() async throws {
        let (mixed, lost) = (try one.offer(), try one.offer("Failing"))
        for offer in [mixed, lost] { try await deliver(offer) }
        try await leave(at: 3600, until: 3600)
        store["v1/manifests/\(lost.place.project)/\(lost.id)/\(lost.manifest)"] = nil
        _ = try await begin()
        store.forgetCalls()
        let report = try await finish()
        let reason = "run \(lost.id): its manifest is not among the objects"
        #expect(report.left == 1 && report.directories.lost == [reason])
        #expect(!store.calls.contains { $0.hasPrefix("get v1/blobs") })
        let directory = RunDirectory(path: two.home.runDirectory(project: mixed.delivery.project, id: mixed.id))
        #expect(directory.hasOnlyManifest && DroppedRuns(two.home).isDropped(mixed.id))

        try await RunFetcher(two.home, from: two.objects, room: 1 << 30) { .now }.fetch(mixed.id)
        for file in mixed.delivery.files {
            let (found, expected) = ("\(directory.path)/\(file.path)", "\(mixed.directory.path)/\(file.path)")
            #expect(FileManager.default.contents(atPath: found) == FileManager.default.contents(atPath: expected))
        }
        let fetched = try DroppedRuns(two.home).allFetched()
        #expect(fetched.map(\.run) == [mixed.id])
        #expect(fetched.first?.entry.bytes == mixed.delivery.files.reduce(0) { $0 + $1.size })
        // Where several manifests are listed, the arrivals say which one counts.
        try FileManager.default.removeItem(atPath: directory.path)
        store["v1/manifests/\(mixed.place.project)/\(mixed.id)/\(String(repeating: "0", count: 64))"] = [0]
        let again = try await finish()
        #expect(again.left == 1 && directory.hasOnlyManifest)
    }

    @Test func `there is nothing of runs of the machine itself in a snapshot, and no token`() async throws {
        let (own, delivered) = (try one.offer("Failing"), try one.offer())
        try await deliver(delivered)
        let place = one.home.runDirectory(project: "Failing", id: own.id)
        try FileManager.default.createDirectory(
            atPath: (place as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: own.directory.path, toPath: place)
        let refusal = try StoreRebuild.take(
            RunDirectory(path: place), of: one.home, into: RunStore(path: one.home.database), now: Self.at(1))
        #expect(refusal == nil)
        let left = try await leave(at: 3600, until: 3600)
        #expect(left.runs == 1)
        let name = try #require(SnapshotName(left.name))
        let snapshot = try #require(try await one.objects.snapshot(name))
        let copy = "\(one.folder.path)/copy"
        let fault = try await one.objects.fetch(snapshot, name, to: copy)
        #expect(fault == nil)
        let bytes = try Data(contentsOf: URL(filePath: copy))
        #expect(bytes.count == snapshot.size)
        let secrets = [own.id.description, "Failing"] + ["ci", "laptop"].map { Digest.sha256(Array($0.utf8)) }
        for secret in secrets { #expect(bytes.firstRange(of: Data(secret.utf8)) == nil, "\(secret)") }
        #expect(bytes.firstRange(of: Data(delivered.id.description.utf8)) != nil)
        let files = try FileManager.default.contentsOfDirectory(atPath: one.home.path)
        #expect(!files.contains { $0.hasPrefix("kanmon.sqlite.snapshot") })
    }

    @Test func `the last two snapshots of a home are kept, and of others those of a month`() async throws {
        try await deliver(try one.offer())
        let day = 86_400.0
        // One whose server was killed before it was whole, and two of homes that are no more.
        let old = SnapshotName(moment: Self.at(-40 * day), home: "gone").text
        let young = SnapshotName(moment: Self.at(-20 * day), home: "away").text
        for name in [old, young] {
            store["v1/snapshots/\(name)"] = [0]
            store["v1/indexes/\(name)/000000"] = [0]
        }
        var names: [String] = []
        for number in 1...3 {
            if number == 2 {
                let unfinished = SnapshotName(moment: Self.at(1.5 * day), home: try #require(home(of: names[0]))).text
                store["v1/indexes/\(unfinished)/000000"] = [0]
            }
            names.append(try await leave(at: Double(number) * day, until: Double(number) * day).name)
        }
        let expected = ([young] + names.suffix(2)).sorted()
        #expect(store.keys.filter { $0.hasPrefix("v1/snapshots/") } == expected.map { "v1/snapshots/\($0)" })
        #expect(store.keys.filter { $0.hasPrefix("v1/indexes/") } == expected.map { "v1/indexes/\($0)/000000" })
    }

    private func home(of name: String) -> String? { SnapshotName(name)?.home }

    @Test func `a snapshot is due a day after the last, or after many runs, if anything has arrived`() async throws {
        func keeper(at seconds: TimeInterval) -> SnapshotKeeper {
            SnapshotKeeper(one.objects, of: one.home, isIdle: { true }, now: { Self.at(seconds) })
        }
        // Nothing is known of the log yet.
        try await deliver(try one.offer())
        #expect(try keeper(at: 0).isDue() == false)
        try KnownLog(one.home).write(Self.moment, of: "memory")
        #expect(try keeper(at: 0).isDue() == true)
        try await leave(at: 0, until: 0)
        #expect(try keeper(at: 90_000).isDue() == false)
        try KnownLog(one.home).write(Self.at(50), of: "memory")
        #expect(try keeper(at: 86_399).isDue() == false)
        #expect(try keeper(at: 86_400).isDue() == true)
        #expect(try keeper(at: -1).isDue() == true)
        // As if the index had grown since.
        var ledger = try #require(SnapshotLedger.read(one.home))
        let last = try #require(ledger.last)
        ledger.last = SnapshotLedger.Last(
            place: last.place, name: last.name, until: last.until, runs: 1 - SnapshotKeeper.runs)
        try ledger.write(one.home)
        #expect(try keeper(at: 3599).isDue() == false)
        #expect(try keeper(at: 3600).isDue() == true)
    }

    @Test func `where the log was not read there is nothing to leave`() async throws {
        try await deliver(try one.offer())
        let problem = await #expect(throws: Problem.self) {
            try await SnapshotWriter(one.objects, of: one.home).leave(at: Self.moment)
        }
        #expect(problem?.status == .ioError)
        #expect(!store.keys.contains { $0.hasPrefix("v1/snapshots") || $0.hasPrefix("v1/indexes") })
    }
}
