import TestSupport
import Testing

@testable import RunModel

/// The lines that deselected tests executed, where they are now.
@Suite struct DeselectedLinesTests {
    private let path = "Sources/Core/F.swift"
    private let other = "Sources/Core/G.swift"

    private static let modules = [
        Module(
            name: "Core", compilerName: "Core", kind: .library, isSwift: true, path: "Sources/Core",
            sources: ["F.swift", "G.swift", "H.swift"], dependencies: []),
        Module(
            name: "CoreTests", compilerName: "CoreTests", kind: .test, isSwift: true, path: "Tests/CoreTests",
            sources: ["A.swift"], dependencies: ["Core"]),
        Module(
            name: "OtherTests", compilerName: "OtherTests", kind: .test, isSwift: true, path: "Tests/OtherTests",
            sources: ["B.swift"], dependencies: []),
    ]

    private func lines(
        _ files: [String], _ changes: [FileChange], unsteady: Set<TestID> = [], covered: ClosedRange<Int32> = 1...50
    ) -> DeselectedLines? {
        let knowledge = DeselectedTests.Knowledge(
            run: SampleRuns.id(1), map: SampleMaps.map, uncalled: [Name(path): [SampleMaps.uncalled("Core.h()")]],
            modules: Self.modules, undeclared: UndeclaredDependencies(in: Self.modules), unsteady: unsteady)
        let files = ChangedFiles(paths: files, package: "")
        return DeselectedLines(
            knowledge, without: DeselectedTests(knowledge, files: files, changes: changes), files: files,
            changes: changes, coverage: coverage(covered))
    }

    /// Of both files, with the same lines.
    private func coverage(_ covered: ClosedRange<Int32>) -> Coverage {
        let lines = (1...50).map { LineCount(line: $0, count: ExecutionCount(covered.contains($0) ? 1 : 0)) }
        return Coverage(
            files: [path, other].map { path in
                FileCoverage(
                    path: path, module: "Core", lines: lines, regions: CoverageTally(), functions: CoverageTally())
            })
    }

    private func change(_ base: Range<Int>, _ head: Range<Int>, from basePath: String? = nil) -> FileChange {
        FileChange(path: path, basePath: basePath ?? path, changes: [ChangedLines(base: base, head: head)])
    }

    private var others: DeselectedLines.File { DeselectedLines.File(path: other, lines: [1...2]) }

    @Test func `without a change all executed lines are there`() throws {
        let found = try #require(lines([], []))
        #expect(found.files == [DeselectedLines.File(path: path, lines: [3...5, 7...8]), others])
        #expect((found.run, found.tests) == (SampleRuns.id(1), 3))
    }

    @Test func `lines behind a change are found where they are now, and changed ones are left out`() {
        // In the function that was never called, behind all others.
        #expect(lines([path], [change(22..<23, 22..<24)])?.files.first?.lines == [3...5, 7...8])
        // Two tests of three execute `f`; the third one executes nothing of this file.
        #expect(lines([path], [change(4..<6, 4..<7)])?.files == [others])
        #expect(change(4..<6, 4..<7).line(ofBase: 3) == 3)
        #expect(change(4..<6, 4..<7).line(ofBase: 4) == nil)
        #expect(change(4..<6, 4..<7).line(ofBase: 5) == nil)
        #expect(change(4..<6, 4..<7).line(ofBase: 6) == 7)
        // Lines that are only added stand before the line of their place.
        #expect(change(5..<5, 5..<7).line(ofBase: 4) == 4)
        #expect(change(5..<5, 5..<7).line(ofBase: 5) == 7)
        #expect(change(5..<7, 5..<5).line(ofBase: 7) == 5)
        #expect(change(4..<6, 4..<7).baseLine(of: 6) == nil)
        #expect(change(4..<6, 4..<7).baseLine(of: 7) == 6)
        #expect(change(5..<7, 5..<5).baseLine(of: 5) == 7)
    }

    @Test func `only what deselected tests and code outside of tests execute counts`() {
        let tests = SampleMaps.tests
        // Line 7 is executed by the last test alone.
        #expect(lines([], [], unsteady: [tests[2]])?.files.first?.lines == [3...5])
        #expect(lines([], [], unsteady: [tests[0], tests[2]])?.files == [others])
        #expect(lines([], [], unsteady: Set(tests))?.files == [others])
    }

    @Test func `what was recorded and not measured does not count`() {
        #expect(lines([], [], covered: 5...7)?.files == [DeselectedLines.File(path: path, lines: [5...5, 7...7])])
    }

    @Test func `what runs outside of tests is doubtful where a target decides`() {
        let found = lines([path], [change(1..<2, 1..<3)])
        #expect(found?.tests == 0)
        #expect(found?.files == [DeselectedLines.File(path: other, lines: [], doubtful: [1...2])])
    }

    @Test func `a renamed file has its new name, a removed one has no lines`() {
        let moved = FileChange(path: "Sources/Core/H.swift", basePath: path, changes: [])
        #expect(lines([path, "Sources/Core/H.swift"], [moved])?.files.map(\.path) == [other])
        let gone = FileChange(path: nil, basePath: other, changes: [ChangedLines(base: 1..<3, head: 0..<0)])
        #expect(lines([other], [gone])?.files == [])
    }

    @Test func `a file that changed in a way that nobody knows gives no answer`() {
        #expect(lines([path], []) == nil)
        #expect(lines([path], [change(22..<23, 22..<24), change(24..<25, 25..<26)]) == nil)
        #expect(lines(["README.md"], []) != nil)
    }
}
