import RunModel
import TestSupport
import Testing

@testable import Gate

/// Failed tests that execute none of the changed functions.
@Suite struct UnrelatedFailuresTests {
    private let map = SampleMaps.map
    private let failures = SampleMaps.tests.map { TestResult(id: $0, library: .xctest, outcome: .failed) }

    private func change(_ path: String?, _ head: Range<Int>, base: Range<Int> = 1..<2) -> FileChange {
        FileChange(path: path, basePath: path, changes: [ChangedLines(base: base, head: head)])
    }

    @Test func `a test is unrelated where it executes no function with a changed line`() {
        let tests = SampleMaps.tests
        // `f` is executed by the first and the last.
        #expect(map.unrelated(among: failures, to: [change("Sources/Core/F.swift", 4..<5)]) == [tests[1]])
        #expect(map.unrelated(among: failures, to: [change("Sources/Core/G.swift", 2..<3)]) == [])
        #expect(map.unrelated(among: failures, to: [change("Sources/Core/F.swift", 40..<50)]) == tests.sorted())
        #expect(map.unrelated(among: [failures[0]], to: [change("Sources/Core/F.swift", 4..<5)]) == [])
    }

    @Test func `lines that were only removed count where they were`() {
        #expect(map.unrelated(among: failures, to: [change("Sources/Core/F.swift", 5..<5, base: 5..<9)]).count == 1)
        // Before the first line of the function.
        #expect(map.unrelated(among: failures, to: [change("Sources/Core/F.swift", 3..<3, base: 1..<3)]).count == 3)
        #expect(map.unrelated(among: failures, to: [change(nil, 1..<1)]).count == 3)
    }

    @Test func `nothing is said without a change, of what was not recorded, and of changed tests`() {
        #expect(map.unrelated(among: failures, to: []) == [])
        let renamed = FileChange(path: "Sources/Core/F.swift", basePath: "Sources/Core/E.swift", changes: [])
        #expect(map.unrelated(among: failures, to: [renamed]) == [])
        let unknown = TestResult(
            id: TestID(module: "m", suite: "", name: "n"), library: .swiftTesting, outcome: .failed)
        #expect(map.unrelated(among: [unknown], to: [change("Sources/Core/F.swift", 40..<50)]) == [])
        var own = failures[1]
        own.location = SourceLocation(path: "Tests/CoreTests/A.swift", line: 3, column: nil)
        #expect(map.unrelated(among: [own], to: [change("Tests/CoreTests/A.swift", 1..<2)]) == [])
    }

    @Test func `no test is unrelated to what also runs outside of tests, such as the setup of a class`() {
        var map = map
        map.sets[2].tests = [0]
        #expect(map.unrelated(among: failures, to: [change("Sources/Core/G.swift", 2..<3)]) == [])
        #expect(
            map.unrelated(
                among: failures, to: [change("Sources/Core/F.swift", 4..<5), change("Sources/Core/G.swift", 2..<3)])
                == [])
        map.sets[2].hasOthers = false
        #expect(
            map.unrelated(among: failures, to: [change("Sources/Core/G.swift", 2..<3)])
                == SampleMaps.tests.dropFirst().sorted())
    }

    @Test func `a verdict names them`() throws {
        var run = ChangedRun.run([("Sources/Core/F.swift", "++++++++++")])
        run.testMap = map
        run.tests = failures
        let comparison = ChangeComparison(base: ChangedRun.base, changes: [change("Sources/Core/F.swift", 4..<5)])
        let verdict = try Verdict(judging: run, by: Policy(), changed: comparison)
        #expect(verdict.change?.unrelatedFailures == [SampleMaps.tests[1]])
    }
}
