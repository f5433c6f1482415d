import FaultServer
import Foundation
import RunModel
import Subprocess
import TestSupport
import Testing

extension SlowTests {
    /// Runs that tell a server how they go.
    @Suite struct LiveReportTests {
        private let server: Program
        private let port: UInt16
        private let folder: TestFolder

        init() throws {
            server = Program(folder: try TestFolder())
            port = try ServerProbe.freePort()
            folder = try TestFolder()
        }

        private func token(_ name: String, _ scope: String) async throws -> String {
            let made = try await server.run(["token", "create", name, "--scope", scope, "--project", "*"])
            try #require(made.status == 0)
            return made.output.trimmingCharacters(in: .whitespacesAndNewlines)
        }

        private func machine(_ address: String, _ token: String) -> Program {
            Program(folder: folder, variables: ["KANMON_SERVER": address, "KANMON_TOKEN": token])
        }

        /// Runs the server while `body` talks to it.
        private func serving(_ body: (ServerProbe) async throws -> Void) async throws {
            let probe = ServerProbe(port: port)
            let outcome = try await server.run(Program.serve + ["--port", "\(port)"]) { send in
                do {
                    try await probe.wait()
                    try await body(probe)
                } catch {
                    try? send(.terminate)
                    throw error
                }
                try send(.terminate)
            }
            #expect(outcome.status == 0)
        }

        /// Waits until something is so.
        private func wait(for what: String, _ isSo: () throws -> Bool) async throws {
            let begin = ContinuousClock.now
            while ContinuousClock.now - begin < .seconds(180) {
                if try isSo() { return }
                try await Task.sleep(for: .milliseconds(50))
            }
            Issue.record("waited in vain until \(what)")
        }

        @Test func `a run is seen on the server while it goes on elsewhere, and as a run once it is delivered`()
            async throws
        {
            let (secret, reader) = (try await token("ci", "attest"), try await token("reader", "read"))
            let machine = machine("http://127.0.0.1:\(port)", secret)
            let package = try TestFolder.package("Sleeping")
            try await serving { probe in
                let words = ["run", "--package-path", package, "--deliver-working-copies"]
                let outcome = try await machine.run(words) { send in
                    try await wait(for: "the server shows a test") {
                        try probe.send("GET", "/", token: reader).body.contains("Testing")
                    }
                    let home = try probe.send("GET", "/", token: reader).body
                    #expect(home.contains("Running now") && home.contains(", token ci"))
                    try send(.interrupt)
                }
                #expect(outcome.status == 130)
                let id = try #require(
                    try FileManager.default.contentsOfDirectory(atPath: "\(folder.home)/outbox").first)
                let live = try probe.send("GET", "/runs/\(id)/live", token: reader)
                #expect(live.status == 200 && live.body.contains("The log is on the machine"))
                #expect(try probe.send("GET", "/machines.json", token: reader).body.contains("\"runs\":0"))
                #expect(try await machine.run(["push"]).status == 0)
                #expect(try probe.send("GET", "/runs/\(id)/live", token: reader).status == 302)
                #expect(try !probe.send("GET", "/", token: reader).body.contains("Running now"))
            }
            // Another server process knows the machine from the file.
            try await serving { probe in
                let machines = try probe.send("GET", "/machines.json", token: reader).body
                #expect(machines.contains("\"runs\":1") && machines.contains("\"waiting\":0"))
                #expect(machines.contains("\"token\":\"ci\"") && machines.contains("\"version\":\""))
            }
        }

        @Test func `a server that does not know of it costs nothing but a line for whoever asks`() async throws {
            let fault = try await FaultServer()
            fault.fail { request, _ in request.isProgress ? .status(404) : nil }
            let package = try TestFolder.package("Sleeping")
            let machine = machine(fault.address, FaultServer.token)
            for more in [["--verbose"], []] {
                let before = fault.requests.count(where: \.isProgress)
                let words = ["run", "--package-path", package, "--deliver-working-copies"]
                let outcome = try await machine.run(words + more) { send in
                    try await wait(for: "it is told") { fault.requests.count(where: \.isProgress) > before }
                    // Time for the answer, on a machine that does much else, and for another call that must not come.
                    try await Task.sleep(for: .seconds(8))
                    try send(.interrupt)
                }
                #expect(outcome.status == 130)
                #expect(
                    outcome.messages.contains("kanmon: the progress was not shown on \(fault.address)") != more.isEmpty)
                // It was told once, and never again.
                #expect(fault.requests.count(where: \.isProgress) == before + 1)
            }
            try await fault.stop()
        }
    }
}
