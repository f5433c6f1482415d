import RunModel
import TestSupport
import Testing

@testable import Gate

/// What reaches a test, and what does not: only a change that nobody executes.
@Suite struct UnexecutedChangeTests {
    private static let path = "Sources/Core/F.swift"

    private static func function(_ lines: ClosedRange<Int32>, name: String = "f()") -> SourceFunction {
        SourceFunction(name: name, line: lines.lowerBound, column: 1, endLine: lines.upperBound, endColumn: 2)
    }

    /// A run of Swift Testing with one failed test: a function was called, and another one never.
    private static func run(
        uncalled: SourceFunction = Self.function(20...30), called: SourceFunction = Self.function(3...9)
    ) -> TestRun {
        var run = SampleRuns.passing()
        run.modules = run.modules.filter { [.library, .test].contains($0.kind) }
        run.steps = []
        run.testMap = nil
        run.tests = [
            TestResult(
                id: SampleMaps.tests[0], library: .swiftTesting, outcome: .failed,
                attempts: [TestAttempt(outcome: .failed, issues: [Issue(message: "m")])])
        ]
        run.coverage = Coverage(
            files: [
                FileCoverage(
                    path: path, module: "Core", lines: [], regions: CoverageTally(), functions: CoverageTally(),
                    unexecuted: UnexecutedCode(functions: [uncalled]), calledFunctions: [called])
            ])
        return run
    }

    private func kind(
        _ run: TestRun, _ lines: Range<Int> = 22..<23, path: String = Self.path, isUnexecuted: Bool? = true,
        isWhole: Bool = true, alone: TrialTally = TrialTally(failed: 2)
    ) -> FailureCause.Kind? {
        let change = FileChange(path: path, basePath: path, changes: [ChangedLines(base: lines, head: lines)])
        let test = FailureObservation(
            test: SampleMaps.tests[0], alone: alone,
            base: FailureObservation.OnBase(alone: TrialTally(passed: 2)),
            recorded: FailureObservation.Recorded(isUnexecuted: isUnexecuted))
        let seen = FailureObservations(isWholeChange: isWhole, tests: [test])
        return FailureCauses(of: run, seen, changes: [change]).entries.first?.kind
    }

    @Test func `a change that nobody executes, here and on the base, reaches no test`() {
        #expect(kind(Self.run()) == .unreached)
        #expect(kind(Self.run(), alone: TrialTally(passed: 6, failed: 4)) == .flaky)
    }

    @Test func `whoever executes it may hand it on by a file, in a process of another library, too`() {
        #expect(kind(Self.run(), 5..<6) == .yours)
        #expect(kind(Self.run(called: Self.function(21...25))) == .yours)
        #expect(kind(Self.run(), isUnexecuted: false) == .yours)
        // The map of the run itself has a test of the other library that executes it.
        var mapped = Self.run()
        mapped.testMap = SampleMaps.map
        mapped.tests[0].id = SampleMaps.tests[1]
        mapped.tests[0].location = SourceLocation(path: "Tests/CoreTests/A.swift", line: 1)
        let change = FileChange(
            path: Self.path, basePath: Self.path, changes: [ChangedLines(base: 4..<5, head: 4..<5)])
        let seen = FailureObservation(
            test: SampleMaps.tests[1], alone: TrialTally(failed: 3),
            base: FailureObservation.OnBase(alone: TrialTally(passed: 3)))
        let cause = FailureCauses(
            of: mapped, FailureObservations(isWholeChange: true, tests: [seen]), changes: [change]
        ).entries.first
        #expect(cause?.kind == .unknown && cause?.doubt == .indirect)
    }

    @Test func `where it is not known who executes what, nothing is out of reach`() {
        #expect(kind(Self.run(), isUnexecuted: nil) == .yours)
        #expect(kind(Self.run(), isWhole: false) == .yours)
        // The end of the function, lines outside of it, an initial value, and a file that nobody measured.
        #expect(kind(Self.run(), 30..<31) == .yours)
        #expect(kind(Self.run(), 40..<41) == .yours)
        let initial = Self.function(20...30, name: "variable initialization expression of C.x")
        #expect(kind(Self.run(uncalled: initial)) == .yours)
        #expect(kind(Self.run(), path: "Sources/Core/G.swift") == .yours)
        // What was executed by a process that crashed is lost.
        var run = Self.run()
        run.tests.append(
            TestResult(
                id: SampleMaps.tests[1], library: .xctest, outcome: .crashed,
                attempts: [TestAttempt(outcome: .crashed, issues: [Issue(message: "boom")])]))
        #expect(kind(run) == .yours)
        run = Self.run()
        run.coverage?.files[0].calledFunctions = nil
        #expect(kind(run) == .yours)
        run.coverage = nil
        #expect(kind(run) == .yours)
    }
}
