import Foundation
import Gate
import RunModel
import TestSupport
import Testing

@testable import Storage

@Suite struct RoundTripTests {
    enum Sample: CaseIterable {
        case passing, failing, undecided, everything, bare

        var run: TestRun {
            switch self {
            case .passing: SampleRuns.passing()
            case .failing: SampleRuns.failing()
            case .undecided: SampleRuns.undecided()
            case .everything: RoundTripTests.everything
            case .bare: RoundTripTests.bare
            }
        }
    }

    @Test(arguments: Sample.allCases)
    func `a run is read back as it was stored`(sample: Sample) throws {
        let run = sample.run
        let place = try TemporaryStore()
        let verdict = Verdict.sample(for: run)
        #expect(try place.open().ingest(run, verdict: verdict, runDirectory: "/runs/<&>\u{0}") == .stored)

        let stored = try place.open().run(run.id)
        #expect(stored?.run == run.asStored)
        #expect(stored?.verdict == verdict)
        #expect(stored?.runDirectory == "/runs/<&>\u{0}")
        #expect(try place.open().check() == [])
    }

    @Test func `tests come and go in a suite of hundreds, and each stays one`() throws {
        func run(_ number: Int, _ names: some Sequence<Int>) -> TestRun {
            var run = SampleRuns.passing(number)
            let sample = run.tests[0]
            run.tests = names.map { name in
                var test = sample
                test.id = TestID(
                    module: sample.id.module, suite: sample.id.suite, name: "test\(5_000 + name)()")
                return test
            }
            return run
        }
        let place = try TemporaryStore()
        let store = try place.open()
        try store.ingest(run(1, 0..<300))
        // One in the middle is gone, one before all, one between and one behind all are new.
        let changed = run(2, [-1] + Array(0..<150) + Array(151..<200) + [350] + Array(360..<400))
        try store.ingest(changed)
        #expect(try store.run(changed.id)?.run.tests.map(\.id) == changed.tests.map(\.id))
        #expect(try store.tests(project: changed.project).count == 300 + 42)
    }

    @Test func `a part of the tests is known as such, and leaves the counts of the whole alone`() throws {
        let store = try TemporaryStore()
        try store.open().ingest(SampleRuns.passing(1))
        var part = SampleRuns.passing(2)
        part.selection = Selection(filters: ["a"], shard: Shard(index: 2, count: 3))
        try store.open().ingest(part)
        #expect(try store.open().run(part.id)?.run == part.withoutCounts)
        #expect(try store.open().run(SampleRuns.id(1))?.run == SampleRuns.passing(1))
        #expect(try store.open().runs(limit: 2).map(\.isPartial) == [true, false])
    }

    @Test func `a part of the tests between two runs of all tests leaves counts of the newer one only`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        var part = SampleRuns.passing(2)
        part.selection = Selection(filters: ["a"])
        for run in [SampleRuns.passing(1), part, SampleRuns.passing(3)] { try store.ingest(run) }
        #expect(try store.run(SampleRuns.id(1))?.run.coverage?.hasExecutionCounts == false)
        #expect(try store.run(SampleRuns.id(3))?.run == SampleRuns.passing(3))
        #expect(
            try store.read { try $0.statement("SELECT count(*) FROM line_counts").first { $0.int(0) } } == 1)
    }

    @Test func `the run of a laptop neither keeps counts from a run of CI nor leaves older ones behind`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        var laptop = SampleRuns.passing(2)
        laptop.delivery = DeliveryRecord(
            token: "laptop", isAttested: false, receivedAt: SampleRuns.moment, address: nil)
        // Its clock was ahead.
        laptop.startedAt = SampleRuns.passing(9).startedAt
        for run in [SampleRuns.passing(1), laptop, SampleRuns.passing(3)] { try store.ingest(run) }
        let haveCounts = try [1, 2, 3].map { try store.run(SampleRuns.id($0))?.run.coverage?.hasExecutionCounts }
        #expect(haveCounts == [false, false, true])
    }

    @Test func `a merged run has counts where its shards are stored, too`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        for number in 1...2 {
            var shard = SampleRuns.passing(number)
            shard.selection = Selection(shard: Shard(index: number, count: 2))
            try store.ingest(shard)
        }
        // It begins with the first of them.
        var merged = SampleRuns.passing(3)
        merged.startedAt = SampleRuns.passing(1).startedAt
        merged.shards = [SampleRuns.id(1), SampleRuns.id(2)]
        try store.ingest(merged)
        let stored = try store.run(merged.id)
        #expect(stored?.run.coverage == merged.coverage)
    }

    @Test func `a run stored twice is one run`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        let run = SampleRuns.failing()
        #expect(try store.ingest(run) == .stored)
        var other = run
        other.package = "Another"
        #expect(try store.ingest(other) == .alreadyPresent)
        #expect(try store.runs(limit: 10).map(\.package) == ["VideoKit"])
    }

    @Test(arguments: [ReasonCode.artifactDamaged, .shardMissing])
    func `what came in as a damaged copy gives way to the whole run alone`(code: ReasonCode) throws {
        let place = try TemporaryStore()
        let store = try place.open()
        let whole = SampleRuns.failing()
        var damaged = whole
        damaged.gaps = [Gap(code, subject: "events.jsonl", detail: "9 bytes, 10 were recorded")]
        damaged.tests.removeLast()
        #expect(try store.ingest(damaged, decision: .undecided) == .stored)
        #expect(try store.ingest(damaged, decision: .passed) == .alreadyPresent)
        #expect(try store.runs(limit: 9).map(\.decision) == [.undecided])
        #expect(try store.ingest(whole, decision: .failed) == .stored)
        #expect(try store.ingest(damaged, decision: .undecided) == .alreadyPresent)
        #expect(try store.ingest(whole, decision: .passed) == .alreadyPresent)
        #expect(try store.runs(limit: 9).map(\.decision) == [.failed])
        #expect(try store.run(whole.id)?.run == whole.asStored)
        #expect(try store.ingest(SampleRuns.passing(3)) == .stored)
        #expect(try store.check() == [])
    }

    @Test func `names that differ only in normalization form stay two tests`() throws {
        let place = try TemporaryStore()
        var run = SampleRuns.passing()
        run.project = "caf\u{E9}"
        run.tests = ["cafe\u{301}()", "caf\u{E9}()"].map { name in
            TestResult(
                id: TestID(module: "M", suite: name, name: name), library: .swiftTesting, outcome: .passed,
                attempts: [TestAttempt(outcome: .passed, duration: .nanoseconds(1))]
            )
        }
        try place.open().ingest(run)
        #expect(try place.open().run(run.id)?.run.tests == run.tests)
        #expect(try place.open().tests(project: "caf\u{E9}").map(\.id) == run.tests.map(\.id))
        #expect(try place.open().tests(project: "cafe\u{301}") == [])
        #expect(
            try place.open().history(of: run.tests[0].id, project: "caf\u{E9}", runs: 9).map(\.outcome) == [.passed])
    }

    @Test func `counts are kept for the newest run of a project, states for all`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        var other = SampleRuns.passing(9)
        other.project = "another"
        for run in [SampleRuns.passing(5), SampleRuns.passing(3), SampleRuns.passing(6), other] {
            try store.ingest(run)
        }
        // Without coverage there is nothing that could take the place of the counts.
        var broken = SampleRuns.passing(7)
        broken.coverage = nil
        try store.ingest(broken)

        #expect(try store.run(SampleRuns.id(6))?.run == SampleRuns.passing(6))
        #expect(try store.run(SampleRuns.id(9))?.run == other)
        for number in [3, 5] {
            let stored = try store.run(SampleRuns.id(number))
            #expect(stored?.run == SampleRuns.passing(number).withoutCounts)
        }
        #expect(try store.check() == [])
    }

    @Test func `a run that contradicts itself is refused and leaves no trace`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        var twice = SampleRuns.passing()
        twice.tests.append(twice.tests[0])
        #expect(throws: StorageError.self) { try store.ingest(twice) }
        var disordered = SampleRuns.passing()
        disordered.coverage?.files[1].lines.swapAt(0, 1)
        #expect(
            throws: StorageError.invalidRun(
                id: disordered.id, message: "the lines of Sources/Core/URLRule.swift are not in ascending order")
        ) { try store.ingest(disordered) }
        var endless = SampleRuns.passing()
        endless.duration = .seconds(Int64.max)
        #expect(throws: StorageError.invalidRun(id: endless.id, message: "a duration is longer than 292 years")) {
            try store.ingest(endless)
        }
        #expect(try store.isEmpty)
        #expect(try store.projects() == [])
    }

    @Test func `a date of milliseconds survives to the bit`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        var runs: [TestRun] = []
        for number in 0..<50 {
            var run = SampleRuns.passing(number)
            run.startedAt = Date(timeIntervalSince1970: 1_767_323_045 + Double(number * 37) / 1000)
            try store.ingest(run)
            runs.append(run)
        }
        #expect(try store.runs(limit: 100).map(\.startedAt) == runs.reversed().map(\.startedAt))
    }

    /// Every field that can be there is there, every text is hostile.
    static let everything: TestRun = {
        let hostile = SampleRuns.hostile + "\u{0}\u{FFFF}e\u{301}"
        let place = SourceLocation(path: hostile, line: 7, column: 3)
        var run = SampleRuns.failing(4)
        run.project = hostile
        run.package = hostile
        run.revision = Revision(commit: nil, tree: nil, branch: hostile, subject: "", isDirty: true)
        run.startedAt = Date(timeIntervalSince1970: 1_767_323_045.123)
        run.duration = .nanoseconds(41_200_000_001)
        run.engine = .direct
        run.jobs = 3
        run.localPackages = [
            LocalPackage(path: hostile, modules: [hostile]), LocalPackage(path: "../b", modules: nil),
        ]
        run.selection = Selection(disabledTargets: [hostile])
        run.steps = RunStep.Kind.allCases.map {
            RunStep(
                kind: $0, arguments: ["", hostile, hostile], duration: .nanoseconds(1), termination: .signaled(9),
                wasTimedOut: true
            )
        }
        run.steps.append(RunStep(kind: .test, arguments: [], duration: .zero, termination: .exited(-1)))
        run.notMeasurable = ["CShim": hostile, "é": "", "tool": "x"]
        run.diagnostics = [
            BuildDiagnostic(severity: .error, message: hostile, location: place),
            BuildDiagnostic(severity: .warning, message: ""),
        ]
        run.tests = Outcome.allCases.flatMap { outcome in
            TestingLibrary.allCases.map { library in
                TestResult(
                    id: TestID(
                        module: hostile, suite: outcome.rawValue, name: library.rawValue + hostile,
                        discriminator: hostile
                    ),
                    library: library, outcome: outcome, displayName: "", suiteDisplayName: hostile,
                    tags: ["", hostile],
                    location: place,
                    arguments: ["", hostile],
                    attempts: [.failed, outcome].map {
                        TestAttempt(
                            outcome: $0, duration: $0 == .failed ? nil : .seconds(2),
                            issues: [
                                Issue(
                                    message: hostile, location: place, isKnown: true, isWarning: true,
                                    argument: hostile
                                ), Issue(message: ""),
                            ]
                        )
                    },
                    skipReason: hostile
                )
            }
        }.sorted { $0.id < $1.id }
        run.coverage = Coverage(
            files: [
                FileCoverage(
                    path: hostile, module: hostile, sourceHash: hostile,
                    lines: [1, 2, 3, 5, 900, Int32.max].map {
                        LineCount(line: $0, count: ExecutionCount($0 == 3 ? 0 : UInt64.max - UInt64($0)))
                    },
                    regions: CoverageTally(covered: 3, total: 1), functions: CoverageTally()
                ),
                FileCoverage(
                    path: "a", module: "Core", lines: [], regions: CoverageTally(), functions: CoverageTally()),
            ],
            unattributed: [
                UnattributedFile(path: hostile, kind: .test, lines: CoverageTally(covered: 1, total: 9)),
                UnattributedFile(path: ""),
            ]
        )
        run.gaps = ReasonCode.allCases.map { Gap($0, subject: hostile, detail: "") }
        run.notes = ReasonCode.allCases.map { Note($0, subject: "", detail: hostile) }
        return run
    }()

    /// Nothing but what must be there.
    static let bare = TestRun(
        RunHead(
            id: SampleRuns.id(8), project: "", package: "", startedAt: SampleRuns.moment, duration: .zero,
            engine: .foreign))
}
