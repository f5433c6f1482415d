public import Foundation
public import RunModel

/// Runs to judge, store, export and render: one of each kind, with names as people write them.
public enum SampleRuns {
    /// A fixed moment, so that snapshots do not depend on the clock: 2026-01-02T03:04:05Z.
    public static let moment = Date(timeIntervalSince1970: 1_767_323_045)

    /// The id of the n-th sample run, one second after the one before.
    public static func id(_ number: Int) -> RunID {
        RunID(milliseconds: UInt64(1_767_323_045_000 + number * 1000), random: (UInt64(number), UInt64(number)))
    }

    /// What a run of an exact tree depends on, as far as it has to be known for it to speak for its commit.
    public static let inputs = RunInputs(platform: "linux", checkout: "", environment: "", settings: "")

    /// A library `Core`, a tool, a C target and their tests.
    public static let modules = [
        Module(
            name: "Core", compilerName: "Core", kind: .library, isSwift: true, path: "Sources/Core",
            sources: ["Core.swift", "URLRule.swift"], dependencies: []
        ),
        Module(
            name: "tool", compilerName: "tool", kind: .executable, isSwift: true, path: "Sources/tool",
            sources: ["main.swift"], dependencies: ["Core"]
        ),
        Module(
            name: "CShim", compilerName: "CShim", kind: .library, isSwift: false, path: "Sources/CShim",
            sources: ["shim.c"], dependencies: []
        ),
        Module(
            name: "CoreTests", compilerName: "CoreTests", kind: .test, isSwift: true, path: "Tests/CoreTests",
            sources: ["CoreTests.swift"], dependencies: ["Core"]
        ),
    ]

    /// Lines 1 to `count` of which the first `covered` were executed.
    public static func lines(_ count: Int, covered: Int) -> [LineCount] {
        (0..<count).map { LineCount(line: Int32($0 + 1), count: ExecutionCount($0 < covered ? 3 : 0)) }
    }

    /// A run in which everything passed: `Core` 19 of 20 lines, `tool` 8 of 10.
    public static func passing(_ number: Int = 1) -> TestRun {
        TestRun(
            RunHead(
                id: id(number), project: "example/video-kit", package: "VideoKit",
                revision: Revision(
                    commit: String(repeating: "9f3c2ab1", count: 5), tree: String(repeating: "41d0e77a", count: 5),
                    folder: "", branch: "main", subject: "Decode thumbnails without width", isDirty: false
                ),
                startedAt: moment.addingTimeInterval(Double(number)), duration: .milliseconds(41_200),
                engine: .swiftTest),
            RunFacts(
                toolchain: Toolchain(
                    swiftVersion: "Swift version 6.3.1 (swift-6.3.1-RELEASE)", llvmVersion: "LLVM version 21.0.0",
                    target: "x86_64-unknown-linux-gnu"
                ),
                inputs: inputs,
                steps: [
                    RunStep(
                        kind: .build, arguments: ["swift", "build"], duration: .seconds(30), termination: .exited(0)
                    ),
                    RunStep(
                        kind: .test, arguments: ["swift", "test"], duration: .seconds(11), termination: .exited(0)),
                ],
                modules: modules),
            notMeasurable: ["CShim": "a C-family target"],
            tests: [
                TestResult(
                    id: TestID(module: "CoreTests", suite: "VideoInfoTests", name: "test_異常系_thumbnailのURLがnil"),
                    library: .xctest, outcome: .passed,
                    attempts: [TestAttempt(outcome: .passed, duration: .milliseconds(3))]
                ),
                TestResult(
                    id: TestID(module: "CoreTests", suite: "Parsing/Flags", name: "counts 🇯🇵 as one(_:)"),
                    library: .swiftTesting, outcome: .passed, displayName: "counts 🇯🇵 as one",
                    tags: [".unicode", ".Net.http"],
                    location: SourceLocation(path: "Tests/CoreTests/CoreTests.swift", line: 40, column: 6),
                    arguments: ["\"🇯🇵\"", "\"👨‍👩‍👧\""],
                    attempts: [TestAttempt(outcome: .passed, duration: .microseconds(870))]
                ),
                TestResult(
                    id: TestID(module: "CoreTests", suite: "VideoInfoTests", name: "testNetwork"),
                    library: .xctest, outcome: .skipped, skipReason: "needs a network"
                ),
            ].sorted { $0.id < $1.id },
            coverage: Coverage(
                files: [
                    FileCoverage(
                        path: "Sources/Core/Core.swift", module: "Core", sourceHash: nil, lines: lines(12, covered: 12),
                        regions: CoverageTally(covered: 9, total: 9), functions: CoverageTally(covered: 4, total: 4)
                    ),
                    FileCoverage(
                        path: "Sources/Core/URLRule.swift", module: "Core", sourceHash: nil,
                        lines: lines(8, covered: 7), regions: CoverageTally(covered: 5, total: 6),
                        functions: CoverageTally(covered: 2, total: 2)
                    ),
                    FileCoverage(
                        path: "Sources/tool/main.swift", module: "tool", sourceHash: nil, lines: lines(10, covered: 8),
                        regions: CoverageTally(covered: 4, total: 5), functions: CoverageTally(covered: 1, total: 1)
                    ),
                ]
            )
        )
    }

    /// A run in which one test failed, one crashed, and `tool` is under 80 %; every text in it is hostile.
    public static func failing(_ number: Int = 2) -> TestRun {
        var run = passing(number)
        run.revision?.subject = hostile
        run.steps[1].termination = .exited(1)
        run.tests[0].outcome = .failed
        run.tests[0].attempts = [
            TestAttempt(
                outcome: .failed, duration: .milliseconds(3),
                issues: [
                    Issue(
                        message: "XCTAssertEqual failed: (\"33\") is not equal to (\"34\") - \(hostile)",
                        location: SourceLocation(path: "Tests/CoreTests/CoreTests.swift", line: 35)
                    )
                ],
                output: "printed \(hostile)"
            )
        ]
        run.tests.append(
            TestResult(
                id: TestID(module: "CoreTests", suite: "Zoo", name: hostile), library: .swiftTesting,
                outcome: .crashed, displayName: hostile, tags: [hostile],
                attempts: [
                    TestAttempt(
                        outcome: .crashed,
                        issues: [
                            Issue(
                                message: "Fatal error: Index out of range",
                                location: SourceLocation(path: "Sources/Core/Core.swift", line: 3)
                            )
                        ]
                    )
                ]
            )
        )
        run.coverage?.files[2].lines = lines(10, covered: 5)
        run.notes = [Note(.reportRepaired, subject: "xunit.xml", detail: "1 name was not escaped: \(hostile)")]
        return run
    }

    /// A run of which the evidence does not establish the end.
    public static func undecided(_ number: Int = 3) -> TestRun {
        var run = passing(number)
        run.tests[0].outcome = .notRun
        run.tests[0].attempts = []
        run.gaps = [Gap(.testsNotRun, subject: "CoreTests", detail: "1 of 3 tests has no result")]
        return run
    }

    /// A run on a known machine in which one test is flaky, and another with a hostile name failed.
    public static func unsteady(_ number: Int = 5) -> TestRun {
        var run = passing(number)
        run.machine = MachineClass(processor: "Sample Processor 1", cores: 2)
        let failure = Issue(
            message: "the server did not answer",
            location: SourceLocation(path: "Tests/CoreTests/CoreTests.swift", line: 35)
        )
        run.tests[0].attempts = [
            TestAttempt(outcome: .failed, duration: .milliseconds(9), issues: [failure]),
            TestAttempt(outcome: .passed, duration: .milliseconds(3)),
        ]
        run.tests.append(
            TestResult(
                id: TestID(module: "CoreTests", suite: "Zoo", name: hostile), library: .xctest, outcome: .failed,
                attempts: [TestAttempt(outcome: .failed, duration: .seconds(2), issues: [failure])]
            )
        )
        return run
    }

    /// Text that tries to be markup, a terminal command, a path, SQL, a Jenkins command and a table cell at once.
    public static let hostile =
        "<script>alert(1)</script>\u{1B}[31m]]>&amp;\"'|`../../etc/passwd`\u{202E}'; DROP TABLE runs;--\n::error::x"
}

extension TestResult {
    /// Whether a list says more of it than how it ended and how long it took.
    public var hasDetails: Bool {
        let isOpen = outcome == .notRun && !attempts.isEmpty
        return outcome.isFailure || outcome == .knownIssue || isOpen || attempts.contains { $0.outcome != outcome }
            || attempts.count > 1
    }
}
