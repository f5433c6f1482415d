import FaultServer
import Testing

/// What commands ask on a terminal that they have to themselves.
@Suite(.timeLimit(.minutes(5))) struct TerminalQuestionTests {
    private let terminal: PseudoTerminal
    private let program: Program
    /// The same program, with the terminal.
    private let asking: Program

    init() throws {
        terminal = try PseudoTerminal()
        program = Program(folder: try TestFolder())
        asking = Program(folder: program.folder, wrapper: terminal.wrapper)
    }

    @Test func `a token that is typed is not shown, and can be corrected`() async throws {
        let server = try await FaultServer()
        let login = try await asking.run(["login", server.address]) { _ in
            let question = try await terminal.shown(until: ": ")
            #expect(question == "Token for \(server.address): ")
            // Control-U takes everything away, the key for going back one character.
            try terminal.enter("something else\u{15}\(FaultServer.token)x\u{7F}y\u{8}")
            try await Task.sleep(for: .milliseconds(200))
            #expect(terminal.shown() == "")
            try terminal.enter("\r")
        }
        #expect(login.status == 0, "\(login.messages)")
        let words = "token 'laptop' (submit, projects: *, expires 2027-01-31)"
        #expect(login.output.hasPrefix("delivering to \(server.address) with \(words); kept in "), "\(login.output)")
        #expect(Set(server.requests.map(\.authorization)) == ["Bearer \(FaultServer.token)"])
        try await server.stop()
    }

    @Test(arguments: ["\u{3}", "abc\u{4}", "   \n", String(repeating: "a", count: 1024)])
    func `no token is sent where none is typed, it is cancelled, or it is too long`(keys: String) async throws {
        let server = try await FaultServer()
        let login = try await asking.run(["login", server.address]) { _ in
            _ = try await terminal.shown(until: ": ")
            try terminal.enter(keys)
        }
        #expect(login.status == 64)
        #expect(login.messages.contains("there is no token"), "\(login.messages)")
        #expect(server.requests.isEmpty)
        try await server.stop()
    }

    @Test func `a project goes when that is answered with yes, and with nothing else`() async throws {
        let taken = try await program.run(["ingest", "\(TestFolder.runs)/Mixed"])
        #expect(taken.status == 0)
        // It has been typed before it is asked for.
        try terminal.enter("n\n")
        let refused = try await asking.run(["project", "remove", "Mixed"])
        #expect(refused.status == 64)
        #expect(
            refused.messages.hasPrefix("Remove all of it? [y/N] kanmon: nothing was removed\n"), "\(refused.messages)")
        let listed = try await program.run(["project", "list"])
        #expect(listed.output.hasPrefix("project  runs  last run\nMixed    1     2026-01-02T"), "\(listed.output)")
    }

    @Test(arguments: ["y\n", "Yes\n"])
    func `a project that is given up is gone`(answer: String) async throws {
        let taken = try await program.run(["ingest", "\(TestFolder.runs)/Mixed"])
        #expect(taken.status == 0)
        try terminal.enter(answer)
        let removed = try await asking.run(["project", "remove", "Mixed"])
        #expect(removed.status == 0, "\(removed.messages)")
        #expect(removed.output.hasSuffix("\nremoved; to remove files that no run needs: kanmon db prune\n"))
        let listed = try await program.run(["project", "list"])
        #expect(listed.output == "there are no projects\n")
    }
}
