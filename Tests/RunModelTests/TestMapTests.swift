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

    /// The map without some of its tests, as if they had run elsewhere.
    private func part(_ kept: [Int], hasOthers: Bool) -> TestMap {
        let places = Dictionary(uniqueKeysWithValues: kept.enumerated().map { (Int32($1), Int32($0)) })
        let sets = map.sets.map { set in
            TestMap.TestSet(tests: set.tests.compactMap { places[$0] }, hasOthers: set.hasOthers && hasOthers)
        }
        let isEmpty = { (set: Int) in sets[set].tests.isEmpty && !sets[set].hasOthers }
        let files = map.files.map { file in
            let functions = file.functions.filter { !isEmpty($0.set) }.map { function in
                var function = function
                function.spans.removeAll { isEmpty($0.set) }
                return function
            }
            return TestMap.File(path: file.path, functions: functions)
        }
        return TestMap(
            tests: kept.map { tests[$0] }, sets: sets, files: files.filter { !$0.functions.isEmpty },
            durations: map.durations.filter { kept.map { tests[$0] }.contains($0.key) })
    }

    /// What a map says, whatever its sets are numbered.
    private func content(_ map: TestMap) -> [String] {
        let sets = map.sets.map { set in "\(set.tests.map { map.tests[Int($0)] })\(set.hasOthers)" }
        return map.files.flatMap { file in
            file.functions.map { function in
                let spans = function.spans.map { "\($0.first)-\($0.last) \(sets[$0.set])" }
                return "\(file.path) \(function.symbol) \(function.lines) \(sets[function.set]) \(spans)"
            }
        }
    }

    @Test(arguments: [[[0], [1], [2]], [[2, 0], [1]], [[0, 1, 2]], [[0, 1], [1, 2]], [[], [0, 1, 2]]])
    func `the maps of parts are the map of the whole`(parts: [[Int]]) {
        let maps = parts.enumerated().map { part($1.sorted(), hasOthers: $0 == 0) }
        let united = TestMap(uniting: maps)
        #expect(united.tests == tests)
        #expect(united.durations == map.durations)
        #expect(content(united) == content(map))
        #expect(Set(united.sets).count == united.sets.count)
    }

    @Test func `lines of parts that are executed by the same tests are one span`() throws {
        let united = TestMap(uniting: [part([0], hasOthers: false), part([2], hasOthers: true)])
        let file = try #require(united.file("Sources/Core/F.swift"))
        #expect(file.functions.map(\.spans.count) == [2, 1])
        #expect(TestMap(uniting: []) == TestMap(tests: [], sets: [], files: []))
    }

    @Test func `lines have the number of their tests`() {
        #expect(map.counts("Sources/Core/F.swift") == [3: 2, 4: 2, 5: 2, 7: 1, 8: 1])
        #expect(map.counts("Sources/Core/G.swift") == [1: 3, 2: 3])
        #expect(map.counts("nowhere") == [:])
    }

    @Test func `lines that would take too long to count have no number`() {
        let file = "Sources/Core/F.swift"
        #expect(map.counts(file, mostLines: 100, mostTests: 100) == map.counts(file))
        #expect(map.counts(file, mostLines: 1) == nil)
        let span = TestMap.Span(first: 1, last: .max, set: 0)
        let function = TestMap.Function(symbol: "f", line: 1, lastLine: .max, set: 0, spans: [span])
        let endless = TestMap(
            tests: map.tests, sets: map.sets, files: [TestMap.File(path: file, functions: [function, function])])
        #expect(endless.counts(file, mostLines: 1000) == nil)
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
