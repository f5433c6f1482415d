import Foundation
import TestSupport
import Testing

/// Coverage that is estimated where tests were left out, compared with that of all tests of the same tree.
@Suite(.slow, .timeLimit(.minutes(20))) struct EstimateTests {
    private struct Report: Decodable {
        struct Tally: Decodable, Equatable { let covered, total: Int }
        struct Module: Decodable {
            let name: String
            let lines: Tally
        }
        struct Estimate: Decodable {
            let executed, deselected: Int
            let lines: Tally
            let modules: [Module]
        }
        struct Verdict: Decodable { let exitStatus: Int }
        let modules: [Module]
        let estimatedCoverage: Estimate?
        let verdict: Verdict
    }

    private static let source = "Sources/Mapping/Mapping.swift"

    private let folder: TestFolder
    private let program: Program

    /// A package of which two test targets have nothing to do with each other.
    init() async throws {
        folder = try TestFolder()
        program = Program(
            folder: folder,
            variables: ["KANMON_HOME": folder.home, "XDG_CACHE_HOME": TestFolder.sharedCache])
        let package = Checkout.top.appending(path: "Tests/Packages/Mapping")
        try FileManager.default.removeItem(atPath: folder.work)
        try FileManager.default.copyItem(atPath: package.path(percentEncoded: false), toPath: folder.work)
        // A floor that is not reached, and a file that does not count.
        try folder.write(
            "coverage:\n  exclude: [Sources/mapping-tool/*]\n  modules:\n    default: {line: 0}\n",
            to: "work/.kanmon.yml")
        let manifest = try String(contentsOfFile: "\(folder.work)/Package.swift", encoding: .utf8)
        try folder.write(
            manifest.replacing(
                "targets: [",
                with:
                    "targets: [.target(name: \"Other\"), .testTarget(name: \"OtherTests\", dependencies: [\"Other\"]),"),
            to: "work/Package.swift")
        try folder.write(
            "package func other() -> Int {\n    1\n}\n\npackage func outside() -> Int {\n    2\n}\n",
            to: "work/Sources/Other/Other.swift")
        try writeOtherTests(setUp: "")
        try await folder.git("init", "--quiet", "--initial-branch", "main")
        try await commit()
    }

    private func writeOtherTests(setUp: String) throws {
        try folder.write(
            """
            import Other
            import XCTest

            final class OtherTests: XCTestCase {
                \(setUp)
                func testOther() { XCTAssertEqual(other(), 1) }
            }

            """, to: "work/Tests/OtherTests/OtherTests.swift")
    }

    private func commit() async throws {
        try await folder.git("add", "--all")
        try await folder.git("commit", "--quiet", "--message", "a state")
    }

    /// Replaces text in a source and stages it.
    private func edit(_ old: String, _ new: String) async throws {
        let text = try String(contentsOfFile: "\(folder.work)/\(Self.source)", encoding: .utf8)
        #expect(text.contains(old))
        try folder.write(text.replacing(old, with: new, maxReplacements: 1), to: "work/\(Self.source)")
        try await folder.git("add", "--all")
    }

    private func run(_ home: String, _ words: String...) async throws -> Report {
        let ended = try await program.run(["run"] + words + ["--json", "--exit-zero", "--home", home])
        #expect(ended.status == 0, "\(ended.messages)")
        return try JSONDecoder().decode(Report.self, from: Data(ended.output.utf8))
    }

    /// A store like the one of the tests, of which nothing that happens to it is seen by others.
    private func copyOfHome(_ name: String) throws -> String {
        let home = "\(folder.path)/\(name)"
        try FileManager.default.copyItem(atPath: folder.home, toPath: home)
        return home
    }

    /// Compares the estimate for the staged files with a run of all tests.
    private func compare(_ name: String, executed: Int, deselected: Int) async throws {
        let home = try copyOfHome("home-\(name)")
        let some = try await run(home, "--staged", "--affected")
        let estimate = try #require(some.estimatedCoverage, "\(name)")
        #expect((estimate.executed, estimate.deselected) == (executed, deselected), "\(name)")
        let all = try await run(home, "--staged", "--fresh")
        #expect(all.estimatedCoverage == nil)
        let measured = all.modules.filter { $0.lines.total > 0 }
        #expect(estimate.modules.map(\.name) == measured.map(\.name), "\(name)")
        #expect(estimate.modules.map(\.lines) == measured.map(\.lines), "\(name)")
        #expect(estimate.lines.covered < estimate.lines.total)
        // What these tests alone cover is less, or the comparison would show nothing.
        let own = some.modules.reduce(0) { $0 + $1.lines.covered }
        #expect(own < estimate.lines.covered, "\(name)")
    }

    @Test func `the estimate is what all tests cover`() async throws {
        _ = try await run(folder.home, "--commit", "HEAD", "--map")
        let original = try String(contentsOfFile: "\(folder.work)/\(Self.source)", encoding: .utf8)
        func edited(_ old: String, _ new: String, _ name: String, executed: Int, deselected: Int) async throws {
            try folder.write(original, to: "work/\(Self.source)")
            try await edit(old, new)
            try await compare(name, executed: executed, deselected: deselected)
        }
        // In a body, with lines that are not executed.
        try await edited(
            "    if number < 0 {", "    if number > 100 {\n        return \"many\"\n    }\n    if number < 0 {",
            "added",
            executed: 3, deselected: 10)
        // Another way through a body, so that tests fail.
        try await edited("        return \"-\"\n", "", "removed", executed: 3, deselected: 10)
        try await edited("    if number < 0 {", "    if number < -100 {", "failing", executed: 3, deselected: 10)
        // In a closure.
        try await edited(
            "        $0 * 2\n    }\n}", "        let two = 2\n        return $0 * two\n    }\n}", "closure",
            executed: 3, deselected: 10)
        // In a function that nobody calls, so that one test runs in spite of it.
        try await edited(
            "    45\n", "    let unused = 45\n    return unused\n", "uncalled", executed: 1, deselected: 13)
        // Outside of a body: all tests of one target.
        try await edited(
            "package func never()", "// a comment\npackage func never()", "target", executed: 12, deselected: 1)
    }

    @Test
    func `what the last run skipped runs again beside one that it did not, and in another environment all tests run`()
        async throws
    {
        try writeOtherTests(setUp: "func testSkipped() throws { throw XCTSkip(\"not today\") }")
        try folder.write("run:\n  environment: [MODE]\n", to: "work/.kanmon.yml")
        try await commit()
        func chosen(_ mode: String, _ words: String...) async throws -> String {
            var program = program
            program.variables["MODE"] = mode
            let ended = try await program.run(["run"] + words + ["--exit-zero"])
            #expect(ended.status == 0, "\(ended.messages)")
            return ended.messages
        }
        _ = try await chosen("a", "--commit", "HEAD", "--map")
        // In a function that nobody calls.
        try await edit("    45\n", "    let unused = 45\n    return unused\n")
        #expect(try await chosen("a", "--staged", "--affected").contains("2 of 14 tests, by the per-test coverage"))
        let all = try await chosen("b", "--staged", "--affected")
        #expect(all.contains("all tests: run ") && all.contains("had another environment"))
    }

    @Test func `tests that may start a program by a shell run whatever the map says`() async throws {
        try writeOtherTests(setUp: "// A Process that /bin/sh runs.")
        try await commit()
        _ = try await run(folder.home, "--commit", "HEAD", "--map")
        // In a function that nobody calls; the tool is compiled with it.
        try await edit("    45\n", "    let unused = 45\n    return unused\n")
        let some = try await program.run(["run", "--staged", "--affected", "--exit-zero"])
        let words = "all tests of OtherTests, which may execute what changed unseen by the per-test coverage"
        #expect(some.messages.contains(words), "\(some.messages)")
    }

    @Test func `what cannot be known is not estimated`() async throws {
        try writeOtherTests(setUp: "override class func setUp() { XCTAssertEqual(outside(), 2) }")
        try await commit()
        // Without a map all tests run.
        try await edit("    45\n", "    let unused = 45\n    return unused\n")
        #expect(try await run("\(folder.path)/empty", "--staged", "--affected").estimatedCoverage == nil)

        _ = try await run(folder.home, "--commit", "HEAD", "--map")
        let some = try await program.run(["run", "--staged", "--affected"])
        #expect(some.status == 0, "\(some.messages)")
        #expect(some.output.contains("About "))
        #expect(some.output.contains("; no floor is judged by it."))
        #expect(try await program.run(["report", "--format", "markdown"]).output.contains("### Estimated coverage"))
        let before = try await program.run(["report", "--format", "json"]).output
        #expect(before.contains("\"estimatedCoverage\""))
        let rebuilt = try await program.run(["db", "rebuild"])
        #expect(rebuilt.status == 0, "\(rebuilt.messages)")
        #expect(try await program.run(["report", "--format", "json"]).output == before)

        // A part of the tests that has another reason too.
        let part = try copyOfHome("part")
        #expect(try await run(part, "--staged", "--affected", "--filter", "Classic").estimatedCoverage == nil)

        // A line that only the setup of a class executes, which nobody ran.
        try await folder.git("checkout", "--quiet", "HEAD", "--", ".")
        try await edit("package func never()", "// a comment\npackage func never()")
        let doubtful = try copyOfHome("doubtful")
        let report = try await run(doubtful, "--staged", "--affected")
        #expect(report.estimatedCoverage == nil)
        #expect(report.verdict.exitStatus == 0)

        // Without the evidence of the run with the map.
        let runs = try FileManager.default.subpathsOfDirectory(atPath: folder.home)
        for manifest in runs where manifest.hasSuffix("/manifest.json") {
            try FileManager.default.removeItem(
                atPath: "\(folder.home)/\((manifest as NSString).deletingLastPathComponent)")
        }
        #expect(try await run(folder.home, "--staged", "--affected").estimatedCoverage == nil)
    }
}
