import Evidence
import FaultServer
import Foundation
import RunModel
import TestSupport
import Testing

@testable import Delivery

/// What a machine says of itself to its server.
@Suite struct MachineReportTests {
    private let folder: TemporaryFolder
    private let sample: SampleRun
    private let outbox: Outbox

    init() throws {
        folder = try TemporaryFolder()
        sample = SampleRun(folder: folder)
        outbox = Outbox(folder: "\(folder.path)/outbox")
    }

    private func with<Value: Sendable>(
        _ server: FaultServer, host: String?, _ body: (DeliveryClient) async throws(DeliveryError) -> Value
    ) async throws -> Value {
        let machine = MachineReport(host: host, version: "1.2.3", outbox: outbox)
        return try await DeliveryClient.with(
            try ServerAddress(server.address), token: FaultServer.token, proxies: ProxySettings([:]), machine: machine,
            body)
    }

    @Test func `every call names the machine, its version, and how many other runs wait`() async throws {
        let server = try await FaultServer()
        let directory = try sample.write(1)
        for number: UInt64 in 1...3 { try outbox.add(SampleRun.id(number), at: "/a") }
        _ = try await with(server, host: "laptop 3é") { client throws(DeliveryError) in
            _ = try await client.whoAmI(until: .now + .seconds(600))
            return try await client.deliver(SampleRun.id(1), in: directory, until: .now + .seconds(600))
        }
        let claims = { (isOffer: Bool) in Set(server.requests.filter { $0.isOffer == isOffer }.map(\.claim)) }
        #expect(claims(true) == [["kanmon/1.2.3", "laptop%203%C3%A9", "2"]])
        #expect(claims(false) == [["kanmon/1.2.3", "laptop%203%C3%A9", "3"]])
        try await server.stop()
    }

    @Test func `a machine without a name says nothing of it`() async throws {
        let server = try await FaultServer()
        _ = try await with(server, host: nil) { client throws(DeliveryError) in
            try await client.whoAmI(until: .now + .seconds(600))
        }
        #expect(server.requests.map(\.claim) == [["kanmon/1.2.3", "", "0"]])
        try await server.stop()
    }

    @Test func `how a run goes is told as it is`() async throws {
        let server = try await FaultServer()
        var run = LiveRun(
            runID: SampleRun.id(1), project: "kit", revision: nil,
            startedAt: Date(timeIntervalSince1970: 1_767_323_045),
            folder: "", isPartial: false)
        run.progress.failures = ["a", "é\u{301}"]
        run.expected = ExpectedTime(medianOf: [.milliseconds(1500)])
        let told = run
        try await with(server, host: "a") { client throws(DeliveryError) in
            try await client.tell(told, until: .now + .seconds(600))
        }
        #expect(server.told == [run])
        #expect(server.requests.map(\.line) == ["PUT /api/v1/live/\(run.runID)"])
        try await server.stop()
    }
}
