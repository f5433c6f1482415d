import Foundation
import TestSupport
import Testing

/// Why tests of a real package failed, found out by real processes.
@Suite(.slow, .timeLimit(.minutes(20))) struct CausesTests {
    private struct Report: Decodable {
        struct Failure: Decodable {
            struct Cause: Decodable {
                let kind: String
                let doubt: String?
                let functions: [String]
                let fellows: [String]
                let baseRun: String?
                let variables: [String]?
            }

            let name: String
            let cause: Cause?
        }

        struct Causes: Decodable {
            let sentence: String?
            let obstacle: String?
        }

        let failures: [Failure]
        let causes: Causes?

        var kinds: [String: String] {
            Dictionary(failures.map { ($0.name, $0.cause?.kind ?? "") }) { first, _ in first }
        }

        func doubt(of name: String) -> String? { failures.first { $0.name == name }?.cause?.doubt }
    }

    private let folder: TestFolder
    /// It fails every other time, by this file.
    private var flake: String { "\(folder.path)/flake" }
    /// What a test needs besides its sources.
    private var service: String { "\(folder.path)/service" }

    init() async throws {
        folder = try TestFolder()
        try folder.write("coverage:\n  modules:\n    default: {line: 0}\n", to: "work/.kanmon.yml")
        try folder.write(
            """
            // swift-tools-version: 6.0
            import PackageDescription
            let package = Package(
                name: "Kit", targets: [.target(name: "Kit"), .testTarget(name: "KitTests", dependencies: ["Kit"])])

            """, to: "work/Package.swift")
        try writeKit("n")
        try folder.write(
            """
            import Foundation
            import Kit
            import XCTest

            /// How many of the two tests have run in this process.
            nonisolated(unsafe) private var turns = 0

            final class FirstTests: XCTestCase {
                func testOne() {
                    turns += 1
                    XCTAssertEqual(turns, 1)
                }
            }

            final class KitTests: XCTestCase {
                func testBroken() { XCTAssertEqual(other(), 2) }

                func testFlaky() throws {
                    let file = "\(folder.path)/flake"
                    let count = (try? String(contentsOfFile: file, encoding: .utf8)).flatMap { Int($0) } ?? 0
                    try "\\(count + 1)".write(toFile: file, atomically: true, encoding: .utf8)
                    XCTAssertEqual(count % 2, 1, "an even time")
                }

                func testMine() { XCTAssertEqual(match(1), 1) }

                func testService() { XCTAssertTrue(FileManager.default.fileExists(atPath: "\(folder.path)/service")) }
            }

            final class SecondTests: XCTestCase {
                func testTwo() {
                    turns += 1
                    XCTAssertEqual(turns, 1)
                }
            }

            """, to: "work/Tests/KitTests/KitTests.swift")
        try folder.write("there", to: "service")
        try folder.write("", to: "user/nothing")
        try await folder.git("init", "--quiet", "--initial-branch", "main")
        try await commit("base")
    }

    private func writeKit(_ value: String) throws {
        try folder.write(
            "public func match(_ n: Int) -> Int {\n    \(value)\n}\n\npublic func other() -> Int { 1 }\n",
            to: "work/Sources/Kit/Kit.swift")
    }

    private func commit(_ message: String) async throws {
        try await folder.git("add", "--all")
        try await folder.git("commit", "--quiet", "--message", message)
    }

    private func run(
        budget: String, _ words: [String] = ["--commit", "HEAD"], seeing variables: [String: String] = [:]
    ) async throws -> Report {
        let own = [
            // Nothing of the user's lies in the working copy.
            "HOME": "\(folder.path)/user", "XDG_CACHE_HOME": "\(folder.path)/cache",
            "KANMON_CAUSES_BUDGET": budget,
        ]
        let program = Program(folder: folder, variables: own.merging(variables) { $1 })
        let outcome = try await program.run(["run", "--json"] + words)
        try #require(outcome.status == 1, "\(outcome.messages)\(outcome.output)")
        return try JSONDecoder().decode(Report.self, from: Data(outcome.output.utf8))
    }

    @Test func `each failure has its cause, found here, on the base and in the store`() async throws {
        let first = try await run(budget: "60s")
        #expect(first.causes?.obstacle?.hasPrefix("there is none") == true)
        #expect(first.kinds["testBroken"] == "unknown")
        #expect(first.kinds["testMine"] == nil)
        try await folder.git("switch", "--quiet", "--create", "topic")
        try writeKit("n + 1")
        try await commit("change")
        for file in [flake, service] where FileManager.default.fileExists(atPath: file) {
            try FileManager.default.removeItem(atPath: file)
        }

        let report = try await run(budget: "10m")
        let kinds = report.kinds
        #expect(kinds["testMine"] == "yours")
        #expect(kinds["testBroken"] == "already-broken")
        #expect(kinds["testFlaky"] == "flaky")
        #expect(kinds["testService"] == "environment")
        let ordered = try #require(report.failures.first { ["testOne", "testTwo"].contains($0.name) })
        #expect(ordered.cause?.kind == "order")
        #expect(ordered.cause?.fellows.count == 1)
        #expect(report.failures.count == 5)
        let mine = report.failures.first { $0.name == "testMine" }
        #expect(mine?.cause?.functions == ["match"])
        #expect(report.failures.first { $0.name == "testBroken" }?.cause?.baseRun != nil)
        #expect(report.causes?.obstacle == nil)
        #expect(
            report.causes?.sentence?.hasPrefix("5 failed: 1 is yours (match), 1 was broken before this change, since")
                == true)
        #expect(FileManager.default.fileExists(atPath: "\(folder.work)/.git/kanmon/base/tree/work/Package.swift"))
        // Without a budget nothing is looked for.
        try writeKit("n + 2")
        try await commit("another change")
        #expect(try await run(budget: "0s").causes == nil)
    }

    @Test func `a variable that differs is named, unless the change itself sets it`() async throws {
        let settings = "coverage:\n  modules:\n    default: {line: 0}\n"
        try folder.write("\(settings)run:\n  environment: [MODE]\n", to: "work/.kanmon.yml")
        try folder.write(
            """
            import Foundation
            import XCTest

            final class ModeTests: XCTestCase {
                func testMode() { XCTAssertNotEqual(ProcessInfo.processInfo.environment["MODE"], "bad") }
            }

            """, to: "work/Tests/KitTests/ModeTests.swift")
        try await commit("a test that a variable decides")
        #expect(try await run(budget: "0s", seeing: ["MODE": "good"]).kinds["testMode"] == nil)
        try await folder.git("switch", "--quiet", "--create", "topic")
        try writeKit("n + 1")
        try await commit("change")

        let report = try await run(budget: "10m", seeing: ["MODE": "bad"])
        #expect(report.kinds["testMode"] == "environment")
        #expect(report.failures.first { $0.name == "testMode" }?.cause?.variables == ["MODE"])
        #expect(report.kinds["testMine"] == "yours")

        try folder.write("\(settings)run:\n  environment: [MODE=bad]\n", to: "work/.kanmon.yml")
        try await commit("the variable")
        #expect(try await run(budget: "10m", seeing: ["MODE": "good"]).kinds["testMode"] == "yours")
    }

    @Test func `a new flake of Swift Testing executes the change by the per-test coverage of the base`() async throws {
        try folder.write(
            """
            import Foundation
            import Kit
            import Testing

            /// It needs the change to fail, and does so every other time.
            @Test func newFlake() throws {
                let file = "\(folder.path)/new-flake"
                let count = (try? String(contentsOfFile: file, encoding: .utf8)).flatMap { Int($0) } ?? 0
                try "\\(count + 1)".write(toFile: file, atomically: true, encoding: .utf8)
                #expect(match(1) == 1 || count % 2 == 1)
            }

            """, to: "work/Tests/KitTests/FlakeTests.swift")
        try await commit("a test that passes")
        #expect(try await run(budget: "0s", ["--commit", "HEAD", "--map"]).kinds["newFlake()"] == nil)
        try await folder.git("switch", "--quiet", "--create", "topic")
        try writeKit("n + 1")
        try await commit("change")
        try FileManager.default.removeItem(atPath: "\(folder.path)/new-flake")

        let report = try await run(budget: "10m")
        #expect(report.kinds["newFlake()"] == "yours")
        #expect(report.failures.first { $0.name == "newFlake()" }?.cause?.functions == ["match"])
    }

    @Test func `what is flaky on the base and only failed here at first is repeated on both sides`() async throws {
        try folder.write(
            """
            import Foundation
            import XCTest

            final class StreakTests: XCTestCase {
                /// It fails at first, and every other time from then on.
                func testStreak() throws {
                    let file = "\(folder.path)/streak"
                    let count = (try? String(contentsOfFile: file, encoding: .utf8)).flatMap { Int($0) } ?? 0
                    try "\\(count + 1)".write(toFile: file, atomically: true, encoding: .utf8)
                    XCTAssertTrue(count >= 4 && count % 2 == 1, "a bad time")
                }
            }

            """, to: "work/Tests/KitTests/StreakTests.swift")
        try await commit("a test that fails now and then")
        try await folder.git("switch", "--quiet", "--create", "topic")
        try writeKit("n + 1")
        try await commit("change")

        let report = try await run(budget: "10m")
        #expect(report.kinds["testStreak"] == "flaky")
        #expect(report.kinds["testMine"] == "yours")
    }

    @Test func `what the change has left in the user's folder acquits it of nothing`() async throws {
        try folder.write(
            """
            import Foundation
            import Kit
            import XCTest

            final class CacheTests: XCTestCase {
                func testCache() throws {
                    let file = try XCTUnwrap(ProcessInfo.processInfo.environment["HOME"]) + "/cache.txt"
                    let before = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
                    try "\\(before)\\(match(1))".write(toFile: file, atomically: true, encoding: .utf8)
                    let text = try String(contentsOfFile: file, encoding: .utf8)
                    XCTAssertFalse(text.contains("2"), "another format")
                }
            }

            """, to: "work/Tests/KitTests/CacheTests.swift")
        try await commit("a test with a cache")
        #expect(try await run(budget: "0s").kinds["testCache"] == nil)
        try await folder.git("switch", "--quiet", "--create", "topic")
        try writeKit("n + 1")
        try await commit("change")

        // The base fails as well from now on, in the same words, though a stored run has passed it.
        let report = try await run(budget: "10m")
        #expect(report.kinds["testCache"] == "unknown")
        #expect(report.doubt(of: "testCache") == "left-behind")
        #expect(report.kinds["testMine"] == "yours")
    }

    @Test func `what a variable names in the working copy is not the base's`() async throws {
        try folder.write(
            "coverage:\n  modules:\n    default: {line: 0}\nrun:\n  environment: [FIXTURES]\n", to: "work/.kanmon.yml")
        try folder.write("good", to: "work/fixture.txt")
        try folder.write(
            """
            import Foundation
            import XCTest

            final class FixtureTests: XCTestCase {
                func testFixture() throws {
                    let folder = try XCTUnwrap(ProcessInfo.processInfo.environment["FIXTURES"])
                    XCTAssertEqual(try String(contentsOfFile: folder + "/fixture.txt", encoding: .utf8), "good")
                }
            }

            """, to: "work/Tests/KitTests/FixtureTests.swift")
        try await commit("a test of a fixture")
        let variables = ["FIXTURES": folder.work]
        #expect(try await run(budget: "0s", seeing: variables).kinds["testFixture"] == nil)
        try await folder.git("switch", "--quiet", "--create", "topic")
        try writeKit("n + 1")
        try folder.write("bad", to: "work/fixture.txt")
        try await commit("change")

        // The tests of the base read the fixture of the change.
        let report = try await run(budget: "10m", seeing: variables)
        #expect(report.kinds["testFixture"] == "unknown")
        #expect(report.doubt(of: "testFixture") == "other-place")
        #expect(report.kinds["testMine"] == "yours")
    }

    @Test func `that the base fails in a folder of its own acquits no working copy`() async throws {
        try folder.write(
            """
            import Kit
            import XCTest

            final class PlaceTests: XCTestCase {
                func testPlace() { XCTAssertTrue(match(1) == 1 && !#filePath.contains("/.git/")) }
            }

            """, to: "work/Tests/KitTests/PlaceTests.swift")
        try await commit("a test that looks where it lies")
        try await folder.git("switch", "--quiet", "--create", "topic")
        try writeKit("n + 1")
        try await commit("change")

        let alone = try await run(budget: "10m", [])
        #expect(alone.kinds["testMine"] == "yours")
        // It fails on the base in the same words, and only because of the folder there.
        #expect(alone.kinds["testPlace"] == "unknown")
        #expect(alone.doubt(of: "testPlace") == "other-place")
        #expect(alone.doubt(of: "testBroken") == "other-place")

        try await folder.git("switch", "--quiet", "main")
        #expect(try await run(budget: "0s", []).kinds["testPlace"] == nil)
        try await folder.git("switch", "--quiet", "topic")
        let beside = try await run(budget: "10m", [])
        #expect(beside.kinds["testBroken"] == "already-broken")
        #expect(beside.kinds["testMine"] == "yours")
        #expect(beside.kinds["testPlace"] == "unknown")
    }
}
