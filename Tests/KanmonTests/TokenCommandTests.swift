import Access
import Foundation
import RunModel
import Testing

/// What changes about a token after it was made.
@Suite struct TokenCommandTests {
    private let program: Program
    private let file: TokenFile

    init() async throws {
        program = Program(folder: try TestFolder())
        file = TokenFile(path: "\(program.folder.home)/tokens.json")
        let made = try await program.run(["token", "create", "laptop", "--scope", "submit", "--project", "*"])
        try #require(made.status == 0)
    }

    private func token(_ words: String...) async throws -> Program.Outcome {
        try await program.run(["token"] + words)
    }

    private func only() throws -> AccessToken {
        let tokens = try file.tokens()
        #expect(tokens.count == 1)
        return try #require(tokens.first)
    }

    @Test func `a token that is renamed keeps its secret, and its old name stays taken`() async throws {
        let before = try only()
        let renamed = try await token("rename", "laptop", "desk")
        #expect(renamed == Program.Outcome(status: 0, output: "'laptop' is called 'desk' now\n", messages: ""))
        let after = try only()
        #expect(after.name == "desk" && after.formerNames == ["laptop"] && after.sha256 == before.sha256)
        for (words, message) in [
            (["laptop", "other"], "find a token named 'laptop'"), (["desk", "laptop"], "there is one named 'laptop'"),
            (["desk", "a b"], "the name has 1 to 64 letters, digits, '.', '_', '@' and '-'"),
        ] {
            let refused = try await program.run(["token", "rename"] + words)
            #expect(refused.status == 64)
            #expect(refused.messages.contains(message), "\(refused.messages)")
        }
        #expect(try only() == after)
    }

    @Test func `a token that is rotated has another secret, which is shown once`() async throws {
        let before = try only()
        let rotated = try await token("rotate", "laptop")
        #expect(rotated.status == 0)
        #expect(rotated.messages == "kanmon: this is the only time that the new secret of 'laptop' is shown\n")
        let secret = try #require(TokenSecret(rotated.output.trimmingCharacters(in: .newlines)))
        var expected = before
        expected.sha256 = secret.sha256
        #expect(before.sha256 != secret.sha256)
        #expect(try only() == expected)
        let refused = try await token("rotate", "desk")
        #expect(refused.status == 64 && refused.messages.contains("find a token named 'desk'"), "\(refused.messages)")
    }

    @Test func `what a token may do is limited, and what is not named stays`() async throws {
        let endless = try await token("limit", "laptop", "--expires", "never")
        #expect(endless == Program.Outcome(status: 0, output: "'laptop': submit, *, expires never\n", messages: ""))
        let narrow = try await token("limit", "laptop", "--scope", "read", "--project", "team/*", "--project", "kit")
        #expect(narrow.output == "'laptop': read, team/* kit, expires never\n", "\(narrow.messages)")
        let begin = Date(timeIntervalSince1970: Date.now.timeIntervalSince1970.rounded(.down))
        let short = try await token("limit", "laptop", "--expires", "1d")
        let end = try #require(try only().expires)
        #expect((begin.addingTimeInterval(86_400)...Date.now.addingTimeInterval(86_400)).contains(end))
        #expect(short.output == "'laptop': read, team/* kit, expires \(Timestamp.utc(end))\n", "\(short.messages)")
    }

    @Test func `a limit that says nothing or cannot be is refused, and a token that was revoked changes no more`()
        async throws
    {
        let before = try only()
        for (words, message) in [
            ([], "name what changes: --scope, --project or --expires"),
            (["--expires", "0d"], "--expires is a number of days from 1d to 3650d, or never"),
            (["--project", "a\u{7}"], "--project is 1 to 1024 bytes without control characters"),
            (["--scope", "all"], "all"),
        ] as [([String], String)] {
            let refused = try await program.run(["token", "limit", "laptop"] + words)
            #expect(refused.status == 64)
            #expect(refused.messages.contains(message), "\(refused.messages)")
        }
        #expect(try only() == before)
        #expect(try await token("revoke", "laptop").status == 0)
        for words in [["limit", "laptop", "--scope", "read"], ["rotate", "laptop"], ["rename", "laptop", "desk"]] {
            let refused = try await program.run(["token"] + words)
            #expect(refused.status == 64)
            #expect(refused.messages.contains("change the token 'laptop': it was revoked"), "\(refused.messages)")
        }
    }
}
