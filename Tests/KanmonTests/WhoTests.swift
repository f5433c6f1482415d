import Foundation
import TestSupport
import Testing

/// Which tests execute what, and runs of only those tests, by a program that runs real tests.
@Suite(.slow, .timeLimit(.minutes(20))) struct WhoTests {
    private static let source = MappingRepository.source

    private let repository: MappingRepository

    init() async throws { repository = try await MappingRepository() }

    private func kanmon(_ words: String...) async throws -> Program.Outcome { try await repository.kanmon(words) }

    /// Puts a line into the body of `sign(of:)` and stages it.
    private func edit(_ line: String, at number: Int = 13) async throws {
        var lines = try repository.text.split(separator: "\n", omittingEmptySubsequences: false)
        lines.insert(Substring(line), at: number - 1)
        try repository.write(lines.joined(separator: "\n"))
        try await repository.stage()
    }

    @Test func `tests that are not in the map are counted`() async throws {
        _ = try await kanmon("run", "--no-map")
        let part = try await kanmon("who", "\(Self.source):14")
        #expect(part.output.hasPrefix("1 of 9 recorded tests of run "))
        let words =
            "3 more tests ran that are not in the map: kanmon run --map records those of Swift Testing; "
            + "a test has no record where a program that it started was killed."
        #expect(part.output.hasSuffix("\n\(words)\n"))
        #expect(try await kanmon("who", "\(Self.source):14", "--json").output.contains("\"unrecorded\":3"))
        #expect(try await kanmon("who", Self.source).output.contains(" executed by recorded tests of run "))
    }

    @Test func `questions are answered, and only the tests of a changed function run`() async throws {
        #expect(try await kanmon("who", Self.source).status == 64)
        let first = try await kanmon("run", "--commit", "HEAD", "--map")
        #expect(first.status == 0, "\(first.messages)\(first.output)")

        let line = try await kanmon("who", "\(Self.source):14")
        #expect(line.output.hasPrefix("2 of 12 tests of run "))
        #expect(line.output.contains("  MappingTests.ClassicTests/testD_negative\n"))
        #expect(line.output.contains("  MappingTests.ModernTests/signs(number:)\n"))
        let setUp = try await kanmon("who", "\(Self.source):30")
        #expect(setUp.output.contains("code outside of any test"))
        let never = try await kanmon("who", "\(Self.source):38")
        #expect(never.output.contains("is in no function that run"))
        #expect(!never.output.contains("not recorded"))
        // Between two functions: the next one is what is asked for.
        let blank = try await kanmon("who", "\(Self.source):11")
        #expect(blank.output.hasPrefix("\(Self.source):11 is not executable, such as a comment or a blank line; "))
        #expect(blank.output.contains(" execute \(Self.source):12:\n"))
        #expect(!blank.output.contains("is in no function"))
        let file = try await kanmon("who", Self.source, "--limit", "2")
        #expect(file.output.contains("; --limit 0 lists all") || file.output.contains("more; --limit 0 lists all"))
        #expect(
            try await kanmon("who", Self.source, "--limit", "0").output.contains("  lines 12–17, sign(of:): 3 tests\n"))
        let test = try await kanmon("who", "testH_startsATool")
        #expect(test.output.contains("  Sources/mapping-tool/main.swift: 3\n"))
        let data = try await kanmon("who", "\(Self.source):14", "--json")
        #expect(data.output.contains("\"recorded\":12"))
        let functions = try await kanmon("who", Self.source, "--json").output
        #expect(functions.contains("\"symbol\"") && functions.contains("\"name\":\"sign(of:)\""))
        #expect(try await kanmon("who", "testA_usesTheTable", "--json").output.contains("\"files\""))
        #expect(try await kanmon("who", "uses").messages.contains("is a part of"))
        #expect(try await kanmon("who", "nothing").messages.contains("has recorded no test"))
        #expect(try await kanmon("who", "Sources/Nowhere.swift:3").messages.contains("is no source that run"))
        #expect(try await kanmon("who", "\(Self.source):14", "--run", "zzzz").status == 64)

        try await edit("    let isUnused = true; _ = isUnused")
        let moved = try await kanmon("who", "\(Self.source):15")
        #expect(moved.output.contains(":15 (line 14 then)"))
        #expect(try await kanmon("who", "\(Self.source):13").output.contains("is newer than run"))

        let some = try await kanmon("run", "--staged", "--affected")
        #expect(some.status == 0, "\(some.messages)\(some.output)")
        #expect(some.output.contains("3 tests: 3 passed"))
        #expect(some.output.contains("9 of 12 tests were not run"))
        #expect(some.output.contains("estimated from 3 tests of this run and what 9 deselected tests executed"))

        let whole = try await kanmon("run", "--staged", "--fresh")
        #expect(whole.status == 0)
        let settings = try await kanmon("config", "show")
        #expect(settings.output.contains("In 1 run, 75.0 % of the tests"))

        // The signature is not the body.
        try await repository.commit("body")
        // No hook told the runs of the staged files what they became: an audit does.
        let named = "\"subject\":\"body\""
        #expect(try await !kanmon("history", "--json").output.contains(named))
        _ = try await kanmon("audit", "HEAD~1..HEAD")
        #expect(try await kanmon("history", "--json").output.contains(named))
        try await edit("// between functions", at: 11)
        let all = try await kanmon("run", "--staged", "--affected", "--exit-zero")
        #expect(all.output.contains("12 tests: 12 passed"))

        // What nothing is judged by keeps no run from being judged again.
        let runs = try FileManager.default.subpathsOfDirectory(atPath: repository.folder.home)
        let kept = try #require(runs.first { $0.hasSuffix("/deselected-tests.json") })
        try repository.folder.write("{", to: "home/\(kept)")
        let rebuilt = try await kanmon("db", "rebuild")
        #expect(rebuilt.status == 0, "\(rebuilt.messages)")
        #expect(try await kanmon("who", "\(Self.source):15").status == 0)
    }
}
