import Foundation
import Testing

extension SlowTests {
    /// A package whose test covers a line only when a variable from outside says so.
    @Suite struct UnstableLinesTests {
        private let folder: TestFolder

        init() throws {
            folder = try TestFolder()
            try folder.write(
                """
                // swift-tools-version: 6.0
                import PackageDescription
                let package = Package(
                    name: "Chance",
                    targets: [.target(name: "Kit"), .testTarget(name: "KitTests", dependencies: ["Kit"])])
                """, to: "work/Package.swift")
            try folder.write(
                """
                public func value(_ isRare: Bool) -> Int {
                    if isRare {
                        return 1
                    }
                    return 2
                }
                """, to: "work/Sources/Kit/Kit.swift")
            try folder.write(
                """
                import Foundation
                import Kit
                import XCTest

                final class KitTests: XCTestCase {
                    func testValue() {
                        XCTAssertEqual(value(false), 2)
                        if ProcessInfo.processInfo.environment["RARE"] == "1" { XCTAssertEqual(value(true), 1) }
                    }
                }
                """, to: "work/Tests/KitTests/KitTests.swift")
        }

        private func settings(_ coverage: String) throws {
            try folder.write("run: { environment: [ RARE ] }\ncoverage: \(coverage)\n", to: "work/.kanmon.yml")
        }

        private func run(rare isRare: Bool) async throws -> Program.Outcome {
            try await Program(folder: folder, variables: ["RARE": isRare ? "1" : "0"]).run(["run"])
        }

        private static let named = "unstable: 1 line (Sources/Kit/Kit.swift:3)"

        @Test func `no floor is reached by a line that is covered by chance`() async throws {
            try settings("{ modules: { default: { line: 100 } } }")
            #expect(try await run(rare: true).status == 0)
            let second = try await run(rare: false)
            #expect(second.status == 2)
            #expect(second.output.contains(Self.named))
            // Not a source: the history holds.
            try folder.write("\n", to: "work/README.md")
            let third = try await run(rare: true)
            #expect(third.status == 2)
            #expect(third.output.contains(Self.named), "\(third.output)")

            let program = Program(folder: folder)
            #expect(try await program.run(["gate"]).status == 2)
            let report = try await program.run(["report", "--format", "json"]).output
            #expect(report.contains("\"unstable\""))
            #expect(try await program.run(["db", "rebuild"]).status == 0)
            #expect(try await program.run(["report", "--format", "json"]).output == report)
        }

        @Test func `nor where the run of a commit is judged again`() async throws {
            // What compares with the base is judged again each time.
            try settings("{ modules: { default: { line: 100 } }, patch: { line: 1 } }")
            try await folder.git("init", "--quiet", "--initial-branch", "main")
            try await folder.git("add", ".")
            try await folder.git("commit", "--quiet", "--message", "base")
            func judge(rare isRare: Bool, _ words: String...) async throws -> Program.Outcome {
                try await Program(folder: folder, variables: ["RARE": isRare ? "1" : "0"])
                    .run(["run", "--commit", "HEAD"] + words)
            }
            #expect(try await judge(rare: false).status == 2)
            #expect(try await judge(rare: true, "--fresh").status == 2)
            let known = try await judge(rare: true)
            #expect((known.output + known.messages).contains("no test was run again"))
            #expect(known.status == 2, "\(known.output)")
        }

        @Test func `the ratchet does not fall by it`() async throws {
            try settings("{ ratchet: true, modules: { default: { line: 10 } } }")
            try await folder.git("init", "--quiet", "--initial-branch", "main")
            try await folder.git("add", ".")
            try await folder.git("commit", "--quiet", "--message", "base")
            #expect(try await run(rare: true).status == 0)
            try await folder.git("switch", "--quiet", "--create", "topic")
            try folder.write("// Nothing.\n", to: "work/Sources/Kit/Other.swift")
            try await folder.git("add", ".")
            try await folder.git("commit", "--quiet", "--message", "head")
            // Nobody knows yet that it is by chance.
            #expect(try await run(rare: false).status == 2)
            #expect(try await run(rare: true).status == 0)
            let third = try await run(rare: false)
            #expect(third.status == 0, "\(third.output)")
            #expect(third.output.contains(Self.named))
        }
    }
}
