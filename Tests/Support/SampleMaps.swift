public import RunModel

/// Per-test coverage of three tests.
public enum SampleMaps {
    /// The tests, with names that have to be escaped.
    public static let tests = [
        TestID(module: "CoreTests", suite: "A", name: "one"),
        TestID(module: "CoreTests", suite: "A", name: "two \"\u{1}\\ガ"),
        TestID(module: "CoreTests", suite: "B", name: "three()", discriminator: "B.swift"),
    ]

    /// A function that was never called, at lines 20 to 30.
    public static func uncalled(_ name: String) -> SourceFunction {
        SourceFunction(name: name, line: 20, column: 1, endLine: 30, endColumn: 2)
    }

    /// The map: `f` is executed by the first and the last test, a line of it by the last alone, and `g` by all and by others.
    public static let map = TestMap(
        tests: tests,
        sets: [
            TestMap.TestSet(tests: [0, 2]), TestMap.TestSet(tests: [2]),
            TestMap.TestSet(tests: [0, 1, 2], hasOthers: true),
        ],
        files: [
            TestMap.File(
                path: "Sources/Core/F.swift",
                functions: [
                    TestMap.Function(
                        symbol: "$s4Core1fyyF", line: 3, lastLine: 9, set: 0,
                        spans: [TestMap.Span(first: 3, last: 5, set: 0), TestMap.Span(first: 7, last: 7, set: 1)]),
                    TestMap.Function(
                        symbol: "$s4Core1fyyFU_", line: 7, lastLine: 8, set: 1,
                        spans: [TestMap.Span(first: 7, last: 8, set: 1)]),
                ]),
            TestMap.File(
                path: "Sources/Core/G.swift",
                functions: [
                    TestMap.Function(
                        symbol: "$s4Core1gyyF", line: 1, lastLine: 2, set: 2,
                        spans: [TestMap.Span(first: 1, last: 2, set: 2)])
                ]),
        ],
        durations: [tests[0]: .microseconds(2500), tests[2]: .zero])
}
