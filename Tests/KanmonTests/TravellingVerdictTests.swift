import Foundation
import RunModel
import Subprocess
import Testing

@testable import Delivery

/// Verdicts from machine to machine: CI delivers a run to a server, and a laptop asks it, each a process with a home of its own.
@Suite struct TravellingVerdictTests {
    private let repository: SampleRepository
    private let server: Program
    private let ci: Program
    private let address: String

    init() async throws {
        repository = try await SampleRepository()
        server = Program(folder: try TestFolder())
        ci = Program(folder: try TestFolder())
        address = "http://127.0.0.1:\(try Self.freePort())"
    }

    private var laptop: Program { Program(folder: repository.folder) }

    private static func freePort() throws -> UInt16 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var place = sockaddr_in()
        place.sin_family = sa_family_t(AF_INET)
        place.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = withUnsafeMutablePointer(to: &place) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 ? getsockname(descriptor, $0, &length) : -1
            }
        }
        try #require(code == 0)
        return UInt16(bigEndian: place.sin_port)
    }

    private func token(_ name: String, _ scope: String) async throws -> String {
        let made = try await server.run(["token", "create", name, "--scope", scope, "--project", "*"])
        try #require(made.status == 0)
        return made.output.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Runs the server while `body` talks to it.
    private func serving(_ secret: String, _ body: @escaping @Sendable () async throws -> Void) async throws {
        let address = try ServerAddress(address)
        let outcome = try await server.run(Program.serve + ["--port", "\(address.port)"]) { send in
            do {
                try await Self.wait(for: address, secret)
                try await body()
            } catch {
                try send(.terminate)
                throw error
            }
            try send(.terminate)
        }
        #expect(outcome.status == 0)
    }

    private static func wait(for address: ServerAddress, _ secret: String) async throws {
        for _ in 0..<600 {
            let identity = try? await DeliveryClient.with(
                address, token: secret, proxies: ProxySettings([:]), machine: MachineReport(host: nil, version: "0")
            ) { client throws(DeliveryError) in try await client.whoAmI(until: .now + .seconds(5)) }
            if identity != nil { return }
            try await Task.sleep(for: .milliseconds(50))
        }
        throw ServerProbe.Unreachable()
    }

    /// Delivers a recorded run of the commit with a token.
    private func deliver(
        _ run: String, with secret: String, number: UInt64 = 1, ago seconds: Double = 60
    ) async throws {
        let directory = try await repository.run(run, at: Date() - seconds, number: number)
        var sender = ci
        sender.variables = ["KANMON_SERVER": address, "KANMON_TOKEN": secret, "CI": "true"]
        let outcome = try await sender.run(["ingest", directory, "--exit-zero"])
        #expect(outcome.messages.contains("kanmon: delivered: "), "\(outcome.messages)")
    }

    private func logIn(_ secret: String, _ more: String...) async throws {
        var program = laptop
        program.variables = ["KANMON_TOKEN": secret]
        let outcome = try await program.run(["login", address] + more)
        #expect(outcome.status == 0, "\(outcome.messages)")
    }

    private func runCommit(_ more: String...) async throws -> Program.Outcome {
        try await laptop.run(["run", "--commit", "HEAD"] + more)
    }

    @Test func `a tree that CI has judged needs no run on a laptop, in a hook or by hand`() async throws {
        let (attest, submit) = (try await token("ci", "attest"), try await token("laptop-3", "submit"))
        try await serving(attest) {
            try await deliver("Mixed", with: attest)
            try await logIn(submit)
            let outcome = try await runCommit()
            #expect(outcome.status == 0, "\(outcome.messages)")
            #expect(outcome.output.hasPrefix("✓ Passed: "))
            #expect(outcome.messages.contains("passed on 127.0.0.1 by token ci"))
            #expect(outcome.messages.contains("no test was run here"))
            var hook = laptop
            let zeros = String(repeating: "0", count: 40)
            hook.variables = ["REFS": "refs/heads/x \(repository.commit) refs/heads/x \(zeros)\n"]
            hook.wrapper = ["sh", "-c", "printf '%s' \"$REFS\" | \"$0\" \"$@\""]
            let pushed = try await hook.run(["hook", "run", "pre-push", "origin", "url"])
            #expect(pushed.status == 0, "\(pushed.messages)")
            #expect(pushed.messages.contains("passed on 127.0.0.1 by token ci"))
            // It is no run of this machine, but its use is recorded.
            #expect(try await laptop.run(["history", "--all"]).status == 64)
            let reused = try await laptop.run(["history", "--all", "--reused"])
            #expect(reused.output.contains(SampleRepository.project) && reused.output.contains(address))
            #expect(reused.output.split(separator: "\n").count == 3)
        }
    }

    @Test func `a verifying hook asks the server of its login`() async throws {
        let (attest, git) = (try await token("ci", "attest"), try await token("git", "submit"))
        let submit = try await token("laptop-3", "submit")
        let zeros = String(repeating: "0", count: 40)
        try await serving(attest) {
            // A run from a laptop is none of the hook's own.
            try await deliver("Mixed", with: submit, number: 7)
            try await logIn(git)
            var hook = laptop
            hook.variables = ["REFS": "\(zeros) \(repository.commit) refs/heads/main\n"]
            hook.wrapper = ["sh", "-c", "printf '%s' \"$REFS\" | \"$0\" \"$@\""]
            let words = ["hook", "run", "pre-receive", "--mode", "verify"]
            let refused = try await hook.run(words)
            #expect(refused.status == 74, "\(refused.messages)")
            try await deliver("Mixed", with: attest, number: 8, ago: 30)
            let passed = try await hook.run(words)
            #expect(passed.status == 0, "\(passed.messages)")
            #expect(passed.messages.contains("by token ci"))
            // A variable chooses no server.
            hook.variables["KANMON_SERVER"] = "http://127.0.0.1:1"
            #expect(try await hook.run(words).status == 0)
        }
    }

    @Test func `whoever only delivers runs the tests`() async throws {
        let (attest, submit) = (try await token("ci", "attest"), try await token("laptop-3", "submit"))
        try await serving(attest) {
            try await deliver("Mixed", with: attest)
            try await logIn(submit, "--deliver-only")
            let own = try await runCommit()
            #expect(!own.messages.contains("no test was run here") && own.status != 0)
        }
    }

    @Test func `what a distrusted token vouched for is withdrawn, listed, and stays so after a rebuild`() async throws {
        let (attest, submit) = (try await token("ci", "attest"), try await token("laptop-3", "submit"))
        let reader = try await token("reader", "read")
        let server = server
        try await serving(reader) {
            try await deliver("Mixed", with: attest)
            try await logIn(submit)
            #expect(try await runCommit().status == 0)
            let withdrawn = try await server.run(["token", "revoke", "ci", "--distrust"])
            #expect(withdrawn.status == 0)
            #expect(withdrawn.output.hasPrefix("revoked 'ci' and withdrew the trust in 1 run\n"))
            #expect(withdrawn.output.contains("main, distrusted"))
            // The server runs on, and knows.
            let after = try await runCommit()
            #expect(!after.messages.contains("no test was run here") && after.status != 0)
        }
        try FileManager.default.removeItem(atPath: "\(server.folder.home)/kanmon.sqlite")
        #expect(try await server.run(["db", "rebuild"]).status == 0)
        #expect(try await server.run(["history", "--all", "--json"]).output.contains("\"trust\":\"distrusted\""))
        #expect(try await server.run(["token", "list"]).output.contains("distrusted"))
        try await serving(reader) {
            #expect(try await runCommit().status != 0)
            // Somebody who is trusted may vouch for the same bytes.
            let other = try await token("ci-2", "attest")
            var sender = ci
            sender.variables = ["KANMON_SERVER": address, "KANMON_TOKEN": other]
            #expect(try await sender.run(["push", "--all"]).status == 0)
            let again = try await runCommit()
            #expect(again.messages.contains("by token ci-2"), "\(again)")
        }
    }

    @Test func `a server with another key than at the login is not believed`() async throws {
        let (attest, submit) = (try await token("ci", "attest"), try await token("laptop-3", "submit"))
        try await serving(attest) {
            try await deliver("Mixed", with: attest)
            try await logIn(submit)
        }
        try FileManager.default.removeItem(atPath: "\(server.folder.home)/server.key")
        try await serving(attest) {
            let outcome = try await runCommit()
            #expect(outcome.messages.contains("it is not signed with the server's key"))
            #expect(outcome.status != 0)
            try await logIn(submit)
            let again = try await runCommit()
            #expect(again.status == 0, "\(again)")
        }
        let away = try await runCommit()
        #expect(away.messages.contains("kanmon: no verdict from \(address): ") && away.status != 0, "\(away)")
    }
}
