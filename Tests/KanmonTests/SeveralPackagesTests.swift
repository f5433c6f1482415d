import Foundation
import TestSupport
import Testing

/// `kanmon run --all-packages`, as a process.
@Suite struct SeveralPackagesTests {
    private let folder: TestFolder
    private let program: Program

    init() throws {
        folder = try TestFolder()
        program = Program(folder: folder)
    }

    @Test func `each package is judged, whatever the others come to, and the gravest status counts`() async throws {
        let manifest = "// swift-tools-version: 6.0\nimport PackageDescription\nlet package = Package(name: \"Kit\")\n"
        try folder.write(manifest, to: "work/all/A/Package.swift")
        try folder.write("version: 7\n", to: "work/all/A/.kanmon.yml")
        try folder.write(manifest + "let\n", to: "work/all/Below/B/Package.swift")
        let all = "\(folder.work)/all"
        let run = try await program.run(["run", "--all-packages", "--package-path", all, "--out", "\(all)/out"])
        #expect(run.status == 78)
        // Verdicts do not count then; that a package has none does.
        let zero = try await program.run(["run", "--all-packages", "--exit-zero", "--package-path", all])
        #expect(zero.status == 78)
        let told = run.messages.split(separator: "\n").filter { $0.hasPrefix("kanmon: A") || $0.hasPrefix("kanmon: B") }
        #expect(told.first == "kanmon: A")
        #expect(told.dropFirst().first == "kanmon: Below/B")
        #expect(told.suffix(2).first == "kanmon: A: the configuration is wrong")
        #expect(told.last?.hasPrefix("kanmon: Below/B: ") == true)
        let json = try await program.run(["run", "--all-packages", "--package-path", all, "--json"])
        #expect(json.status == 64)
        let none = try await program.run(["run", "--all-packages", "--package-path", "\(all)/A/none"])
        #expect(none.status == 64)
    }

    /// A package with one function and one test of it; that of `B` reads a source of `A`, which nobody can know.
    private func write(_ name: String, note: String) throws {
        let files = [
            "Package.swift": """
            // swift-tools-version: 6.0
            import PackageDescription
            let package = Package(name: "\(name)", targets: [
                .target(name: "\(name)"), .testTarget(name: "\(name)Tests", dependencies: ["\(name)"]),
            ])
            """,
            "Sources/\(name)/Code.swift": "// \(note)\npublic func answer() -> Int { 42 }\n",
            "Tests/\(name)Tests/CodeTests.swift": """
            import Foundation
            import XCTest
            import \(name)
            final class CodeTests: XCTestCase {
                func testIt() throws {
                    XCTAssertEqual(answer(), 42)
                    let packages = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
                    let source = URL(fileURLWithPath: "/\\(packages)/A/Sources/A/Code.swift")
                    XCTAssertTrue(try String(contentsOf: source, encoding: .utf8).contains("right"))
                }
            }
            """,
        ]
        for (file, text) in files { try folder.write(text, to: "work/Packages/\(name)/\(file)") }
    }

    private func commit(_ message: String) async throws -> String {
        // The home of the program lies in the same folder.
        try await folder.git("add", "Packages")
        try await folder.git("commit", "--quiet", "--message", message)
        return try await folder.git("rev-parse", "HEAD")
    }

    private struct Report: Decodable {
        struct Run: Decodable {
            struct Revision: Decodable { var commit: String? }
            var id: String
            var revision: Revision?
        }
        var run: Run
    }

    @Test(.slow, .timeLimit(.minutes(15)))
    func `of a commit a package is not judged again where only others have changed, and its reports are those of then`()
        async throws
    {
        var own = self.program
        own.variables["XDG_CACHE_HOME"] = "\(folder.path)/cache"
        let program = own
        let reports = "\(folder.path)/reports"
        let words = ["run", "--all-packages", "--package-path", "\(folder.work)/Packages", "--commit", "HEAD"]
        func report(_ name: String) throws -> Report.Run {
            let bytes = try Data(contentsOf: URL(filePath: "\(reports)/\(name)/report.json"))
            return try JSONDecoder().decode(Report.self, from: bytes).run
        }
        func run(_ more: String...) async throws -> (status: Int32, last: [Substring], messages: String) {
            let outcome = try await program.run(words + more)
            return (outcome.status, Array(outcome.messages.split(separator: "\n").suffix(2)), outcome.messages)
        }
        try await folder.git("init", "--quiet", "--initial-branch", "main")
        for name in ["A", "B"] { try write(name, note: "right") }
        let first = try await commit("one")
        let whole = try await run("--out", reports)
        #expect(whole.status == 0, "\(whole.messages)")
        #expect(whole.last == ["kanmon: A: passed", "kanmon: B: passed"])
        let before = try report("B")
        #expect(before.revision?.commit == first)

        try write("A", note: "right too")
        let second = try await commit("two")
        let other = try await run("--out", reports)
        #expect(other.status == 0, "\(other.messages)")
        #expect(other.last == ["kanmon: A: passed", "kanmon: B: not judged again: it passed at \(first.prefix(12))"])
        #expect(try report("A").revision?.commit == second)
        let (after, kept) = (try report("B"), "\(reports)/B/run/manifest.json")
        #expect(after.id == before.id && after.revision?.commit == first)
        #expect(FileManager.default.fileExists(atPath: kept))
        // A part of the tests, or another base, is asked of this commit.
        let part = try await run("--filter", "testIt")
        #expect(part.status == 0 && !part.messages.contains("not judged again"), "\(part.messages)")

        try write("A", note: "wrong")
        _ = try await commit("three")
        // What nobody can know.
        #expect(try await run().last.last == "kanmon: B: not judged again: it passed at \(first.prefix(12))")
        let fresh = try await run("--fresh")
        #expect(fresh.status == 1)
        #expect(fresh.last.last == "kanmon: B: one or more tests failed")
        // From now on it is known.
        #expect(try await run().last.last == "kanmon: B: one or more tests failed")
    }
}
