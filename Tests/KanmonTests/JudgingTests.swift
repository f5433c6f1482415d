import Dashboard
import Dispatch
import Evidence
import Foundation
import Gate
import RunModel
import Storage
import Subprocess
import Synchronization
import TestSupport
import Testing

@testable import Application

/// How a server judges what machines deliver.
@Suite struct JudgingTests {
    @Test func `a run from a person's machine is judged without what others ran`() throws {
        var run = SampleRuns.failing()
        let failed = try #require(run.failures.first)
        var policy = Policy()
        policy.quarantine = [
            QuarantineEntry(
                test: failed.id.description, owner: "o", reason: "r", expires: CalendarDay(SampleRuns.moment))
        ]
        func asks() -> Bool { (try? policy.past(of: run) { throw Problem(.ioError, "it was opened") }) == nil }
        #expect(asks())
        run.delivery = DeliveryRecord(token: "ci", isAttested: true, receivedAt: SampleRuns.moment, address: nil)
        #expect(asks())
        run.delivery?.isAttested = false
        #expect(!asks())
    }

    @Test func `what a process that judges quotes of a run has an end`() {
        let long = String(repeating: "\u{1}", count: 100_000)
        let cut = String(repeating: "\u{1}", count: 4000) + " …"
        #expect(JudgingAnswer.impossible(long).short == .impossible(cut))
        #expect(JudgingAnswer.tooLarge(long).short == .tooLarge(cut))
        #expect(JudgingAnswer.impossible("é").short == .impossible("é"))
    }

    /// A home of its own, and who judges there.
    private static func checkpoint(_ folder: TestFolder) -> Checkpoint {
        let process = folder.process
        return Checkpoint(process: process, home: Home(folder.home, process: process))
    }

    /// The recorded run with another name of its package in the manifest, sent file by file.
    private static func send(
        _ name: String, _ blobs: BlobStore, as sender: DeliverySender, from folder: TestFolder
    ) throws -> (id: RunID, delivery: Delivery) {
        let path = try folder.seededRun("Mixed", seed: "a seed")
        defer { try? FileManager.default.removeItem(atPath: path) }
        let text = try String(contentsOfFile: "\(path)/manifest.json", encoding: .utf8)
        try text.replacing("\"package\": \"Mixed\"", with: "\"package\": \"\(name)\"")
            .write(toFile: "\(path)/manifest.json", atomically: true, encoding: .utf8)
        let manifest = try RunDirectory(path: path).manifest()
        try #require(manifest.package == name)
        var delivery = Delivery(project: manifest.project, files: [])
        var paths = ["manifest.json"] + manifest.artifacts.map(\.path)
        paths += Set(manifest.sources.map { "sources/\($0.sha256)" })
        for file in paths {
            let bytes = [UInt8](try Data(contentsOf: URL(filePath: "\(path)/\(file)")))
            let sha256 = Digest.sha256(bytes)
            delivery.files.append(.init(path: file, sha256: sha256, size: bytes.count))
            let blob = try blobs.sent(by: sender.identity).receive(sha256)
            try bytes.withUnsafeBytes { try blob.append($0) }
            try blob.finish()
        }
        return (manifest.id, delivery)
    }

    @Test func `a run is too large if its process was ended, and not if that failed by itself`() throws {
        let answer = Array(try JSONEncoder().encode(JudgingAnswer.judged(.passed)))
        #expect(try JudgingProcess.answer(.exited(0), answer) == .judged(.passed))
        for signal in [SIGXCPU, SIGALRM, SIGILL, SIGKILL] {
            let ended = try JudgingProcess.answer(.signaled(signal), [])
            let reason = "judging it takes more than 30 s of processor time or 512 MiB"
            #expect(ended == .tooLarge(reason), "signal \(signal)")
        }
        #expect(throws: Problem.self) { try JudgingProcess.answer(.exited(74), []) }
        #expect(throws: Problem.self) { try JudgingProcess.answer(.exited(0), [1]) }
    }

    @Test func `a delivered run is judged once, also where it takes the place of another`() throws {
        let folder = try TestFolder()
        let checkpoint = Self.checkpoint(folder)
        let blobs = BlobStore(path: checkpoint.home.blobs)
        let sender = { (name: String, isAttested: Bool) in
            DeliverySender(
                record: DeliveryRecord(
                    token: name, isAttested: isAttested, receivedAt: SampleRuns.moment, address: nil),
                identity: name)
        }
        let (laptop, ci) = (sender("laptop-3", false), sender("ci", true))
        let judgings = Mutex<[String]>([])
        let spool = Spool(checkpoint.home)
        let intake = DeliveryIntake(checkpoint: checkpoint, blobs: blobs, objects: nil) { path, place, _ in
            judgings.withLock { $0.append(place == nil ? "in its place" : "staged") }
            return try checkpoint.judgeDelivered(
                RunDirectory(path: path), movingTo: place.map { RunDirectory(path: $0) })
        }
        let (id, first) = try Self.send("Red", blobs, as: laptop, from: folder)
        let directory = RunDirectory(path: checkpoint.home.runDirectory(project: first.project, id: id))
        func packages() throws -> [String?] {
            [try directory.manifest().package, try RunStore.reading(checkpoint.home.database).summary(of: id)?.package]
        }
        #expect(try intake.take(id, first, from: laptop) == DeliveryReceipt(.stored, decision: "passed"))
        #expect(judgings.withLock { $0 } == ["staged"])
        #expect(spool.waiting().isEmpty)
        #expect(try packages() == ["Red", "Red"])

        let (_, second) = try Self.send("Green", blobs, as: ci, from: folder)
        // What cannot be judged takes nobody's place.
        let refusing = DeliveryIntake(checkpoint: checkpoint, blobs: blobs, objects: nil) { _, _, _ in
            .impossible("no run")
        }
        #expect(throws: DeliveryRefusal.impossible("no run")) { try refusing.take(id, second, from: ci) }
        #expect(try packages() == ["Red", "Red"])
        #expect(try intake.take(id, second, from: ci) == DeliveryReceipt(.stored, decision: "passed"))
        #expect(judgings.withLock { $0 } == ["staged", "staged"])
        #expect(try packages() == ["Green", "Green"])
        #expect(try directory.delivery()?.token == "ci")
        let beside = URL(filePath: directory.path).deletingLastPathComponent().path(percentEncoded: false)
        #expect(try FileManager.default.contentsOfDirectory(atPath: beside) == [id.description])

        // The same again is known, and not judged.
        #expect(try intake.take(id, second, from: ci) == DeliveryReceipt(.known, decision: "passed"))
        #expect(judgings.withLock { $0.count } == 2)
    }

    @Test func `what is judged waits for the store in its place, and what it is to replace stays in it`() throws {
        let folder = try TestFolder()
        let checkpoint = Self.checkpoint(folder)
        let home = checkpoint.home
        home.prepare()
        // No store can be here.
        try FileManager.default.createDirectory(atPath: home.database, withIntermediateDirectories: false)
        let source = try folder.seededRun("Mixed")
        func staged() throws -> RunDirectory {
            let staged = "\(folder.path)/staged"
            try FileManager.default.copyItem(atPath: source, toPath: staged)
            return RunDirectory(path: staged)
        }
        let run = try staged()
        let id = try run.manifest().id
        let place = RunDirectory(path: home.runDirectory(project: "Mixed", id: id))
        try FileManager.default.createDirectory(
            atPath: (place.path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        let refusal = Problem(.ioError, "it may not be stored")
        let asked = #expect(throws: Problem.self) {
            try checkpoint.judgeDelivered(run, movingTo: place) { throw refusal }
        }
        #expect(asked?.reason == refusal.reason)
        #expect(run.isThere && !place.isThere && Spool(home).waiting().isEmpty)
        #expect(try checkpoint.judgeDelivered(run, movingTo: place) == .notStored)
        #expect(!run.isThere && place.isThere)
        #expect(Spool(home).waiting().map(\.id) == [id])
        let other = try staged()
        #expect(try checkpoint.judgeDelivered(other, movingTo: place) == .notStored)
        #expect(other.isThere && place.isThere)
        #expect(Spool(home).waiting().map(\.id) == [id])
    }

    @Test func `what got the place of a run while that was judged keeps it`() throws {
        let folder = try TestFolder()
        let checkpoint = Self.checkpoint(folder)
        let home = checkpoint.home
        home.prepare()
        let run = RunDirectory(path: try folder.seededRun("Mixed"))
        let id = try run.manifest().id
        let place = RunDirectory(path: home.runDirectory(project: "Mixed", id: id))
        try FileManager.default.createDirectory(
            atPath: (place.path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        let other = "\(folder.path)/other"
        try FileManager.default.copyItem(atPath: run.path, toPath: other)
        let text = try String(contentsOfFile: "\(other)/manifest.json", encoding: .utf8)
        try text.replacing("\"package\": \"Mixed\"", with: "\"package\": \"Other\"")
            .write(toFile: "\(other)/manifest.json", atomically: true, encoding: .utf8)
        let answer = try checkpoint.judgeDelivered(run, movingTo: place) {
            try FileManager.default.copyItem(atPath: other, toPath: place.path)
        }
        #expect(answer == .notStored)
        #expect(run.isThere && Spool(home).waiting().isEmpty)
        #expect(try place.manifest().package == "Other")
        let stored = try home.hasStore ? RunStore.reading(home.database).summary(of: id)?.package : nil
        #expect(stored == nil)
    }

    @Test func `of two that deliver other bytes under one id at once, the second is told so`() throws {
        let folder = try TestFolder()
        let checkpoint = Self.checkpoint(folder)
        let blobs = BlobStore(path: checkpoint.home.blobs)
        func sender(_ name: String) -> DeliverySender {
            DeliverySender(
                record: DeliveryRecord(token: name, isAttested: false, receivedAt: SampleRuns.moment, address: nil),
                identity: name)
        }
        let (one, two) = (sender("laptop-1"), sender("laptop-2"))
        let (hasBegun, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let judgings = Mutex(0)
        let intake = DeliveryIntake(checkpoint: checkpoint, blobs: blobs, objects: nil) { path, place, _ in
            let count = judgings.withLock { count in
                count += 1
                return count
            }
            if count == 1 {
                hasBegun.signal()
                _ = mayEnd.wait(timeout: .now() + 60)
            }
            return try checkpoint.judgeDelivered(
                RunDirectory(path: path), movingTo: place.map { RunDirectory(path: $0) })
        }
        let (id, first) = try Self.send("Red", blobs, as: one, from: folder)
        let (_, second) = try Self.send("Green", blobs, as: two, from: folder)
        let answers = Mutex<[String: Result<DeliveryReceipt, any Error>]>([:])
        let ended = DispatchGroup()
        for (delivery, sender) in [(first, one), (second, two)] {
            ended.enter()
            Thread.detachNewThread {
                let answer = Result { try intake.take(id, delivery, from: sender) }
                answers.withLock { $0[sender.identity] = answer }
                ended.leave()
            }
            if sender == one { _ = hasBegun.wait(timeout: .now() + 60) }
        }
        // Long enough for a second one that does not wait.
        usleep(300_000)
        mayEnd.signal()
        ended.wait()
        let stored = try answers.withLock { $0["laptop-1"] }?.get()
        #expect(stored == DeliveryReceipt(.stored, decision: "passed"))
        #expect(throws: DeliveryRefusal.conflict("there is a run of this id with another manifest")) {
            try answers.withLock { $0["laptop-2"] }?.get()
        }
        let directory = RunDirectory(path: checkpoint.home.runDirectory(project: first.project, id: id))
        #expect(try directory.manifest().package == "Red")
        #expect(try directory.delivery()?.token == "laptop-1")
        #expect(judgings.withLock { $0 } == 1)
    }

    @Test(arguments: ["tests", "measured files", "executable lines"])
    func `a delivered run with too much of a kind is refused, and one of this machine is not`(kind: String) throws {
        var limits = DeliveredRunLimits()
        switch kind {
        case "tests": limits.tests = 1
        case "measured files": limits.files = 1
        default: limits.lines = 1
        }
        let folder = try TestFolder()
        let checkpoint = Self.checkpoint(folder)
        let blobs = BlobStore(path: checkpoint.home.blobs)
        let sender = DeliverySender(
            record: DeliveryRecord(token: "ci", isAttested: true, receivedAt: SampleRuns.moment, address: nil),
            identity: "ci")
        let intake = DeliveryIntake(checkpoint: checkpoint, blobs: blobs, objects: nil) { [limits] path, place, _ in
            try checkpoint.judgeDelivered(
                RunDirectory(path: path), movingTo: place.map { RunDirectory(path: $0) }, limits: limits)
        }
        let (id, delivery) = try Self.send("Many", blobs, as: sender, from: folder)
        let refusal = #expect(throws: DeliveryRefusal.self) { try intake.take(id, delivery, from: sender) }
        guard case .impossible(let reason)? = refusal else {
            Issue.record("\(String(describing: refusal))")
            return
        }
        #expect(
            reason.hasPrefix("the run has ") && reason.hasSuffix(" \(kind), the limit of one that is delivered is 1"))
        let directory = RunDirectory(path: checkpoint.home.runDirectory(project: delivery.project, id: id))
        #expect(!directory.isThere && Spool(checkpoint.home).waiting().isEmpty)
        let own = RunDirectory(path: try folder.seededRun("Mixed"))
        #expect(try checkpoint.judgeDelivered(own, limits: limits) == .judged(.passed))
    }

    @Test func `a delivered run has so many failed tests at most, and a verdict of so many bytes`() throws {
        let run = SampleRuns.failing()
        let verdict = try Verdict(judging: run, by: Policy())
        var limits = DeliveredRunLimits()
        #expect(limits.fault(of: run) == nil)
        try limits.check(verdict)
        limits.failures = run.tests.count { $0.outcome.isFailure } - 1
        #expect(limits.fault(of: run)?.contains(" failed test") == true)
        limits.verdict = 100
        #expect(throws: EvidenceError.self) { try limits.check(verdict) }
    }

    @Test func `who has read the manifest of a run judges and stores it without reading that again`() throws {
        let folder = try TestFolder()
        let checkpoint = Self.checkpoint(folder)
        let directory = try RunDirectory(path: folder.seededRun("Mixed")).remembered()
        try FileManager.default.removeItem(atPath: "\(directory.path)/manifest.json")
        #expect(throws: EvidenceError.self) { try RunDirectory(path: directory.path).manifest() }
        #expect(try checkpoint.judgeDelivered(directory) == .judged(.passed))
        #expect(try RunStore.reading(checkpoint.home.database).summary(of: directory.manifest().id) != nil)
    }
}
