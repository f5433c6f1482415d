import Foundation
import Gate
import Subprocess
import TestSupport
import Testing

@testable import kanmon

/// GitHub's patterns are those of `.gitignore`, so git says which paths they match.
@Suite struct CodeOwnersGitTests {
    private static let names = ["a", "b", "ab", "aXb", "docs", "x.swift", "é", "日本", "*", ".hidden"]
    private static let wild = [
        "*", "**", "***", "a*", "*b", "a*b", "a**b", "?", "a?", "*.swift", "\\*", "\\a", "d*s", "*a*", "?*",
    ]

    /// A pattern, and a path that it may match.
    private struct Trial {
        let pattern: String
        let path: String
    }

    private static func pattern(_ random: inout SplitMix64) -> String {
        let parts = (0...random.below(3)).map { _ in
            random.below(2) == 0
                ? names[random.below(names.count - 2)] : wild[random.below(wild.count)]
        }
        return (random.below(3) == 0 ? "/" : "") + parts.joined(separator: "/") + (random.below(4) == 0 ? "/" : "")
    }

    private static func path(_ random: inout SplitMix64, isASCII: Bool) -> String {
        let pool = isASCII ? Self.names.filter { name in name.utf8.allSatisfy { $0 < 0x80 } } : Self.names
        return (0...random.below(4)).map { _ in pool[random.below(pool.count)] }.joined(separator: "/")
    }

    @Test func `a thousand generated patterns match exactly the paths that git ignores by them`() async throws {
        let folder = try TestFolder()
        try await folder.git("init", "--quiet")
        var random = SplitMix64(seed: 47)
        var trials: [[Trial]] = []
        for number in 0..<1000 {
            let pattern = Self.pattern(&random)
            // Where the last part is `*` alone, GitHub means files: git takes the folders that it matches in again.
            let folders = pattern.hasSuffix("/*") ? "!\(pattern)/\n" : ""
            try folder.write("\(pattern)\n\(folders)", to: "work/p\(number)/.gitignore")
            // To git a `?` is a byte, here it is a character.
            let isASCII = pattern.contains("?")
            trials.append(
                (0..<12).map { _ in Trial(pattern: pattern, path: Self.path(&random, isASCII: isASCII)) })
        }
        let questions = trials.enumerated().flatMap { number, trials in trials.map { "p\(number)/\($0.path)" } }
        let ignored = try await Self.ignored(questions, in: folder)
        var matched = 0
        var wrong: [String] = []
        for (number, trials) in trials.enumerated() {
            let list = CodeOwners(
                CodeOwnersFile(path: "CODEOWNERS", form: .gitHub, text: "\(trials[0].pattern) @owner\n"))
            #expect(list.skippedCount == 0, "\(trials[0].pattern)")
            for trial in trials {
                let isIgnored = ignored.contains("p\(number)/\(trial.path)")
                let isOwned = list.owners(inRepository: trial.path)?.owners == ["@owner"]
                if isIgnored { matched += 1 }
                if isIgnored != isOwned { wrong.append("\(trial.pattern) \(trial.path): git says \(isIgnored)") }
            }
        }
        #expect(wrong == [])
        // Both answers occur.
        #expect((1000..<11_000).contains(matched))
    }

    @Test func `patterns that are matched together match what each matches alone`() {
        var random = SplitMix64(seed: 48)
        let patterns = (0..<200).map { _ in Self.pattern(&random) }
        for form in [CodeOwnersForm.gitHub, .gitLab] {
            func list(_ text: String) -> CodeOwners {
                CodeOwners(CodeOwnersFile(path: "CODEOWNERS", form: form, text: text))
            }
            let alone = patterns.map { list("\($0) @owner\n") }
            let together = list(patterns.enumerated().map { "\($1) @o\($0)\n" }.joined())
            for _ in 0..<500 {
                let path = Self.path(&random, isASCII: false)
                let last = alone.indices.last { alone[$0].owners(inRepository: path) != nil }
                #expect(together.owners(inRepository: path)?.owners == last.map { ["@o\($0)"] }, "\(form) \(path)")
            }
        }
    }

    /// Which of some paths git ignores; they need not exist.
    private static func ignored(_ paths: [String], in folder: TestFolder) async throws -> Set<String> {
        let result = try await Subprocess.run(
            .name("git"),
            arguments: Arguments(["-C", folder.work, "check-ignore", "--no-index", "-z", "--stdin"]),
            environment: .inherit.updating(["GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1"]),
            input: .array(Array(paths.map { "\($0)\0" }.joined().utf8)), output: .bytes(limit: 16 << 20),
            error: .discarded)
        #expect(result.terminationStatus == .exited(0))
        return Set(result.standardOutput.split(separator: 0).map { String(decoding: $0, as: UTF8.self) })
    }
}
