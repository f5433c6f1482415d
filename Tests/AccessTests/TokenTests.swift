import Foundation
import TestSupport
import Testing

@testable import Access

@Suite struct TokenTests {
    private let folder: TemporaryFolder
    private let file: TokenFile
    private let now = Date(timeIntervalSince1970: 1_770_000_000)

    init() throws {
        folder = try TemporaryFolder()
        file = TokenFile(path: folder.path + "/tokens.json")
    }

    private func token(
        _ name: String, _ secret: TokenSecret, scope: AccessScope = .read, expires: Date? = nil
    ) throws -> AccessToken {
        AccessToken(
            name: name, scope: scope, projects: [try #require(ProjectPattern("*"))], created: now, expires: expires,
            sha256: secret.sha256)
    }

    private func secret(_ seed: UInt64) -> TokenSecret {
        var generator = SplitMix64(seed: seed)
        return TokenSecret(using: &generator)
    }

    @Test func `a secret is read back, and one that is cut, changed or of another form is not`() throws {
        for seed in 0..<200 {
            let secret = secret(UInt64(seed))
            #expect(secret.text.hasPrefix("kanmon_") && secret.text.utf8.count == 56)
            #expect(try #require(TokenSecret(secret.text)).sha256 == secret.sha256)
            for index in 7..<56 {
                var bytes = Array(secret.text.utf8)
                bytes[index] = bytes[index] == UInt8(ascii: "a") ? UInt8(ascii: "b") : UInt8(ascii: "a")
                #expect(TokenSecret(String(decoding: bytes, as: UTF8.self)) == nil)
            }
        }
        let text = secret(1).text
        for other in ["", "kanmon_", String(text.dropLast()), text + "0", " " + text, "Kanmon_" + text.dropFirst(7)] {
            #expect(TokenSecret(other) == nil)
        }
    }

    @Test func `secrets of two generators differ, and their digest is that of the text`() {
        #expect(secret(1).text != secret(2).text)
        #expect(secret(1).sha256.utf8.count == 64)
        #expect(TokenSecret.isEqual("abc", "abc"))
        #expect(!TokenSecret.isEqual("abc", "abd") && !TokenSecret.isEqual("abc", "ab"))
    }

    @Test(arguments: [
        ("*", "anything/at all", true), ("kit", "kit", true), ("kit", "kits", false), ("kit*", "kit", true),
        ("github.com/team/*", "github.com/team/kit", true), ("github.com/team/*", "github.com/teams/kit", false),
        ("*/kit", "a/b/kit", true), ("*a*b*c", "aabbc", true), ("*a*b*c", "aabb", false), ("k?t", "kit", false),
        ("ガ*", "\u{30AB}\u{3099}x", false),
    ])
    func `a pattern stands for these projects`(pattern: String, project: String, isMatch: Bool) throws {
        #expect(try #require(ProjectPattern(pattern)).matches(project) == isMatch)
    }

    @Test func `a pattern that could take for ever is answered at once`() throws {
        let pattern = try #require(ProjectPattern(String(repeating: "*a", count: 500) + "*b"))
        #expect(!pattern.matches(String(repeating: "a", count: 1024)))
        #expect(ProjectPattern("") == nil && ProjectPattern("a\nb") == nil)
    }

    @Test func `a token that is distrusted is revoked, and stays so`() throws {
        let registry = TokenRegistry(file)
        try file.add(token("ci", secret(1)))
        try file.add(token("other", secret(2)))
        #expect(try !registry.isDistrusted("ci"))
        try file.revoke("ci", at: now, isDistrusted: true)
        try file.revoke("ci", at: now + 1, isDistrusted: true)
        try file.revoke("ci", at: now + 2)
        #expect(try file.tokens().map(\.distrusted) == [now, nil] && file.tokens().map(\.revoked) == [now, nil])
        #expect(try registry.isDistrusted("ci") && !registry.isDistrusted("other") && !registry.isDistrusted("none"))
        #expect(try registry.token(of: secret(1).text, at: now) == nil)
        // One that was only revoked may be distrusted later.
        try file.revoke("other", at: now)
        try file.revoke("other", at: now + 3, isDistrusted: true)
        #expect(try registry.isDistrusted("other") && file.tokens().last?.revoked == now)
    }

    @Test func `comparing secrets takes as long wherever they differ`() {
        // Long ones, so that stopping at the first difference would take a thousandth of the time.
        let known = String(repeating: "a", count: 1 << 20)
        let others = ["b\(known.dropFirst())", "\(known.dropLast())b"]
        let times = others.map { other in
            (0..<5).map { _ in
                // Of this thread alone: other tests take the processors away for longer than this takes.
                let begin = nanoseconds(CLOCK_THREAD_CPUTIME_ID)
                #expect(!TokenSecret.isEqual(known, other))
                return nanoseconds(CLOCK_THREAD_CPUTIME_ID) - begin
            }.min() ?? 0
        }
        #expect(times[0] > times[1] / 4)
        #expect(TokenSecret.isEqual(known, known))
        #expect(!TokenSecret.isEqual(known, ""))
    }

    @Test func `a token is found by its secret until it expires or is revoked`() throws {
        let registry = TokenRegistry(file)
        #expect(try !registry.hasTokens)
        let (kept, short) = (secret(1), secret(2))
        try file.add(token("kept", kept))
        try file.add(token("short", short, expires: now + 10))
        #expect(try registry.hasTokens)
        #expect(try registry.token(of: kept.text, at: now)?.name == "kept")
        #expect(try registry.token(of: short.text, at: now + 9)?.name == "short")
        #expect(try registry.token(of: short.text, at: now + 10) == nil)
        #expect(try registry.token(of: secret(3).text, at: now) == nil)
        try file.revoke("kept", at: now)
        #expect(try registry.token(of: kept.text, at: now) == nil)
        #expect(try file.tokens().map(\.revoked) == [now, nil])
    }

    @Test func `a server stays closed when its tokens are removed or damaged`() throws {
        let registry = TokenRegistry(file)
        let secret = secret(1)
        try file.add(token("one", secret))
        #expect(try registry.hasTokens)
        try Data("[]".utf8).write(to: URL(filePath: file.path))
        #expect(throws: AccessError.self) { try registry.hasTokens }
        #expect(throws: AccessError.self) { try registry.token(of: secret.text, at: now) }
        try FileManager.default.removeItem(atPath: file.path)
        #expect(try registry.hasTokens)
        #expect(try registry.token(of: secret.text, at: now) == nil)
    }

    @Test func `tokens that were removed before anybody asked have been there`() throws {
        try file.add(token("one", secret(1)))
        let registry = TokenRegistry(file)
        try FileManager.default.removeItem(atPath: file.path)
        #expect(try registry.hasTokens)
        // So have those that could not be read.
        try Data("[]".utf8).write(to: URL(filePath: file.path))
        let damaged = TokenRegistry(file)
        try FileManager.default.removeItem(atPath: file.path)
        #expect(try damaged.hasTokens)
    }

    @Test func `a name is used once, and an unknown one cannot be revoked`() throws {
        try file.add(token("one", secret(1)))
        #expect(throws: AccessError.nameTaken("one")) { try file.add(token("one", secret(2))) }
        #expect(throws: AccessError.unknownName("two")) { try file.revoke("two", at: now) }
        #expect(try file.tokens().count == 1)
        for name in ["a", "laptop-3", "ci@team.example", "9_x"] { #expect(AccessToken.isName(name)) }
        for name in ["", "-a", "a b", "a\n", "é", String(repeating: "a", count: 65)] {
            #expect(!AccessToken.isName(name))
        }
    }

    @Test func `the file is its owner's, holds no secret, and many writers lose nothing`() async throws {
        let (file, now) = (file, now)
        let everything = try #require(ProjectPattern("*"))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<20 {
                let secret = secret(UInt64(number))
                group.addTask {
                    try file.add(
                        AccessToken(
                            name: "t\(number)", scope: .submit, projects: [everything], created: now, expires: nil,
                            sha256: secret.sha256))
                }
            }
            try await group.waitForAll()
        }
        #expect(Set(try file.tokens().map(\.name)).count == 20)
        var status = stat()
        #expect(stat(file.path, &status) == 0 && status.st_mode & 0o777 == 0o600)
        let text = try String(contentsOfFile: file.path, encoding: .utf8)
        #expect(!text.contains(secret(3).text) && text.contains(secret(3).sha256))
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == [
                "tokens.json", "tokens.json.lock",
            ])
    }
}

/// The nanoseconds of a clock.
private func nanoseconds(_ clock: clockid_t) -> Int {
    var time = timespec()
    clock_gettime(clock, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
}
