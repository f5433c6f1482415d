import Foundation
import TestSupport
import Testing

@testable import Access

/// What changes about a token that exists.
@Suite struct TokenChangeTests {
    private let folder: TemporaryFolder
    private let file: TokenFile

    init() throws {
        folder = try TemporaryFolder()
        file = TokenFile(path: folder.path + "/tokens.json")
        try file.add(Self.token("ci", .attest, sha256: String(repeating: "a", count: 64)))
    }

    private static func token(_ name: String, _ scope: AccessScope, sha256: String) -> AccessToken {
        AccessToken(
            name: name, scope: scope, projects: [ProjectPattern("*")].compactMap(\.self), created: SampleRuns.moment,
            expires: nil, sha256: sha256)
    }

    private func token(_ name: String) throws -> AccessToken? { try file.tokens().first { $0.name == name } }

    @Test func `a renamed token keeps its old name for itself`() throws {
        try file.rename("ci", to: "jenkins")
        let renamed = try #require(try token("jenkins"))
        #expect(renamed.formerNames == ["ci"])
        #expect(renamed.isCalled("ci") && renamed.isCalled("jenkins"))
        #expect(throws: AccessError.nameTaken("ci")) {
            try file.add(Self.token("ci", .submit, sha256: String(repeating: "b", count: 64)))
        }
        #expect(throws: AccessError.nameTaken("ci")) { try file.rename("jenkins", to: "ci") }
        #expect(throws: AccessError.unknownName("ci")) { try file.rename("ci", to: "other") }
        try file.revoke("jenkins", at: SampleRuns.moment, isDistrusted: true)
        #expect(try TokenRegistry(file).isDistrusted("ci"))
    }

    @Test func `a change that would make the file too large to be read is refused`() throws {
        let before = try file.tokens()
        let pattern = try #require(ProjectPattern(String(repeating: "x", count: ProjectPattern.longest)))
        let patterns = Array(repeating: pattern, count: 5_000)
        #expect(throws: AccessError.inaccessible(path: file.path, reason: "it would have more than 4 MiB")) {
            try file.limit("ci", scope: nil, projects: patterns, expires: nil)
        }
        #expect(try file.tokens() == before)
    }

    @Test func `a rotated token has another secret and is otherwise the same`() throws {
        let before = try #require(try token("ci"))
        try file.rotate("ci", to: String(repeating: "c", count: 64))
        var expected = before
        expected.sha256 = String(repeating: "c", count: 64)
        #expect(try token("ci") == expected)
        #expect(try TokenRegistry(file).current(before, at: SampleRuns.moment) == nil)
    }

    @Test func `limits change what is named and nothing else`() throws {
        let before = try #require(try token("ci"))
        let projects = [ProjectPattern("kit/*")].compactMap(\.self)
        try file.limit("ci", scope: nil, projects: projects, expires: nil)
        var expected = before
        expected.projects = projects
        #expect(try token("ci") == expected)
        // Its sessions are limited at once.
        #expect(try TokenRegistry(file).current(before, at: SampleRuns.moment) == expected)
        try file.limit("ci", scope: .submit, projects: nil, expires: .some(SampleRuns.moment))
        expected.scope = .submit
        expected.expires = SampleRuns.moment
        #expect(try token("ci") == expected)
        try file.limit("ci", scope: nil, projects: nil, expires: .some(nil))
        expected.expires = nil
        #expect(try token("ci") == expected)
    }

    @Test func `a revoked token does not change any more`() throws {
        try file.revoke("ci", at: SampleRuns.moment)
        #expect(throws: AccessError.notValid("ci")) { try file.rotate("ci", to: "x") }
        #expect(throws: AccessError.notValid("ci")) { try file.rename("ci", to: "x") }
        #expect(throws: AccessError.notValid("ci")) { try file.limit("ci", scope: .read, projects: nil, expires: nil) }
    }
}
