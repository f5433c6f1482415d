import RunModel
import TestSupport
import Testing

@testable import Mutation

@Suite struct MutantTestsTests {
    private static let tests = ["a", "b", "c"].map { TestID(module: "ATests", suite: "S", name: $0) }
    private static let fresh = TestID(module: "ATests", suite: "S", name: "fresh")
    private static let other = TestID(module: "BTests", suite: "S", name: "other")
    private static let modules = [
        module("A", .library, ["F.swift", "G.swift"], []), module("ATests", .test, ["T.swift"], ["A"]),
        module("B", .library, ["B.swift"], []), module("BTests", .test, ["T.swift"], ["B"]),
    ]

    private static func module(
        _ name: String, _ kind: Module.Kind, _ sources: [String], _ dependencies: [String]
    ) -> Module {
        Module(
            name: name, compilerName: name, kind: kind, isSwift: true, path: "Sources/\(name)", sources: sources,
            dependencies: dependencies)
    }

    /// `first` has lines 1 to 10, of which test a executes 2 to 4 and test b 5 to 9; `second` is executed by others too.
    private static let map = TestMap(
        tests: tests,
        sets: [.init(tests: [0]), .init(tests: [1]), .init(tests: [0, 1]), .init(tests: [2], hasOthers: true)],
        files: [
            .init(
                path: "Sources/A/F.swift",
                functions: [
                    .init(
                        symbol: "first", line: 1, lastLine: 10, set: 2,
                        spans: [.init(first: 2, last: 4, set: 0), .init(first: 5, last: 9, set: 1)]),
                    .init(
                        symbol: "second", line: 20, lastLine: 30, set: 3, spans: [.init(first: 20, last: 30, set: 3)]),
                    .init(
                        symbol: "getter", line: 40, lastLine: 40, set: 0, spans: [.init(first: 40, last: 40, set: 0)]),
                    .init(
                        symbol: "setter", line: 40, lastLine: 40, set: 1, spans: [.init(first: 40, last: 40, set: 1)]),
                ])
        ])

    private func names(
        _ kind: Mutant.Kind = .negatedCondition, line: Int, in lines: ClosedRange<Int> = 1...10,
        path: String = "Sources/A/F.swift", changes: [FileChange] = [], durations: [TestID: Duration] = [:],
        adding more: [TestID] = [], isBehindClosure: Bool = false
    ) -> [String] {
        var mutant = Mutant(
            number: 1, kind: kind, path: path, line: line, function: "f", functionLines: lines, original: "a",
            replacement: "b")
        mutant.isBehindClosure = isBehindClosure
        return MutantTests(map: Self.map, changes: changes, isExact: changes.isEmpty, durations: durations).tests(
            of: mutant, in: Self.modules, undeclared: UndeclaredDependencies(in: Self.modules),
            among: Self.tests + [Self.other] + more
        ).map(\.name)
    }

    private func change(_ changes: [ChangedLines], base: String? = "Sources/A/F.swift") -> [FileChange] {
        [FileChange(path: "Sources/A/F.swift", basePath: base, changes: changes)]
    }

    @Test func `all tests that could reach a mutant are those of its targets and of the map, and all of a program's`() {
        func all(
            _ path: String, line: Int = 3, _ modules: [Module] = Self.modules, _ sources: [String: String] = [:]
        ) -> [String] {
            let mutant = Mutant(
                number: 1, kind: .negatedCondition, path: path, line: line, function: "f", functionLines: 1...10,
                original: "a", replacement: "b")
            var undeclared = UndeclaredDependencies(in: modules)
            for (target, source) in sources { undeclared.read(Array(source.utf8), of: target) }
            return MutantTests(map: Self.map, changes: [], isExact: true).allTests(
                of: mutant, in: modules, undeclared: undeclared, among: [Self.other] + Self.tests
            ).map(\.name)
        }
        #expect(all("Sources/A/F.swift") == ["a", "b", "c"])
        #expect(all("Sources/B/B.swift") == ["other"])
        let program = Self.module("P", .executable, ["main.swift"], [])
        #expect(all("Sources/P/main.swift", Self.modules + [program]) == ["other", "a", "b", "c"])
        #expect(all("Sources/Q/Q.swift") == ["other", "a", "b", "c"])
        // A program that has the source, started by a test whose target depends on neither; and an import that no manifest names.
        let tool = Self.module("Tool", .executable, ["main.swift"], ["A"])
        let started = ["BTests": "let process = Process()"]
        #expect(all("Sources/A/F.swift", Self.modules + [tool]) == ["a", "b", "c"])
        #expect(all("Sources/A/F.swift", Self.modules + [tool], started) == ["other", "a", "b", "c"])
        #expect(all("Sources/A/F.swift", Self.modules, ["BTests": "import A"]) == ["other", "a", "b", "c"])
    }

    @Test func `a line runs the tests that execute it, a function those of the function`() {
        #expect(names(line: 3) == ["a"])
        #expect(names(line: 7) == ["b"])
        #expect(names(.earlyReturn, line: 1) == ["a", "b"])
        #expect(names(line: 10) == [])
        #expect(names(line: 15, in: 12...18) == [])
        #expect(names(.earlyReturn, line: 12, in: 12...18) == [])
        #expect(names(line: 1, path: "Sources/A/G.swift") == [])
    }

    @Test func `where the line may be that of another function, the function decides`() {
        #expect(names(line: 7, isBehindClosure: true) == ["a", "b"])
        // Two accessors on one line.
        #expect(names(.earlyReturn, line: 40, in: 40...40) == ["a", "b"])
    }

    @Test func `a test that starts a program runs without depending on its target`() {
        let tests = [TestID(module: "BTests", suite: "S", name: "command")]
        let map = TestMap(
            tests: tests, sets: [.init(tests: [0])],
            files: [
                .init(
                    path: "Sources/A/F.swift",
                    functions: [
                        .init(symbol: "f", line: 1, lastLine: 9, set: 0, spans: [.init(first: 1, last: 9, set: 0)])
                    ])
            ])
        let mutant = Mutant(
            number: 1, kind: .negatedCondition, path: "Sources/A/F.swift", line: 3, function: "f",
            functionLines: 1...9, original: "a", replacement: "b")
        let found = MutantTests(map: map, changes: [], isExact: true)
            .tests(
                of: mutant, in: Self.modules, undeclared: UndeclaredDependencies(in: Self.modules),
                among: tests + [Self.other])
        #expect(found == tests)
    }

    @Test func `lines are found where they were`() {
        let shifted = change([ChangedLines(base: 1..<1, head: 1..<3)])
        #expect(names(line: 5, in: 3...12, changes: shifted) == ["a", "b"])
        #expect(names(.earlyReturn, line: 3, in: 3...12, changes: shifted) == ["a", "b"])
        let inside = change([ChangedLines(base: 4..<5, head: 4..<6)])
        #expect(names(line: 5, in: 1...11, changes: inside) == ["a", "b"])
        let elsewhere = [FileChange(path: "Sources/A/G.swift", basePath: nil, changes: [])]
        #expect(names(line: 3, changes: elsewhere) == ["a", "b"])
    }

    @Test func `where the map does not tell, all tests of the targets that depend on it run`() {
        #expect(names(line: 25, in: 20...30) == ["a", "b", "c"])
        #expect(names(.earlyReturn, line: 20, in: 20...30) == ["a", "b", "c"])
        // The change may be what brings a test to it.
        let others = change([ChangedLines(base: 3..<4, head: 3..<4)])
        #expect(names(line: 15, in: 12...18, changes: others) == ["a", "b", "c"])
        let renamed = change([], base: "Sources/A/Old.swift")
        #expect(names(line: 3, changes: renamed) == ["a", "b", "c"])
        let new = change([ChangedLines(base: 1..<1, head: 1..<9)], base: nil)
        #expect(names(line: 3, changes: new) == ["a", "b", "c"])
        let function = change([ChangedLines(base: 11..<11, head: 11..<16)])
        #expect(names(line: 12, in: 11...15, changes: function) == ["a", "b", "c"])
        // Nothing says which target a text belongs to; of this test nothing is known.
        #expect(names(line: 1, path: "Sources/A/data.txt") == ["other"])
    }

    @Test func `a test whose target changed is as good as new`() {
        let test = [FileChange(path: "Sources/ATests/T.swift", basePath: "Sources/ATests/T.swift", changes: [])]
        #expect(names(line: 3, changes: test) == ["a", "b", "c"])
    }

    @Test func `new tests run as well, and those that take the least time come first`() {
        #expect(names(line: 3, adding: [Self.fresh]) == ["a", "fresh"])
        let durations: [TestID: Duration] = [Self.tests[0]: .seconds(2), Self.tests[1]: .seconds(1)]
        #expect(names(.earlyReturn, line: 1, durations: durations) == ["b", "a"])
    }
}
