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
}
