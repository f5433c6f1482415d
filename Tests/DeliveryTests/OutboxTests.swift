import Evidence
import FaultServer
import Foundation
import RunModel
import Synchronization
import TestSupport
import Testing

@testable import Delivery

/// The runs that wait, and their way out.
@Suite struct OutboxTests {
    private let folder: TemporaryFolder
    private let sample: SampleRun
    private let outbox: Outbox

    init() throws {
        folder = try TemporaryFolder()
        sample = SampleRun(folder: folder)
        outbox = Outbox(folder: "\(folder.path)/outbox")
    }

    /// Writes runs and records them.
    private func record(_ numbers: [UInt64]) throws {
        for number in numbers { try outbox.add(SampleRun.id(number), at: try sample.write(number).path) }
    }

    /// Sends what waits.
    ///
    /// The time that a server may make no progress is long: beside a thousand other tests a request takes seconds or minutes.
    private func send(
        to server: FaultServer, timeout: Duration = .seconds(600), limit: Duration? = nil, retries: Bool = true,
        retriesRefused: Bool = false
    ) async throws -> OutboxSender.Report {
        let (outbox, address) = (outbox, try ServerAddress(server.address))
        return try await DeliveryClient.with(
            address, token: FaultServer.token, proxies: ProxySettings([:]),
            machine: MachineReport(host: nil, version: "0")
        ) { client throws(DeliveryError) in
            await OutboxSender(outbox, to: client, retries: retries, retriesRefused: retriesRefused) { $0.lowerBound }
                .send(timeout: timeout, limit: limit)
        }
    }

    @Test func `a run waits once, under its own name, and only its owner can read that`() throws {
        #expect(try outbox.add(SampleRun.id(1), at: "/a"))
        #expect(try !outbox.add(SampleRun.id(1), at: "/b"))
        #expect(outbox.entries == [.init(id: SampleRun.id(1), runDirectory: "/a", refusal: nil)])
        let names = try FileManager.default.contentsOfDirectory(atPath: outbox.folder)
        #expect(names == [SampleRun.id(1).description])
        var status = stat()
        #expect(stat("\(outbox.folder)/\(names[0])", &status) == 0 && status.st_mode & 0o777 == 0o600)
        #expect(stat(outbox.folder, &status) == 0 && status.st_mode & 0o777 == 0o700)
    }

    @Test func `runs that wait reach one of several servers, and a connection that is cut begins anew`() async throws {
        let server = try await FaultServer(members: 3)
        let sources = (0..<20).map { "let number = \($0)\n" }
        for number in [UInt64(1), 2, 3] {
            try outbox.add(SampleRun.id(number), at: try sample.write(number, sources: sources).path)
        }
        server.fail { _, number in [30, 60].contains(number) ? .cut : nil }
        let report = try await send(to: server)
        #expect(report.waiting == 0 && report.failure == nil && report.delivered.count == 3)
        #expect(server.stored.count == 3 && server.stored.values.allSatisfy { $0 == 1 })
        try await server.stop()
    }

    @Test func `what is no entry is passed over`() throws {
        try outbox.add(SampleRun.id(1), at: "/a")
        try folder.write("{", to: "outbox/\(SampleRun.id(2))")
        try folder.write("{}", to: "outbox/other")
        #expect(mkfifo("\(outbox.folder)/\(SampleRun.id(3))", 0o600) == 0)
        #expect(outbox.entries.map(\.id) == [SampleRun.id(1)])
    }

    @Test func `what a killed command left half written goes after an hour, and nothing else does`() throws {
        try outbox.add(SampleRun.id(1), at: "/a")
        try folder.write("{", to: "outbox/\(SampleRun.id(2)).new-1f")
        outbox.removeUnfinished(now: Date())
        #expect(try FileManager.default.contentsOfDirectory(atPath: outbox.folder).count == 2)
        outbox.removeUnfinished(now: Date() + 3_700)
        #expect(try FileManager.default.contentsOfDirectory(atPath: outbox.folder) == ["\(SampleRun.id(1))"])
    }

    @Test func `a full or forbidden folder is an error, not a lost run`() throws {
        try folder.write("", to: "file")
        #expect(throws: OutboxError.self) { try Outbox(folder: "\(folder.path)/file").add(SampleRun.id(1), at: "/a") }
    }

    @Test func `only one process has a run, until it lets go`() throws {
        try outbox.add(SampleRun.id(1), at: "/a")
        var claim = try #require(outbox.claim(SampleRun.id(1)))
        #expect(outbox.claim(SampleRun.id(1)) == nil)
        claim.refuse("no")
        #expect(outbox.entries.first?.refusal == "no")
        // The other process sees the new file while the old one is held.
        claim = try #require(outbox.claim(SampleRun.id(1)))
        claim.remove()
        #expect(outbox.claim(SampleRun.id(1)) == nil && outbox.entries.isEmpty)
    }

    @Test func `runs are sent the oldest first, and are gone from the outbox`() async throws {
        let server = try await FaultServer()
        try record([3, 1, 2])
        let report = try await send(to: server)
        #expect(report.delivered.map(\.id) == [1, 2, 3].map(SampleRun.id))
        #expect(report.waiting == 0 && report.failure == nil && outbox.entries.isEmpty)
        try await server.stop()
    }

    @Test func `faults of a server delay runs, and each is stored once`() async throws {
        let server = try await FaultServer()
        try record(Array(1...6))
        let faults: [FaultServer.Fault] = [
            .cut, .status(503), .status(429, ["Retry-After": "0"]), .status(500), .status(507), .late(milliseconds: 20),
        ]
        // Every third request fails, each time in another way.
        server.fail { _, number in number % 3 == 0 ? faults[number / 3 % faults.count] : nil }
        let report = try await send(to: server)
        #expect(report.waiting == 0 && report.refused.isEmpty)
        #expect(server.stored.count == 6 && server.stored.values.allSatisfy { $0 == 1 })
        try await server.stop()
    }

    @Test func `an answer that is lost costs a question, not a second run`() async throws {
        let server = try await FaultServer()
        try record([1])
        let seen = Counter()
        // The run is stored, and its answer never arrives.
        server.fail { request, _ in request.isOffer && seen.next() == 2 ? .late(milliseconds: 60_000) : nil }
        #expect(try await send(to: server, timeout: .milliseconds(500), retries: false).waiting == 1)
        server.recover()
        #expect(try await send(to: server).delivered.count == 1)
        #expect(server.stored == [SampleRun.id(1).description: 1])
        try await server.stop()
    }

    @Test func `a refused run is told, kept, and offered again only when asked`() async throws {
        let server = try await FaultServer()
        try record([1, 2])
        let bad = SampleRun.id(1).description
        server.fail { request, _ in request.line.hasSuffix(bad) ? .status(403, body: #"{"error":"not yours"}"#) : nil }
        let report = try await send(to: server)
        #expect(report.refused.map(\.id) == [SampleRun.id(1)] && report.delivered.map(\.id) == [SampleRun.id(2)])
        #expect(outbox.entries.map(\.refusal) == ["not yours (403)"] && !outbox.isWaiting)
        let count = server.requests.count
        #expect(try await send(to: server) == OutboxSender.Report())
        #expect(server.requests.count == count)
        server.recover()
        #expect(try await send(to: server, retriesRefused: true).delivered.map(\.id) == [SampleRun.id(1)])
        try await server.stop()
    }

    @Test func `a wrong token ends the sending at once, and all runs wait`() async throws {
        let server = try await FaultServer()
        try record([1, 2, 3])
        server.fail { _, _ in .status(401) }
        let report = try await send(to: server)
        #expect(report.waiting == 3 && report.failure?.kind == .settings && server.requests.count == 1)
        try await server.stop()
    }

    @Test func `without retries a server that is away is asked once`() async throws {
        let server = try await FaultServer()
        try record([1, 2])
        server.fail { _, _ in .status(503) }
        let report = try await send(to: server, retries: false)
        #expect(report.waiting == 2 && report.failure?.kind == .later && server.requests.count == 1)
        try await server.stop()
    }

    @Test func `one run that breaks the server does not hold up the others`() async throws {
        let server = try await FaultServer()
        try record([1, 2])
        let bad = SampleRun.id(1).description
        server.fail { request, _ in request.line.hasSuffix(bad) ? .status(500) : nil }
        let report = try await send(to: server, retries: false)
        #expect(report.delivered.map(\.id) == [SampleRun.id(2)] && report.waiting == 1)
        try await server.stop()
    }

    @Test func `the limit of all ends the attempts, however long a server may make no progress`() async throws {
        let server = try await FaultServer()
        try record([1])
        server.fail { _, _ in .status(503) }
        let report = try await send(to: server, timeout: .seconds(86_400), limit: .seconds(1))
        #expect(report.waiting == 1 && report.delivered.isEmpty)
        try await server.stop()
    }

    @Test func `a run whose directory is gone is told as lost, once`() async throws {
        let server = try await FaultServer()
        try outbox.add(SampleRun.id(1), at: "\(folder.path)/nowhere")
        #expect(try await send(to: server).lost == [SampleRun.id(1)])
        #expect(outbox.entries.isEmpty)
        try await server.stop()
    }

    @Test func `several senders at a time deliver each run once`() async throws {
        let server = try await FaultServer()
        try record(Array(1...8))
        server.fail { _, _ in .late(milliseconds: 5) }
        let reports = try await withThrowingTaskGroup(of: OutboxSender.Report.self) { group in
            for _ in 0..<4 { group.addTask { try await send(to: server) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(reports.flatMap(\.delivered).map(\.id).sorted() == (1...8).map(SampleRun.id))
        #expect(reports.allSatisfy { $0.waiting == 0 })
        #expect(server.stored.values.allSatisfy { $0 == 1 })
        try await server.stop()
    }
}

/// Counts calls.
private final class Counter: Sendable {
    private let value = Mutex(0)

    func next() -> Int {
        value.withLock {
            $0 += 1
            return $0
        }
    }
}
