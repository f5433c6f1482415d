import RunModel
import Testing

@testable import TestRunning

/// What a look at the text of a test source tells.
@Suite struct TestSourceTests {
    private func parts(_ text: String) -> [TestSource.Part]? {
        TestSource(path: "Tests/A.swift", module: "CoreTests", reading: Array(text.utf8)).parts
    }

    /// Each part as `kind suite.names first-last`.
    private func outline(_ text: String) -> [String]? {
        parts(text)?.map { part in
            let names = part.names.map(\.text).joined(separator: ",")
            let place = part.suite.text.isEmpty ? names : "\(part.suite.text).\(names)"
            let last = part.lastLine == part.lines.upperBound ? "" : " to \(part.lastLine)"
            return "\(part.kind) \(place) \(part.lines.lowerBound)-\(part.lines.upperBound)\(last)"
        }
    }

    @Test func `functions have their attributes and bodies, types only their heads`() {
        let text = """
            import Testing
            @testable import Core

            // A comment { with a brace
            private let limit = 5

            @Suite(.serialized)
            struct ServerTests {
                let server: Server
                var port: Int { server.port }

                init() throws {
                    server = try Server { _ in "}" }
                }

                @Test(arguments: [1, 2])
                func answers(_ number: Int) async throws {
                    let answer = try await server.ask("\\(number) {")
                    #expect(answer == "x")
                }

                @Test func `raw name`() { check() }

                struct Inner { static func make() {} }
            }

            extension ServerTests.Inner {
                final class func nothing() {}
            }

            func check(
                _ value: Int = { 3 }()
            ) -> Int
            where Int: Hashable {
                value
            }

            """
        #expect(
            outline(text) == [
                "other limit 5-5",
                "type ServerTests.ServerTests 7-8 to 25",
                "other ServerTests.server 9-9",
                "other ServerTests.port 10-10",
                "function ServerTests.init 12-14",
                "function ServerTests.answers 16-20",
                "function ServerTests.raw name 22-22",
                "type ServerTests/Inner.Inner 24-24",
                "function ServerTests/Inner.make 24-24",
                "type ServerTests/Inner.Inner 27-27 to 29",
                "function ServerTests/Inner.nothing 28-28",
                "function check 31-36",
            ])
    }

    @Test func `words are those of names, and of strings with what is put into them`() throws {
        let text = "func a() {\n    // hidden\n    print(\"x \\(helper(of: b)) y\", `default`)\n}\n"
        let found = try #require(parts(text))
        #expect(
            Set(found[0].words.map(\.text)) == ["func", "a", "print", "x", "helper", "of", "b", "y", "default"])
    }

    @Test func `requirements have no body, and a property may have several lines`() {
        let text = """
            protocol Fake {
                func first()
                func second() async throws -> Int
                var third: Int { get }
            }
            class Tests: XCTestCase {
                lazy var fixture = Fixture
                    .make(
                        1)
                override func setUp() { fixture.reset() }
                func testIt() throws {}
                #if os(Linux)
                func testThere() {}
                #endif
                deinit {}
            }

            """
        #expect(
            outline(text) == [
                "type Fake.Fake 1-1 to 5",
                "function Fake.first 2-2",
                "function Fake.second 3-3",
                "other Fake.third 4-4",
                "type Tests.Tests 6-6 to 16",
                "other Tests.fixture 7-9",
                "function Tests.setUp 10-10",
                "function Tests.testIt 11-11",
                "other Tests. 12-12",
                "function Tests.testThere 13-13",
                "other Tests. 14-14",
                "function Tests.deinit 15-15",
            ])
    }

    @Test(arguments: ["struct A {", "}", "func a() { \"", "/* never ends", "func a() { if x {"])
    func `of a source that does not end nothing is known`(text: String) { #expect(outline(text) == nil) }

    @Test func `an empty source declares nothing`() { #expect(outline("// nothing\n") == []) }
}
