import TestSupport
import Testing

@testable import RunModel

@Suite struct TestMapTests {
    private let map = SampleMaps.map
    private let tests = SampleMaps.tests

    @Test func `a line has the tests of all functions on it`() throws {
        let found = try #require(map.answer("Sources/Core/F.swift", line: 7))
        #expect(found.tests == [tests[2]])
        #expect(found.functions.map(\.symbol) == ["$s4Core1fyyF", "$s4Core1fyyFU_"])
        #expect(try #require(map.answer("Sources/Core/F.swift", line: 4)).tests == [tests[0], tests[2]])
    }

    @Test func `a line that nobody executes has the tests of its function`() throws {
        let found = try #require(map.answer("Sources/Core/F.swift", line: 6))
        #expect(found.tests == [] && !found.hasOthers)
        #expect(found.testsOfFunction == [tests[0], tests[2]])
        #expect(try #require(map.answer("Sources/Core/F.swift", line: 50)).functions == [])
        #expect(map.answer("Sources/Core/Nowhere.swift", line: 1) == nil)
    }

    @Test func `lines have the number of their tests`() {
        #expect(map.counts("Sources/Core/F.swift") == [3: 2, 4: 2, 5: 2, 7: 1, 8: 1])
        #expect(map.counts("Sources/Core/G.swift") == [1: 3, 2: 3])
        #expect(map.counts("nowhere") == [:])
    }

    @Test func `a test has its files, with lines that are joined`() {
        #expect(
            map.executed(by: tests[2]) == [
                TestMap.ExecutedFile(path: "Sources/Core/F.swift", functions: 2, lines: [3...5, 7...8]),
                TestMap.ExecutedFile(path: "Sources/Core/G.swift", functions: 1, lines: [1...2]),
            ])
        #expect(map.executed(by: tests[1])?.map(\.lineCount) == [2])
        #expect(map.executed(by: TestID(module: "", suite: "", name: "")) == nil)
    }

    @Test func `functions of one test are those of nobody else`() {
        let found = map.functionsOfOneTest(in: ["Sources/Core/F.swift"])
        #expect(found.map(\.function.symbol) == ["$s4Core1fyyFU_"])
        #expect(found.map(\.test) == [tests[2]])
    }
}
