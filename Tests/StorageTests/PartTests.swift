import Gate
import RunModel
import TestSupport
import Testing

@testable import Storage

/// What pages read of a run instead of all of it.
@Suite struct PartTests {
    private static func known(_ run: TestRun) -> TestRun {
        var run = run
        let issue = Issue(message: "not yet", isKnown: true)
        run.tests.append(
            TestResult(
                id: TestID(module: "ToolTests", suite: "S", name: "known"), library: .swiftTesting,
                outcome: .knownIssue, attempts: [TestAttempt(outcome: .knownIssue, issues: [issue])]))
        run.tests.append(
            TestResult(
                id: TestID(module: "ToolTests", suite: "S", name: "plain"), library: .xctest, outcome: .passed,
                attempts: [TestAttempt(outcome: .passed)]))
        run.tests.sort { $0.id < $1.id }
        return run
    }

    @Test func `each kind of what is stored of a run reads as the whole run has it`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        var run = Self.known(SampleRuns.failing())
        run.gaps = SampleRuns.undecided().gaps
        run.diagnostics = [BuildDiagnostic(severity: .warning, message: "unused", location: nil)]
        try store.ingest(run)
        let whole = try #require(try store.run(run.id)).run
        #expect(try store.facts(of: run.id) == whole.facts)
        #expect(try store.gaps(of: run.id) == run.gaps)
        #expect(try store.notes(of: run.id) == run.notes)
        #expect(try store.diagnostics(of: run.id) == run.diagnostics)
        #expect(try store.results(of: run.id) == whole.tests)
        for outcome in Outcome.allCases {
            let ended = whole.tests.filter { $0.outcome == outcome }
            #expect(try store.results(of: run.id, ended: outcome) == ended, "\(outcome)")
        }
        let notable = whole.tests.filter { $0.outcome.isFailure || !$0.issues.isEmpty }
        #expect(try store.notableResults(of: run.id) == notable)
        #expect(try store.coverage(of: run.id) == whole.coverage)
        let files = try #require(whole.coverage?.files)
        for file in files {
            let found = try #require(try store.coverage(of: file.path, in: run.id))
            #expect(found.file == file)
            #expect(found.hasExecutionCounts)
        }
        #expect(try store.coverage(of: "../x", in: run.id)?.file == nil)
        // Counts are those of the newest run.
        try store.ingest(SampleRuns.passing(9))
        #expect(try store.coverage(of: files[0].path, in: run.id)?.hasExecutionCounts == false)
        #expect(try store.coverage(of: run.id)?.hasExecutionCounts == false)
    }

    @Test func `of a run without coverage and of one that is unknown nothing is made up`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        var run = SampleRuns.passing()
        run.coverage = nil
        try store.ingest(run)
        #expect(try store.coverage(of: run.id) == nil)
        #expect(try store.coverage(of: "Sources/Core/Core.swift", in: run.id)?.file == nil)
        let unknown = SampleRuns.id(9)
        #expect(try store.facts(of: unknown) == nil)
        #expect(throws: StorageError.self) { try store.gaps(of: unknown) }
        #expect(throws: StorageError.self) { try store.notes(of: unknown) }
        #expect(throws: StorageError.self) { try store.diagnostics(of: unknown) }
        #expect(throws: StorageError.self) { try store.results(of: unknown) }
        #expect(throws: StorageError.self) { try store.notableResults(of: unknown) }
        #expect(throws: StorageError.self) { try store.coverage(of: unknown) }
    }

    @Test func `one kind of what is stored is read without the others`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        let run = Self.known(SampleRuns.failing())
        try store.ingest(run)
        func statements<Value>(_ read: (RunStore) throws -> Value) throws -> Set<String> {
            let trace = StatementTrace()
            _ = try read(try RunStore(readOnly: store.path, trace: trace))
            return Set(trace.figures.keys)
        }
        let results = PageQuery.results.rawValue
        let coverage = PageQuery.coverage.rawValue
        let findings = PageQuery.findings.rawValue
        let verdict = StateQuery.verdict.rawValue
        let all: Set = [results, coverage, findings, verdict]
        #expect(try statements { try $0.run(run.id) }.isSuperset(of: all))
        #expect(try statements { try $0.facts(of: run.id) }.isDisjoint(with: all))
        #expect(try statements { try $0.diagnostics(of: run.id) }.isDisjoint(with: all))
        #expect(try statements { try $0.notes(of: run.id) }.intersection(all) == [findings])
        #expect(try statements { try $0.notableResults(of: run.id) }.intersection(all) == [results])
        #expect(try statements { try $0.coverage(of: run.id) }.intersection(all) == [coverage])
        let file = try statements { try $0.coverage(of: "Sources/Core/Core.swift", in: run.id) }
        #expect(file.intersection(all) == [coverage])
    }

    @Test func `tests of a target come with those that failed elsewhere`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        let run = Self.known(SampleRuns.failing())
        try store.ingest(run)
        let whole = try #require(try store.run(run.id)).run.tests
        for target in ["ToolTests", "CoreTests", "tooltests", ""] {
            let (summary, tests) = try #require(try store.tests(of: run.id, target: target))
            #expect(tests == whole.filter { $0.id.module == target || $0.outcome.isFailure }, "\(target)")
            #expect(try store.summary(of: run.id) == summary)
        }
        #expect(try store.tests(of: SampleRuns.id(9), target: "CoreTests") == nil)
    }

    @Test func `tests of a target are those of the run, however many other runs had there`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        func run(_ number: Int, _ tests: [String]) -> TestRun {
            var run = SampleRuns.passing(number)
            run.tests = tests.map { name in
                let parts = name.split(separator: ".")
                return TestResult(
                    id: TestID(module: String(parts[0]), suite: "S", name: String(parts[1])), library: .xctest,
                    outcome: .passed, attempts: [TestAttempt(outcome: .passed)])
            }
            return run
        }
        try store.ingest(run(1, (0..<40).map { "B.other\($0)" } + ["D.other"]))
        let names = ["A.a", "B.a", "B.b", "BC.a", "C.a", "C.b", "C.c"]
        try store.ingest(run(2, names))
        for target in ["", "A", "B", "BC", "C", "D", "b"] {
            let found = try #require(try store.tests(of: SampleRuns.id(2), target: target)).tests
            let wanted = names.filter { $0.hasPrefix("\(target).") }
            #expect(found.map { "\($0.id.module).\($0.id.name)" } == wanted, "\(target)")
        }
    }

    @Test func `tests of another project with the same module are left out`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        var other = SampleRuns.failing(1)
        other.project = "another"
        try store.ingest(other)
        let run = SampleRuns.passing(2)
        try store.ingest(run)
        #expect(try store.tests(of: run.id, target: "CoreTests")?.tests.count == run.tests.count)
    }
}

@Suite struct RegressionTests {
    private static let ids = ["fails", "passes", "comes and goes", "never passed", "skipped"].map {
        TestID(module: "M", suite: "S", name: $0)
    }

    /// A run in which each test ends as its letter says; a blank is a test that the run does not have.
    private static func run(_ number: Int, _ outcomes: String, branch: String = "main") -> TestRun {
        var run = SampleRuns.passing(number)
        run.revision?.branch = branch
        run.tests = zip(ids, outcomes).compactMap { id, letter in
            let outcome: Outcome
            switch letter {
            case "p": outcome = .passed
            case "f": outcome = .failed
            case "c": outcome = .crashed
            case "s": outcome = .skipped
            default: return nil
            }
            let attempts = outcome == .skipped ? [] : [TestAttempt(outcome: outcome)]
            return TestResult(id: id, library: .xctest, outcome: outcome, attempts: attempts)
        }.sorted { $0.id < $1.id }
        return run
    }

    @Test func `a test fails since the first of the runs in a row, passing over those that do not execute it`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        for run in [
            Self.run(1, "pppff"), Self.run(2, "pfffs"), Self.run(3, "cpp s"), Self.run(4, "s fff", branch: "topic"),
            Self.run(5, "  p s"), Self.run(6, "fpfcs"),
        ] { try store.ingest(run) }
        let project = SampleRuns.passing().project
        func found(_ branch: String?, runs: Int = 10) throws -> [String] {
            try store.regressions(of: Self.ids, project: project, branch: branch, runs: runs).map { found in
                let numbers = (1...6).filter {
                    SampleRuns.id($0) == found.since.id || SampleRuns.id($0) == found.lastPassed?.id
                }
                return "\(found.test.name): \(numbers)"
            }
        }
        #expect(
            try found("main") == ["fails: [2, 3]", "comes and goes: [5, 6]", "never passed: [1]", "skipped: [1]"])
        #expect(try found("main", runs: 1) == ["fails: [6]", "comes and goes: [6]", "never passed: [6]"])
        #expect(try found(nil) == ["fails: [2, 3]", "comes and goes: [5, 6]", "never passed: [1]", "skipped: [1]"])
        #expect(try found("topic") == ["comes and goes: [4]", "never passed: [4]", "skipped: [4]"])
        #expect(try found("nowhere") == [])
        #expect(try store.regressions(of: Self.ids, project: "none", branch: nil, runs: 10) == [])
    }

    @Test(arguments: [1, 16, 17, 40])
    func `however many tests fail, each is followed back to its first failure`(count: Int) throws {
        let place = try TemporaryStore()
        let store = try place.open()
        let ids = (0..<count).map { TestID(module: "M", suite: "S", name: "test\($0)") }.sorted()
        // The first test fails since the third run, all others since the second.
        for number in 1...4 {
            var run = SampleRuns.passing(number)
            run.tests = ids.enumerated().map { index, id in
                let outcome: Outcome = number >= (index == 0 ? 3 : 2) ? .failed : .passed
                return TestResult(
                    id: id, library: .xctest, outcome: outcome, attempts: [TestAttempt(outcome: outcome)])
            }
            try store.ingest(run)
        }
        let found = try store.regressions(of: ids, project: SampleRuns.passing().project, branch: "main", runs: 9)
        #expect(found.map(\.test) == ids)
        #expect(found.map(\.since.id) == ids.indices.map { SampleRuns.id($0 == 0 ? 3 : 2) })
        #expect(found.compactMap(\.lastPassed?.id) == ids.indices.map { SampleRuns.id($0 == 0 ? 2 : 1) })
    }

    @Test func `of tests that always failed no results are unpacked`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        for number in 1...4 { try store.ingest(Self.run(number, "fcfff")) }
        let trace = StatementTrace()
        let reader = try RunStore(readOnly: store.path, trace: trace)
        let project = SampleRuns.passing().project
        #expect(try reader.regressions(of: Self.ids, project: project, branch: "main", runs: 9).count == 5)
        #expect(trace.figures[PageQuery.results.rawValue] == nil)
        #expect(trace.figures[PageQuery.failureOfTest.rawValue]?.executions == 20)
    }
}
