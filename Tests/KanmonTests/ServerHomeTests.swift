import Foundation
import Subprocess
import Testing

/// The home of a server, its socket, and who may use them.
@Suite struct ServerHomeTests {
    private let program: Program

    init() throws { program = Program(folder: try TestFolder()) }

    private var home: String { program.folder.home }
    private var probe: ServerProbe { ServerProbe(path: "\(program.folder.path)/s") }

    private func makeToken() async throws {
        let made = try await program.run(["token", "create", "ci", "--scope", "attest", "--project", "*"])
        try #require(made.status == 0)
    }

    /// Runs the server while `body` talks to it.
    private func serving(
        _ end: @escaping @Sendable (ServerProbe) async throws -> Void
    ) async throws -> Program.Outcome {
        let probe = probe
        return try await program.run(["serve", "--socket", probe.path]) { send in
            defer { try? send(.terminate) }
            try await probe.wait()
            try await end(probe)
        }
    }

    @Test func `a home has one server, and a socket too`() async throws {
        try await makeToken()
        let other = Program(folder: try TestFolder())
        #expect(try await other.run(["ingest", "\(TestFolder.runs)/Mixed"]).status <= 2)
        let (own, path) = (program, probe.path)
        _ = try await serving { (probe) async throws in
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect(attributes[.posixPermissions] as? Int == 0o660)
            let second = try await own.run(["serve", "--socket", path + "2"])
            #expect(second.status == 74 && second.messages.contains("another server has it"), "\(second.messages)")
            let third = try await other.run(["serve", "--socket", path])
            #expect(third.status == 74 && third.messages.contains("another server listens there"), "\(third.messages)")
            #expect(try probe.send("GET", "/healthz").status == 200)
        }
        try program.folder.write("mine", to: "work/file")
        let fourth = try await program.run(["serve", "--socket", "\(program.folder.work)/file"])
        #expect(fourth.status == 74 && fourth.messages.contains("something else of this name"), "\(fourth.messages)")
        #expect(try String(contentsOfFile: "\(program.folder.work)/file", encoding: .utf8) == "mine")
        // What one that was killed has left is no server.
        _ = try await program.unmeasured.run(["serve", "--socket", path]) { send in
            try await probe.wait()
            try send(.kill)
        }
        #expect(FileManager.default.fileExists(atPath: path))
        let next = try await serving { (probe) async throws in
            let reply = try probe.send("GET", "/healthz")
            #expect(reply.status == 200)
        }
        #expect(next.status == 0)
    }

    /// What the server says until it has said something, and it answers.
    private func messages(until said: String) async throws -> String {
        let file = "\(program.folder.path)/messages"
        var program = program
        let probe = probe
        program.wrapper = ["sh", "-c", #"exec "$@" 2> "$0""#, file]
        func text() -> String { (try? String(contentsOfFile: file, encoding: .utf8)) ?? "" }
        let outcome = try await program.run(["serve", "--socket", probe.path]) { send in
            defer { try? send(.terminate) }
            try await probe.wait()
            for _ in 0..<2400 where !text().contains(said) { try await Task.sleep(for: .milliseconds(50)) }
            let status = try probe.send("GET", "/healthz").status
            #expect(status == 200)
        }
        #expect(outcome.status == 0)
        return text()
    }

    @Test func `a server listens before it looks for runs that the store lacks`() async throws {
        _ = try await program.run(["ingest", "--exit-zero", "\(TestFolder.runs)/Mixed"])
        let (store, older) = ("\(home)/kanmon.sqlite", "\(program.folder.path)/older.sqlite")
        #expect(try await program.run(["db", "backup", older]).status == 0)
        _ = try await program.run(["ingest", "--exit-zero", "\(TestFolder.runs)/Failing"])
        for file in [store, store + "-wal", store + "-shm"] { unlink(file) }
        try FileManager.default.copyItem(atPath: older, toPath: store)
        let said = """
            kanmon: warning: the store lacks a run that has a directory: 019b7c00-0002-7000-8000-000000000002
            Try: kanmon db rebuild

            """
        let told = try await messages(until: said)
        #expect(told.hasPrefix("kanmon: serving on ") && told.contains(said), "\(told)")
    }

    @Test func `a server whose run directories cannot be listed serves all the same, and says so`() async throws {
        _ = try await program.run(["ingest", "--exit-zero", "\(TestFolder.runs)/Mixed"])
        try FileManager.default.removeItem(atPath: "\(home)/runs")
        try program.folder.write("no folder", to: "home/runs")
        let said = "kanmon: warning: it is not known whether the store lacks runs: failed to list \(home)/runs: "
        let told = try await messages(until: said)
        #expect(told.hasPrefix("kanmon: serving on ") && told.contains(said), "\(told)")
    }

    @Test func `a home that others may write to lets no token in`() async throws {
        try await makeToken()
        try #require(chmod("\(home)/tokens.json", 0o602) == 0)
        let refused = try await program.run(["serve", "--socket", probe.path])
        #expect(
            refused.status == 78 && refused.messages.contains("every user of this machine can write to"),
            "\(refused.messages)")
        try #require(chmod("\(home)/tokens.json", 0o600) == 0)
        try program.folder.write("no key", to: "home/server.key")
        try #require(chmod("\(home)/server.key", 0o600) == 0)
        let keyless = try await program.run(["serve", "--socket", probe.path])
        #expect(keyless.status == 74 && keyless.messages.contains("it is no key"), "\(keyless.messages)")
    }

    /// A folder of another user, which only root can make.
    private func serviceFolder() throws -> (user: uid_t, path: String) {
        let (user, path): (uid_t, String) = (65_534, "\(program.folder.path)/service")
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        try #require(chown(path, user, user) == 0)
        return (user, path)
    }

    @Test(.enabled(if: geteuid() == 0)) func `what root makes for the server of another user is that user's`()
        async throws
    {
        let (user, parent) = try serviceFolder()
        var program = program
        program.variables["KANMON_HOME"] = "\(parent)/home"
        let made = try await program.run(["token", "create", "ci", "--scope", "attest", "--project", "*"])
        #expect(made.status == 0)
        #expect(try await program.run(["token", "revoke", "ci"]).status == 0)
        let files = try FileManager.default.subpathsOfDirectory(atPath: parent)
        #expect(Set(files) == ["home", "home/tokens.json", "home/tokens.json.lock"])
        for file in files {
            let attributes = try FileManager.default.attributesOfItem(atPath: "\(parent)/\(file)")
            let owners = [attributes[.ownerAccountID], attributes[.groupOwnerAccountID]].map {
                ($0 as? NSNumber)?.uint32Value
            }
            #expect(owners == [UInt32(user), UInt32(user)], "\(file)")
            #expect((attributes[.posixPermissions] as? Int ?? 0o777) & 0o077 == 0, "\(file)")
        }
    }

    @Test(.enabled(if: geteuid() == 0)) func `runs that root takes in for the server of another user are that user's`()
        async throws
    {
        let (user, parent) = try serviceFolder()
        var program = program
        // A folder between is made, too.
        program.variables["KANMON_HOME"] = "\(parent)/state/home"
        let taken = try await program.run(
            ["ingest", "--exit-zero", "\(TestFolder.runs)/Mixed", "\(TestFolder.runs)/Failing"])
        #expect(taken.status == 0, "\(taken.messages)")
        #expect(try await program.run(["db", "rebuild"]).status == 0)
        let files = try FileManager.default.subpathsOfDirectory(atPath: parent)
        #expect(files.count(where: { $0.hasSuffix("/manifest.json") }) == 2)
        for file in files {
            let attributes = try FileManager.default.attributesOfItem(atPath: "\(parent)/\(file)")
            let owner = (attributes[.ownerAccountID] as? NSNumber)?.uint32Value
            #expect(owner == UInt32(user), "\(file)")
        }
    }
}
