import RunModel
import TestSupport
import Testing

@testable import TestRunning

/// Sources with tests that no target compiles.
@Suite struct StrayTestsTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func detail(_ sources: [String]) -> String? {
        let module = Module(
            name: "CoreTests", compilerName: "CoreTests", kind: .test, isSwift: true, path: "Tests/CoreTests",
            sources: sources, dependencies: [])
        let note = StrayTests.note(in: folder.path, without: [module])
        if let note { #expect(note.code == .testsWithoutTarget && note.subject.isEmpty) }
        return note?.detail
    }

    @Test func `folders that no target names, and files that one excludes, are noted where they have tests`() throws {
        #expect(detail(["A.swift"]) == nil)
        _ = try folder.write("import XCTest\n", to: "Tests/CoreTests/A.swift")
        _ = try folder.write("struct Fixture {}\n", to: "Tests/Fixtures/F.swift")
        _ = try folder.write("import Testing\n", to: "Sources/Core/C.swift")
        #expect(detail(["A.swift"]) == nil)
        #expect(detail([]) == "Tests/CoreTests/A.swift")
        for name in ["A", "B", "C", "ガ"] { _ = try folder.write("import Testing\n", to: "Tests/Old/\(name).swift") }
        #expect(detail(["A.swift"]) == "Tests/Old/A.swift, Tests/Old/B.swift, Tests/Old/C.swift, and 1 more")
    }

    @Test(arguments: [
        "import class XCTest.XCTestCase\n", "import struct Testing.Tag\n", "import  XCTest", "import\tTesting;",
        "@testable import App\n@preconcurrency import Testing\n", "public import XCTest\n", "import\n    XCTest\n",
        "import `Testing`\n", "@_exported import func Testing.confirmation\n", "/* tests */import/**/XCTest\n",
    ])
    func `a library of tests is imported by whatever words`(text: String) throws {
        _ = try folder.write(text, to: "Tests/Old/A.swift")
        #expect(detail([]) == "Tests/Old/A.swift")
    }

    @Test func `an empty source has no tests`() throws {
        _ = try folder.write("", to: "Tests/Old/A.swift")
        #expect(detail([]) == nil)
    }

    @Test(arguments: [
        "import TestingSupport\n", "import XCTestHelpers\n", "import struct Foundation.Date\nlet XCTest = 1\n",
        "import Kit.Testing\n", "let import_XCTest = 1\n", "import", "import class", "struct Testing {}\n",
    ])
    func `what only resembles one is none`(text: String) throws {
        _ = try folder.write(text, to: "Tests/Old/A.swift")
        #expect(detail([]) == nil)
    }
}
