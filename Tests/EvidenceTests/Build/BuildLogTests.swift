import Foundation
import RunModel
import Testing

@testable import TestResults

@Suite struct BuildLogTests {
    private func log(_ name: String) throws -> [UInt8] {
        let fixtures = try #require(Bundle.module.url(forResource: "Fixtures", withExtension: nil))
        return [UInt8](try Data(contentsOf: fixtures.appending(path: "build/\(name).txt")))
    }

    private func error(_ message: String, _ path: String, _ line: Int, _ column: Int? = nil) -> BuildDiagnostic {
        let location = SourceLocation(path: path, line: line, column: column)
        return BuildDiagnostic(severity: .error, message: message, location: location)
    }

    @Test func `every error of the compiler counts once, in the order of the log`() throws {
        let core = "Sources/Core/Core.swift"
        #expect(
            BuildLog.diagnostics(in: try log("compile"), packageRoot: "/home/ci/Thumbnails") == [
                error("expected parameter name followed by ':'", "Sources/Core/Broken.swift", 1, 21),
                error("expected '{' in body of function declaration", "Sources/Core/Broken.swift", 1, 13),
                error("cannot convert value of type 'String' to expected argument type 'Int'", core, 3, 48),
                error("cannot convert return expression of type 'Int' to return type 'String'", core, 4, 41),
                error("cannot find 'undefinedName' in scope", core, 6, 31),
            ]
        )
    }

    @Test func `a symbol that nothing defines is named with the line that uses it`() throws {
        #expect(
            BuildLog.diagnostics(in: try log("link"), packageRoot: "/home/ci/Thumbnails/") == [
                error("undefined reference to 'kanmon_nowhere'", "Sources/Core/Core.swift", 2)
            ]
        )
    }

    @Test func `an error in a macro's expansion is placed where the macro is written`() throws {
        #expect(
            BuildLog.diagnostics(in: try log("macro"), packageRoot: "/home/ci/Sample") == [
                error("ambiguous use of operator '=='", "Tests/UtilTests/FailSwiftTests.swift", 29, 80)
            ]
        )
    }

    @Test func `generated sources and manifests are named too`() throws {
        let generated =
            ".build/x86_64-unknown-linux-gnu/debug/SamplePackageDiscoveredTests.derived/MixedTests.swift"
        #expect(
            BuildLog.diagnostics(in: try log("discovered"), packageRoot: "/home/ci/Sample") == [
                error("cannot find type 'InnerXC' in scope", generated, 27, 23),
                error("cannot find 'InnerXC' in scope", generated, 46, 18),
                error("cannot find 'testInInner' in scope", generated, 30, 25),
            ]
        )
        #expect(
            BuildLog.diagnostics(in: try log("manifest"), packageRoot: "/home/ci/CovCold") == [
                error("unterminated string literal", "Package.swift", 15, 14)
            ]
        )
    }

    @Test(arguments: [
        ("error: no such module 'Nowhere'", "no such module 'Nowhere'"),
        ("ld.lld: error: undefined symbol: nowhere", "ld.lld: undefined symbol: nowhere"),
        ("/usr/bin/ld: main.swift:(.text+0x1f): undefined reference to `nowhere'", "undefined reference to `nowhere'"),
        ("<unknown>:0: error: could not build C module", "<unknown>:0: could not build C module"),
        (
            "error: link command failed with exit code 1 (use -v to see invocation)",
            "link command failed with exit code 1 (use -v to see invocation)"
        ),
    ])
    func `an error without a location is kept with its message`(line: String, message: String) {
        #expect(
            BuildLog.diagnostics(in: Array(line.utf8), packageRoot: "/p")
                == [BuildDiagnostic(severity: .error, message: message)]
        )
    }

    @Test func `Swift Build repeats which steps failed, and that the build did`() {
        let log = """
            /p/Sources/A.swift:2:5: error: cannot find 'x' in scope
            error: SwiftCompile normal x86_64 /p/Sources/A.swift failed with a nonzero exit code. Command line:     cd /p
            error: Build failed
            """
        #expect(
            BuildLog.diagnostics(in: Array(log.utf8), packageRoot: "/p")
                == [error("cannot find 'x' in scope", "Sources/A.swift", 2, 5)])
    }

    @Test(arguments: [
        "", "[3/8] Compiling Core error: x", "/p/a.swift:1:2: warning: 'x: error: y' is odd",
        "3 |     print(\"/p/a.swift:1:2: error: x\")", "  |   `- error: x", "/p/a.swift:1:2: note: x: error: y",
        "   +--- macro expansion #expect: error: x",
    ])
    func `what is no error is none`(line: String) {
        #expect(BuildLog.diagnostics(in: Array(line.utf8), packageRoot: "/p").isEmpty)
    }

    @Test func `bytes that are not text are repaired, and a path may contain colons and blanks`() {
        let line = Array("/p/a: b/c.swift:3:4: error: bad ".utf8) + [0xFF, 0x0D]
        #expect(
            BuildLog.diagnostics(in: line, packageRoot: "/p") == [error("bad \u{FFFD}", "a: b/c.swift", 3, 4)]
        )
    }

    @Test func `the first 200 errors are kept`() {
        let log = (1...1000).map { "/p/a.swift:\($0):1: error: x\n" }.joined()
        let kept = BuildLog.diagnostics(in: Array(log.utf8), packageRoot: "/p")
        #expect(kept.map(\.location?.line) == Array(1...200))
    }

    @Test func `a log cut at any byte does not trap`() throws {
        let log = try log("macro").prefix(3000)
        for length in log.indices { _ = BuildLog.diagnostics(in: Array(log[..<length]), packageRoot: "/home/ci") }
    }
}
