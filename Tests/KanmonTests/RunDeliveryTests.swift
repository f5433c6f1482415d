import Evidence
import FaultServer
import Foundation
import RunModel
import Subprocess
import TestSupport
import Testing

@testable import Delivery

/// Runs on their way from the program to a server.
@Suite struct RunDeliveryTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    private func program(_ server: FaultServer, _ more: [String: String] = [:]) -> Program {
        let own = ["KANMON_SERVER": server.address, "KANMON_TOKEN": FaultServer.token]
        return Program(folder: folder, variables: own.merging(more) { _, chosen in chosen })
    }

    /// The recorded runs are those of folders outside of git.
    private static let anyway = "--deliver-working-copies"
    /// Time for a delivery that arrives, however busy this machine is.
    private static let ample = ["--delivery-timeout", "600s"]

    private var outbox: Outbox { Outbox(folder: "\(folder.home)/outbox") }
    private var login: String { "\(folder.work)/.config/kanmon/server.json" }

    @Test func `a stored run is delivered, its page is named, and the verdict decides the exit status`() async throws {
        let server = try await FaultServer()
        let words = ["ingest", "\(TestFolder.runs)/Failing", Self.anyway] + Self.ample
        let outcome = try await program(server).run(words)
        #expect(outcome.status == 1)
        let id = try #require(server.stored.keys.first)
        #expect(outcome.messages.contains("kanmon: delivered: \(server.address)/runs/\(id)\n"))
        #expect(outcome.messages.contains("the server judges run"))
        #expect(outbox.entries.isEmpty)
        // It is known here and there: nothing is sent again.
        let count = server.requests.count
        #expect(try await program(server).run(words).status == 1)
        #expect(server.requests.count == count)
        try await server.stop()
    }

    @Test func `without a server nothing waits`() async throws {
        #expect(try await Program(folder: folder).run(["ingest", "\(TestFolder.runs)/Mixed"]).messages == "")
        #expect(!FileManager.default.fileExists(atPath: outbox.folder))
    }

    @Test func `a server that is away delays a run, and push sends it`() async throws {
        let server = try await FaultServer()
        server.fail { _, _ in .status(503, body: #"{"error":"away"}"#) }
        let away = try await program(server).run(["ingest", "\(TestFolder.runs)/Failing", Self.anyway])
        #expect(away.status == 1)
        #expect(away.messages.contains("1 run waits for \(server.address): away (503); kanmon push sends it"))
        #expect(outbox.entries.count == 1)
        let pruned = try await program(server).run(["db", "prune", "--keep-days", "1"])
        #expect(pruned.messages.contains("it waits for its delivery"))
        server.recover()
        let pushed = try await program(server).run(["push"])
        #expect(pushed.status == 0 && pushed.output.hasPrefix("delivered 1 run to \(server.address): "))
        #expect(outbox.entries.isEmpty && server.stored.count == 1)
        let again = try await program(server).run(["push", "--all", Self.anyway])
        #expect(again.status == 0 && again.output.contains("0 files, 0 bytes; it knew 1 of them"))
        try await server.stop()
    }

    @Test func `a run that the server refuses is let go as doctor advises`() async throws {
        let server = try await FaultServer()
        server.fail { request, _ in request.isOffer ? .status(422) : nil }
        _ = try await program(server).run(["ingest", "\(TestFolder.runs)/Mixed", Self.anyway] + Self.ample)
        let id = try #require(outbox.entries.first?.id)
        #expect(outbox.entries.first?.refusal == "a fault (422)")
        let told = try await program(server).run(["doctor"])
        #expect(told.output.contains("run \(id.short) is not delivered: a fault (422)"), "\(told.output)")
        #expect(told.output.contains("kanmon push --forget \(id.short) lets it go"), "\(told.output)")
        #expect(try await program(server).run(["push", "--forget", id.short]).status == 0)
        #expect(outbox.entries.isEmpty)
        let well = try await program(server).run(["doctor"])
        #expect(well.output.contains("✓ server: \(server.address), "), "\(well.output)")
        try await server.stop()
    }

    @Test func `a run of a folder outside of git stays here, unless somebody says otherwise`() async throws {
        let server = try await FaultServer()
        let words = ["ingest", "\(TestFolder.runs)/Mixed", "--exit-zero"]
        #expect(try await program(server).run(words).messages == "")
        let pushed = try await program(server).run(["push", "--all"])
        #expect(pushed.status == 0 && pushed.output.hasPrefix("delivered 0 runs to \(server.address): "))
        let other = ["ingest", "\(TestFolder.runs)/Failing", "--exit-zero", "--require-delivery"]
        let required = try await program(server).run(other)
        #expect(required.status == 74 && required.messages.contains(", which is not delivered to \(server.address)\n"))
        #expect(server.stored.isEmpty && outbox.entries.isEmpty)
        let all = try await program(server).run(["push", "--all", Self.anyway])
        #expect(all.status == 0 && all.output.hasPrefix("delivered 2 runs to \(server.address): "))
        try await server.stop()
    }

    @Test func `a delivery that is required has a status of its own`() async throws {
        let server = try await FaultServer()
        server.fail { _, _ in .status(503) }
        let words = ["ingest", "\(TestFolder.runs)/Mixed", "--require-delivery", "--exit-zero", Self.anyway]
        let refused = try await program(server).run(words + ["--delivery-timeout", "1s"])
        #expect(refused.status == 74)
        server.recover()
        #expect(try await program(server).run(words + Self.ample).status == 0)
        try await server.stop()
    }

    @Test func `in CI a run waits for a server that comes back`() async throws {
        let server = try await FaultServer()
        server.fail { _, number in number <= 2 ? .cut : nil }
        let outcome = try await program(server, ["CI": "true"]).run(
            ["ingest", "\(TestFolder.runs)/Mixed", Self.anyway])
        #expect(outcome.messages.contains("kanmon: delivered: ") && outbox.entries.isEmpty)
        try await server.stop()
    }

    @Test func `a login is kept for its user alone, used, and forgotten`() async throws {
        let server = try await FaultServer()
        let plain = Program(folder: folder)
        let wrong = Program(folder: folder, variables: ["KANMON_TOKEN": "kanmon_wrong"])
        #expect(try await wrong.run(["login", server.address]).status == 78)
        #expect(!FileManager.default.fileExists(atPath: login))
        let right = Program(folder: folder, variables: ["KANMON_TOKEN": FaultServer.token])
        let outcome = try await right.run(["login", server.address])
        #expect(outcome.status == 0)
        #expect(outcome.output.contains("token 'laptop' (submit, projects: *, expires 2027-01-31)"))
        #expect(!outcome.output.contains(FaultServer.token) && !outcome.messages.contains(FaultServer.token))
        let attributes = try FileManager.default.attributesOfItem(atPath: login)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        let delivered = try await plain.run(["ingest", "\(TestFolder.runs)/Mixed", Self.anyway] + Self.ample)
        #expect(delivered.messages.contains("kanmon: delivered: "))
        #expect(try await plain.run(["logout"]).status == 0)
        #expect(!FileManager.default.fileExists(atPath: login))
        #expect(try await plain.run(["push"]).status == 64)
        try await server.stop()
    }

    @Test func `the token of a login goes to no other server`() async throws {
        let (server, other) = (try await FaultServer(), try await FaultServer())
        let right = Program(folder: folder, variables: ["KANMON_TOKEN": FaultServer.token])
        #expect(try await right.run(["login", server.address]).status == 0)
        let plain = Program(folder: folder)
        #expect(try await plain.run(["push", "--server", other.address]).status == 78)
        let named = Program(folder: folder, variables: ["KANMON_SERVER": other.address])
        _ = try await named.run(["ingest", "\(TestFolder.runs)/Mixed", Self.anyway])
        #expect(other.requests.isEmpty)
        try await server.stop()
        try await other.stop()
    }

    @Test func `a login that others can read is not used`() async throws {
        let server = try await FaultServer()
        let right = Program(folder: folder, variables: ["KANMON_TOKEN": FaultServer.token])
        #expect(try await right.run(["login", server.address]).status == 0)
        #expect(chmod(login, 0o644) == 0)
        let count = server.requests.count
        let outcome = try await Program(folder: folder).run(["ingest", "\(TestFolder.runs)/Mixed", Self.anyway])
        #expect(outcome.messages.contains("other users can read the token"))
        #expect(server.requests.count == count && outbox.entries.count == 1)
        try await server.stop()
    }

    @Test func `killed at any moment, no stored run is lost and none is stored twice`() async throws {
        let server = try await FaultServer()
        // Every answer takes its time, so that a kill hits all stages of a delivery.
        server.fail { _, _ in .late(milliseconds: 10) }
        let runs = ["BrokenBuild", "Crashing", "Failing", "LowCoverage", "Mixed", "NoTests"]
        var random = SplitMix64(seed: 20_261_125)
        let program = program(server).unmeasured
        // How long a delivery takes where nobody kills it: the longest pause before a kill, on a slow machine too.
        let start = ContinuousClock.now
        #expect(try await program.run(["ingest", "\(TestFolder.runs)/Mixed", Self.anyway]).status <= 74)
        let whole = start.duration(to: .now)
        for round in 0..<24 {
            let run = "\(TestFolder.runs)/\(runs[round % runs.count])"
            let words = (round % 3 == 2 ? ["push", "--all"] : ["ingest", run]) + [Self.anyway]
            let pause = whole * (Double(random.next() % 1000) / 1000)
            let outcome = try await program.run(words) { send in
                try await Task.sleep(for: pause)
                // It may have ended before.
                try? send(.kill)
            }
            #expect(outcome.status == 137 || outcome.status <= 74)
        }
        server.recover()
        let waiting = outbox.entries.map(\.id.description)
        #expect(try await self.program(server).run(["push"]).status == 0)
        #expect(outbox.entries.isEmpty)
        let stored = server.stored
        #expect(stored.values.allSatisfy { $0 == 1 })
        #expect(waiting.allSatisfy { stored[$0] == 1 })
        let history = try await self.program(server).run(["history", "--all", "--json"])
        for id in try Self.ids(in: history.output) { #expect(stored[id] == 1) }
        try await server.stop()
    }

    /// The ids of all runs of a history.
    private static func ids(in json: String) throws -> [String] {
        struct Row: Decodable { let id: String }
        return try JSONDecoder().decode([Row].self, from: Data(json.utf8)).map(\.id)
    }
}
