import Evidence
import FaultServer
import Foundation
import RunModel
import TestSupport
import Testing

@testable import Delivery

/// One run on its way to a server.
@Suite struct DeliveryClientTests {
    private let folder: TemporaryFolder
    private let sample: SampleRun

    init() throws {
        folder = try TemporaryFolder()
        sample = SampleRun(folder: folder)
    }

    /// The time for what a server answers: beside a thousand other tests a request takes seconds or minutes, and a deadline that comes
    /// first would hide what is told.
    private static let ample = Duration.seconds(600)

    /// Delivers a run with one client, once.
    private func deliver(
        _ directory: RunDirectory, to server: FaultServer, token: String = FaultServer.token,
        within time: Duration = Self.ample
    ) async throws(DeliveryError) -> DeliveredRun {
        let id: RunID
        do { id = try directory.manifest().id } catch { throw DeliveryError(.unreadable, "\(error)") }
        let address: ServerAddress
        do { address = try ServerAddress(server.address) } catch { throw DeliveryError(.settings, "\(error)") }
        return try await DeliveryClient.with(
            address, token: token, proxies: ProxySettings([:]), machine: MachineReport(host: nil, version: "0")
        ) {
            client throws(DeliveryError) in try await client.deliver(id, in: directory, until: .now + time)
        }
    }

    /// The error of a delivery.
    private func failure(
        _ directory: RunDirectory, to server: FaultServer, token: String = FaultServer.token,
        within time: Duration = Self.ample
    ) async -> DeliveryError? {
        do throws(DeliveryError) {
            _ = try await deliver(directory, to: server, token: token, within: time)
            return nil
        } catch {
            return error
        }
    }

    @Test func `every file that the manifest names is sent once, and the run is stored`() async throws {
        let server = try await FaultServer()
        let directory = try sample.write(1, sources: ["a\n", "b\n", "a\n"])
        let run = try await deliver(directory, to: server)
        #expect(run.page == "\(server.address)/runs/\(SampleRun.id(1))")
        #expect(run.decision == "passed" && !run.isKnown)
        // The manifest, the log and two different sources.
        #expect(run.sentFiles == 4)
        #expect(server.blobs.count == 4 && server.blobs.values.allSatisfy { $0 == 1 })
        #expect(Set(server.blobs.keys) == Set(try directory.files().map(\.sha256)))
        #expect(run.sentBytes == server.requests.filter(\.isBlob).reduce(0) { $0 + $1.size })
        #expect(server.stored == [SampleRun.id(1).description: 1])
        try await server.stop()
    }

    @Test func `a second run sends only what changed, and a known run nothing`() async throws {
        let server = try await FaultServer()
        let first = try sample.write(1)
        _ = try await deliver(first, to: server)
        let run = try await deliver(try sample.write(2), to: server)
        #expect(run.sentFiles == 2)
        let fresh = ["manifest.json", "passes/log.txt"]
        let sizes = try RunDirectory(path: "\(sample.folder.path)/runs/\(run.id)").files()
            .filter { fresh.contains($0.path) }.map(\.size)
        #expect(run.sentBytes == sizes.reduce(0, +))
        let known = try await deliver(first, to: server)
        #expect(known.isKnown && known.sentFiles == 0)
        #expect(server.blobs.values.allSatisfy { $0 == 1 })
        try await server.stop()
    }

    @Test func `a file of many pieces arrives whole, and an empty one too`() async throws {
        let server = try await FaultServer()
        let directory = try sample.write(1, log: String(repeating: "0123456789", count: 200_000), sources: [""])
        let run = try await deliver(directory, to: server)
        #expect(run.sentFiles == 3 && run.sentBytes > 2_000_000)
        try await server.stop()
    }

    @Test func `an address that refuses the connection is told at once`() async throws {
        let server = try await FaultServer()
        let address = try ServerAddress(server.address)
        try await server.stop()
        await #expect(throws: DeliveryError(.later, "it cannot be reached: connection refused")) {
            try await DeliveryClient.with(
                address, token: "kanmon_x", proxies: ProxySettings([:]), machine: MachineReport(host: nil, version: "0")
            ) { client throws(DeliveryError) in try await client.whoAmI(until: .now + Self.ample) }
        }
    }

    @Test func `authorities that cannot be read are named as the fault, and not the server`() async throws {
        let address = try ServerAddress("https://kanmon.invalid")
        let proxies = ProxySettings(["SSL_CERT_FILE": "/nowhere/authorities.pem"])
        let reason = "SSL_CERT_FILE names a file that cannot be read: no such file or directory"
        await #expect(throws: DeliveryError(.settings, reason)) {
            try await DeliveryClient.with(
                address, token: "kanmon_x", proxies: proxies, machine: MachineReport(host: nil, version: "0")
            ) { client throws(DeliveryError) in try await client.whoAmI(until: .now + Self.ample) }
        }
    }

    @Test(arguments: [
        (408, DeliveryError.Kind.later), (429, .later), (502, .later), (503, .later), (507, .later), (500, .failed),
        (401, .settings), (404, .settings), (301, .settings), (307, .settings),
        (400, .refused), (403, .refused), (409, .refused), (411, .refused), (413, .refused), (422, .refused),
    ])
    func `each status says what can be done`(_ status: Int, _ kind: DeliveryError.Kind) async throws {
        let server = try await FaultServer()
        server.fail { request, _ in request.isOffer ? .status(status, ["Retry-After": "7"]) : nil }
        let error = try #require(await failure(try sample.write(1), to: server))
        #expect(error.kind == kind)
        #expect(error.reason.contains("\(status)"))
        if kind == .later { #expect(error.retryAfter == .seconds(7)) }
        try await server.stop()
    }

    @Test func `what a server says is told, and no more than a sentence of it`() async throws {
        let server = try await FaultServer()
        let long = String(repeating: "x", count: 10_000)
        server.fail { _, _ in .status(409, body: #"{"error":"\#(long)","hint":"rename it"}"#) }
        let error = try #require(await failure(try sample.write(1), to: server))
        #expect(error.hint == "rename it")
        #expect(error.reason.count < 400)
        server.fail { _, _ in .status(200, body: "<html>a portal</html>") }
        #expect(await failure(try sample.write(2), to: server)?.kind == .settings)
        try await server.stop()
    }

    @Test func `a redirect is not followed, so that the token goes nowhere else`() async throws {
        let (server, other) = (try await FaultServer(), try await FaultServer())
        let target = other.address
        server.fail { _, _ in .status(307, ["Location": "\(target)/api/v1/runs"]) }
        #expect(await failure(try sample.write(1), to: server)?.kind == .settings)
        #expect(server.requests.count == 1 && other.requests.isEmpty)
        try await server.stop()
        try await other.stop()
    }

    @Test func `a connection that is cut may be tried again`() async throws {
        let server = try await FaultServer()
        server.fail { request, _ in request.isBlob ? .cut : nil }
        let directory = try sample.write(1)
        #expect(await failure(directory, to: server)?.kind == .later)
        server.recover()
        // A file that was under way when the server recovered is there already.
        #expect(try await deliver(directory, to: server).sentFiles <= 3)
        #expect(server.stored.values.elementsEqual([1]))
        try await server.stop()
        #expect(await failure(directory, to: server)?.kind == .later)
    }

    @Test func `a server that does not answer is left at the deadline`() async throws {
        let server = try await FaultServer()
        server.fail { _, _ in .late(milliseconds: 900_000) }
        let directory = try sample.write(1)
        let begin = ContinuousClock.now
        #expect(await failure(directory, to: server, within: .milliseconds(200))?.kind == .later)
        // Long before it answers, however busy the machine is.
        #expect(ContinuousClock.now - begin < .seconds(600))
        try await server.stop()
    }

    @Test func `a server that forgets what it is sent, or asks for what no run has, ends the attempt`() async throws {
        let server = try await FaultServer()
        server.fail { request, _ in request.isBlob ? .forget : nil }
        let error = try #require(await failure(try sample.write(1), to: server))
        #expect(error.kind == .failed && error.reason.contains("again and again"))
        server.fail { request, _ in
            request.isOffer ? .status(202, body: #"{"state":"incomplete","missing":["00"]}"#) : nil
        }
        let unknown = try #require(await failure(try sample.write(2), to: server))
        #expect(unknown.reason == "it asks for files that the run does not have")
        try await server.stop()
    }

    @Test func `where connections lead to several servers, one of them gets the whole run`() async throws {
        let server = try await FaultServer(members: 3)
        let sources = (0..<40).map { "let number = \($0)\n" }
        let run = try await deliver(try sample.write(1, sources: sources), to: server)
        #expect(run.decision == "passed" && server.stored == [SampleRun.id(1).description: 1])
        // What went elsewhere first is sent once more, and not again and again.
        #expect(server.blobs.count == 42 && server.blobs.values.allSatisfy { $0 <= 2 })
        try await server.stop()
    }

    @Test func `a wrong token is told as such`() async throws {
        let server = try await FaultServer()
        let error = try #require(await failure(try sample.write(1), to: server, token: "kanmon_other"))
        #expect(error.kind == .settings && error.reason.contains("no such token"))
        #expect(await failure(try sample.write(2), to: server, token: "two\nlines")?.kind == .settings)
        #expect(server.requests.count == 1)
        try await server.stop()
    }

    @Test func `a damaged run directory is not offered`() async throws {
        let server = try await FaultServer()
        let directory = try sample.write(1)
        try Data("of another length".utf8).write(to: URL(filePath: "\(directory.path)/passes/log.txt"))
        #expect(await failure(directory, to: server)?.kind == .unreadable)
        try FileManager.default.removeItem(atPath: "\(directory.path)/passes/log.txt")
        #expect(await failure(directory, to: server)?.kind == .unreadable)
        #expect(server.requests.isEmpty)
        try await server.stop()
    }

    @Test func `a proxy of the environment is asked, unless the host is exempt`() async throws {
        let proxy = try await FaultServer()
        let address = try ServerAddress("http://kanmon.invalid")
        func ask(_ environment: [String: String]) async -> TokenIdentity? {
            try? await DeliveryClient.with(
                address, token: FaultServer.token, proxies: ProxySettings(environment),
                machine: MachineReport(host: nil, version: "0")
            ) { client throws(DeliveryError) in try await client.whoAmI(until: .now + Self.ample) }
        }
        _ = await ask(["http_proxy": proxy.address])
        #expect(Set(proxy.requests.map(\.line)) == ["CONNECT kanmon.invalid:80"])
        let asked = proxy.requests.count
        #expect(await ask(["http_proxy": proxy.address, "NO_PROXY": "other, .invalid"]) == nil)
        #expect(proxy.requests.count == asked)
        try await proxy.stop()
    }

    @Test(arguments: [
        (
            403,
            DeliveryError(
                .later, "the proxy refuses to connect to it",
                hint: "unset the variable of the proxy, or name the host in no_proxy")
        ),
        (
            407,
            DeliveryError(
                .settings, "the proxy wants to know who asks (407)",
                hint: "write name and password into the variable of the proxy: http://NAME:PASSWORD@HOST:PORT")
        ),
    ])
    func `a proxy that refuses is told as such, at once, with what to do`(
        _ status: Int, _ expected: DeliveryError
    ) async throws {
        let proxy = try await FaultServer()
        proxy.fail { _, _ in .status(status) }
        let address = try ServerAddress("http://kanmon.invalid")
        await #expect(throws: expected) {
            try await DeliveryClient.with(
                address, token: "kanmon_x", proxies: ProxySettings(["http_proxy": proxy.address]),
                machine: MachineReport(host: nil, version: "0")
            ) { client throws(DeliveryError) in try await client.whoAmI(until: .now + Self.ample) }
        }
        #expect(proxy.requests.map(\.line) == ["CONNECT kanmon.invalid:80"])
        try await proxy.stop()
    }
}
