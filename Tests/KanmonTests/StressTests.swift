import Foundation
import TestSupport
import Testing

/// New and changed tests that real runs repeat, and tests that somebody has repeated.
@Suite(.slow, .timeLimit(.minutes(20))) struct StressTests {
    private struct Probation: Decodable {
        struct Test: Decodable {
            let name: String
            let reason: String?
            let repetitions: Int
            let failures: Int
        }

        let seed: UInt64
        let complete: Bool
        let tests: [Test]
    }

    private struct Report: Decodable {
        let probation: Probation?
    }

    private struct Flaky: Decodable {
        struct Test: Decodable {
            let module: String
            let name: String
        }

        let test: Test
        let disagreements: Int
    }

    private let folder: TestFolder
    private let program: Program
    /// How often the flaky test has run; it fails every other time.
    private var turns: String { "\(folder.path)/turns" }

    init() async throws {
        folder = try TestFolder()
        program = Program(folder: folder)
        try settings("budget: 2m")
        try folder.write(
            """
            // swift-tools-version: 6.0
            import PackageDescription
            let package = Package(
                name: "Kit", targets: [.target(name: "Kit"), .testTarget(name: "KitTests", dependencies: ["Kit"])])

            """, to: "work/Package.swift")
        try folder.write("public func one() -> Int { 1 }\n", to: "work/Sources/Kit/Kit.swift")
        try folder.write(
            "import Kit\nimport Testing\n\n@Test func steady() { #expect(one() == 1) }\n",
            to: "work/Tests/KitTests/KitTests.swift")
        try await folder.git("init", "--quiet", "--initial-branch", "main")
        try await commit("base")
    }

    private func settings(_ probation: String) throws {
        try folder.write(
            "coverage:\n  modules:\n    default: {line: 0}\ntests:\n  probation: {\(probation)}\n",
            to: "work/.kanmon.yml")
    }

    private func writeFlaky(_ condition: String) throws {
        try folder.write(
            """
            import Foundation
            import Testing

            @Test func flaky() throws {
                let file = URL(filePath: "\(turns)")
                let turns = (try? String(contentsOf: file, encoding: .utf8)).flatMap { Int($0) } ?? 0
                try "\\(turns + 1)".write(to: file, atomically: true, encoding: .utf8)
                #expect(\(condition))
            }

            """, to: "work/Tests/KitTests/Flaky.swift")
    }

    private func commit(_ message: String) async throws {
        try await folder.git("add", "--all")
        try await folder.git("commit", "--quiet", "--message", message)
    }

    private func run(expecting status: Int32) async throws -> Probation? {
        if FileManager.default.fileExists(atPath: turns) { try FileManager.default.removeItem(atPath: turns) }
        let outcome = try await program.run(["run", "--commit", "HEAD", "--json"])
        #expect(outcome.status == status, "\(outcome.messages)\(outcome.output)")
        return try JSONDecoder().decode(Report.self, from: Data(outcome.output.utf8)).probation
    }

    private func stress(_ words: String...) async throws -> Program.Outcome {
        try await program.run(["stress", "--for", "2m"] + words)
    }

    @Test func `a new test that fails when it is repeated is shown, counts as flaky, and blocks if that is wanted`()
        async throws
    {
        #expect(try await run(expecting: 0) == nil)
        try folder.write("Kit\n", to: "work/README.md")
        try await commit("words")
        #expect(try await run(expecting: 0) == nil)
        let kept = try FileManager.default.subpathsOfDirectory(atPath: "\(folder.home)/runs")
        #expect(!kept.contains { $0.hasSuffix("/probation.json") })

        try await folder.git("switch", "--quiet", "--create", "topic")
        try writeFlaky("turns % 2 == 0")
        try await commit("a flaky test")
        let shown = try #require(try await run(expecting: 0))
        #expect(shown.tests.map(\.name) == ["flaky()"])
        #expect(shown.tests.map(\.reason) == ["new"])
        #expect(shown.tests.allSatisfy { $0.failures > 0 && $0.failures < $0.repetitions })
        #expect(shown.complete)
        #expect(
            try await program.run(["report", "--format", "markdown"]).output.contains("### New and changed tests"))
        let flaky = try await program.run(["flaky", "--json"]).output
        let listed = try JSONDecoder().decode([Flaky].self, from: Data(flaky.utf8))
        #expect(listed.map { "\($0.test.module).\($0.test.name)" } == ["KitTests.flaky()"])
        #expect(listed.map(\.disagreements) == [1])
        // It stands in the run's own folder.
        #expect(try await program.run(["db", "rebuild"]).status == 0)
        #expect(try await program.run(["flaky", "--json"]).output == flaky)

        try settings("budget: 2m, on-failure: block")
        try await commit("it blocks")
        let blocked = try #require(try await run(expecting: 2))
        #expect(blocked.tests.map(\.name) == ["flaky()"])
        let again = try await program.run(["gate"])
        #expect(again.status == 2)
        #expect(again.output.contains("1 new or changed test failed when repeated"), "\(again.output)")

        try writeFlaky("turns >= 0")
        try await commit("repaired")
        let repaired = try #require(try await run(expecting: 0))
        #expect(repaired.tests.map(\.failures) == [0])
        #expect(repaired.tests.map(\.repetitions) == [40])
    }

    @Test func `tests are repeated by hand, in the working copy and of a commit`() async throws {
        try writeFlaky("turns % 2 == 0")
        try await commit("a flaky test")
        try writeFlaky("turns >= 0")

        let steady = try await stress("steady", "--runs", "2", "--seed", "7")
        #expect(steady.status == 0, "\(steady.messages)\(steady.output)")
        #expect(
            steady.output.contains(
                "✓ KitTests.steady(): 0 of 4 repetitions failed, so that it fails in less than 52.8 % of its runs"))
        #expect(steady.output.hasSuffix("1 test, 6 repetitions: 0 tests failed. The seed was 7.\n"))
        let repaired = try await stress("KitTests.flaky()", "--runs", "2")
        #expect(repaired.status == 0, "\(repaired.messages)\(repaired.output)")

        let flaky = try await stress("flaky", "--runs", "4", "--commit", "HEAD", "--json")
        #expect(flaky.status == 1, "\(flaky.messages)\(flaky.output)")
        let report = try JSONDecoder().decode(Probation.self, from: Data(flaky.output.utf8))
        #expect(report.tests.map(\.name) == ["flaky()"])
        #expect(report.tests.map(\.reason) == [nil])
        #expect(report.tests.map(\.repetitions) == [8])
        #expect(report.tests.allSatisfy { $0.failures > 0 })

        let unknown = try await stress("nobody", "steady")
        #expect(unknown.status == 64)
        #expect(unknown.messages.contains("no test is called 'nobody'"), "\(unknown.messages)")
        #expect(try await stress().status == 64)
        try folder.write("nonsense\n", to: "work/Sources/Kit/Kit.swift")
        #expect(try await stress("steady").status == 3)
        // Nothing of it is a run.
        let kept = try FileManager.default.subpathsOfDirectory(atPath: folder.home)
        #expect(!kept.contains { $0.hasSuffix("manifest.json") })
    }
}
