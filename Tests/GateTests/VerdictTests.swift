import RunModel
import TestSupport
import Testing

@testable import Gate

@Suite struct VerdictTests {
    @Test func `a run that reaches every floor passes`() throws {
        let verdict = try Verdict(judging: SampleRuns.passing(), by: Policy())
        let floors = Floors(line: .percent(80))
        #expect(
            verdict
                == Verdict(
                    decision: .passed, violations: [], gaps: [],
                    modules: [
                        ModuleCoverage(
                            module: "Core", lines: CoverageTally(covered: 19, total: 20),
                            regions: CoverageTally(covered: 14, total: 15),
                            functions: CoverageTally(covered: 6, total: 6), floors: floors
                        ),
                        ModuleCoverage(
                            module: "tool", lines: CoverageTally(covered: 8, total: 10),
                            regions: CoverageTally(covered: 4, total: 5),
                            functions: CoverageTally(covered: 1, total: 1), floors: floors
                        ),
                        ModuleCoverage(module: "CShim", notMeasurable: "a C-family target"),
                    ],
                    policy: Policy()
                )
        )
        #expect(verdict.exitStatus == .passed)
    }

    @Test func `failed tests come first, then the floors with their lines`() throws {
        let run = SampleRuns.failing()
        let verdict = try Verdict(judging: run, by: Policy())
        let floor = try #require(Percentage.percent(80))
        #expect(verdict.decision == .failed)
        #expect(verdict.exitStatus == .testsFailed)
        #expect(
            verdict.violations == [
                .testFailed(id: run.tests[0].id, outcome: .failed, issue: run.tests[0].firstFailure),
                .testFailed(id: run.tests[3].id, outcome: .crashed, issue: run.tests[3].firstFailure),
                .floorMissed(
                    module: "tool",
                    MissedCoverage(
                        metric: .line, tally: CoverageTally(covered: 5, total: 10), floor: floor,
                        shortfall: 3, files: [MissedFile(path: "Sources/tool/main.swift", missed: 5, ranges: [6...10])]
                    )
                ),
            ]
        )
    }

    @Test func `a partial run is not judged by its coverage, but still fails by its tests`() throws {
        var run = SampleRuns.failing()
        run.selection = Selection(filters: ["VideoInfo"])
        let partial = try Verdict(judging: run, by: Policy(minimumTests: 1000))
        #expect(
            partial.violations == [
                .testFailed(id: run.tests[0].id, outcome: .failed, issue: run.tests[0].firstFailure),
                .testFailed(id: run.tests[3].id, outcome: .crashed, issue: run.tests[3].firstFailure),
            ]
        )
        #expect(partial.modules.map(\.floors) == [Floors(), Floors(), Floors()])
        run = SampleRuns.passing()
        run.selection = Selection(shard: Shard(index: 2, count: 3))
        run.coverage = nil
        #expect(try Verdict(judging: run, by: Policy(minimumTests: 1000)).exitStatus == .passed)
        run.selection = Selection(disabledTargets: ["SlowTests"])
        #expect(try Verdict(judging: run, by: Policy()).exitStatus == .undecided)
    }

    @Test func `a crash explains that there is no coverage, a failure does not`() throws {
        var run = SampleRuns.passing()
        run.coverage = nil
        run.tests[0].outcome = .timedOut
        #expect(try Verdict(judging: run, by: Policy()).exitStatus == .testsFailed)
        run.tests[0].outcome = .failed
        let verdict = try Verdict(judging: run, by: Policy())
        #expect(verdict.exitStatus == .undecided)
        #expect(verdict.gaps.map(\.code) == [.coverageMissing])
    }

    @Test func `failed tests are in the order of their identity`() throws {
        var run = SampleRuns.passing()
        for index in run.tests.indices { run.tests[index].outcome = [.failed, .crashed, .timedOut][index] }
        let expected = run.tests.map { Violation.testFailed(id: $0.id, outcome: $0.outcome, issue: $0.firstFailure) }
        run.tests.reverse()
        #expect(try Verdict(judging: run, by: Policy()).violations == expected)
    }

    @Test func `a missed floor names the files, the worst first`() throws {
        let policy = Policy(
            modules: [
                ModuleRule(
                    pattern: "Core",
                    floors: Floors(line: .percent(100), region: .percent(100), function: .percent(100))
                )
            ]
        )
        var run = SampleRuns.passing()
        run.coverage?.files[0].lines = [1, 2, 3, 5, 8].map {
            LineCount(line: $0, count: ExecutionCount($0 == 3 ? 1 : 0))
        }
        run.coverage?.files[1].functions = CoverageTally(covered: 0, total: 2)
        let verdict = try Verdict(judging: run, by: policy)
        let floor = try #require(Percentage.percent(100))
        let rule = MissedFile(path: "Sources/Core/URLRule.swift", missed: 1, ranges: [8...8])
        let core = MissedFile(path: "Sources/Core/Core.swift", missed: 4, ranges: [1...2, 5...8])
        var functions = rule
        functions.missed = 2
        #expect(
            verdict.violations == [
                .floorMissed(
                    module: "Core",
                    MissedCoverage(
                        metric: .line, tally: CoverageTally(covered: 8, total: 13), floor: floor,
                        shortfall: 5, files: [core, rule]
                    )
                ),
                .floorMissed(
                    module: "Core",
                    MissedCoverage(
                        metric: .region, tally: CoverageTally(covered: 14, total: 15), floor: floor,
                        shortfall: 1, files: [rule]
                    )
                ),
                .floorMissed(
                    module: "Core",
                    MissedCoverage(
                        metric: .function, tally: CoverageTally(covered: 4, total: 6), floor: floor,
                        shortfall: 2, files: [functions]
                    )
                ),
            ]
        )
        #expect(verdict.exitStatus == .gateFailed)
    }

    @Test func `a gap makes the verdict undecided, and violations are still listed`() throws {
        var run = SampleRuns.failing()
        run.gaps = [Gap(.reportTruncated, subject: "xunit.xml", detail: "ends at byte 52")]
        let verdict = try Verdict(judging: run, by: Policy())
        #expect(verdict.decision == .undecided)
        #expect(verdict.gaps == run.gaps)
        #expect(verdict.violations == (try Verdict(judging: SampleRuns.failing(), by: Policy()).violations))
        #expect(verdict.exitStatus == .undecided)
    }

    @Test func `a fault of the build system says nothing about the package`() throws {
        var run = SampleRuns.passing()
        run.steps[0].termination = .signaled(11)
        (run.tests, run.coverage) = ([], nil)
        run.gaps = [Gap(.buildSystemFailed, subject: "swiftbuild", detail: "signal 11 ended Swift Build")]
        let verdict = try Verdict(judging: run, by: Policy())
        #expect(verdict.decision == .undecided)
        #expect(verdict.gaps.map(\.code) == [.buildSystemFailed, .noTests])
        #expect(verdict.violations == [])
        #expect(verdict.exitStatus == .undecided)
    }

    @Test func `a failed build is sure in spite of gaps, and nothing else is judged`() throws {
        var run = SampleRuns.passing()
        run.steps[0].termination = .exited(1)
        run.tests = []
        run.coverage = nil
        run.gaps = [Gap(.noTests, detail: "the run has no test")]
        let located = BuildDiagnostic(
            severity: .error, message: "cannot find 'x' in scope",
            location: SourceLocation(path: "Sources/a.swift", line: 3)
        )
        run.diagnostics = [
            BuildDiagnostic(severity: .warning, message: "unused"),
            BuildDiagnostic(severity: .error, message: "emit-module command failed"), located,
        ]
        let verdict = try Verdict(judging: run, by: Policy(minimumTests: 5))
        #expect(verdict.decision == .failed)
        #expect(verdict.violations == [.buildFailed(errors: 2, first: located)])
        #expect(verdict.gaps == run.gaps)
        #expect(verdict.exitStatus == .buildFailed)
    }

    @Test(arguments: [(2, [Violation]()), (3, [.tooFewTests(executed: 2, minimum: 3)])])
    func `skipped tests do not count as executed`(minimum: Int, violations: [Violation]) throws {
        let verdict = try Verdict(judging: SampleRuns.passing(), by: Policy(minimumTests: minimum))
        #expect(verdict.violations == violations)
    }

    @Test(arguments: [(nil, [Violation]()), (1, []), (0, [.tooManySkipped(1, most: 0)])])
    func `more skipped tests than allowed block`(most: Int?, violations: [Violation]) throws {
        let verdict = try Verdict(judging: SampleRuns.passing(), by: Policy(maxSkipped: most))
        #expect(verdict.violations == violations)
        var part = SampleRuns.passing()
        part.selection = Selection(filters: ["x"])
        #expect(try Verdict(judging: part, by: Policy(maxSkipped: most)).violations == [])
    }

    @Test func `more warnings than allowed block, and the first is named`() throws {
        var run = SampleRuns.passing()
        let place = SourceLocation(path: "Tests/T.swift", line: 3)
        run.tests[0].attempts = [
            TestAttempt(
                outcome: .passed, issues: [Issue(message: "mind this", location: place, isWarning: true)])
        ]
        #expect(try Verdict(judging: run, by: Policy(maxWarnings: 1)).violations == [])
        let verdict = try Verdict(judging: run, by: Policy(maxWarnings: 0))
        #expect(verdict.violations == [.tooManyWarnings(run.warnings, most: 0)])
        #expect(
            verdict.violations.first?.sentence
                == "1 warning recorded by tests instead of at most 0; the first is of \(run.tests[0].id) at Tests/T.swift:3"
        )
        run.selection = Selection(filters: ["x"])
        #expect(try Verdict(judging: run, by: Policy(maxWarnings: 0)).violations == [])
    }

    @Test func `what a sanitizer reports fails the run like a failed test`() throws {
        var run = SampleRuns.passing()
        run.notes.append(Note(.sanitizerReport, detail: "ThreadSanitizer: data race Sources/A.swift:6:83 in f()"))
        let verdict = try Verdict(judging: run, by: Policy())
        #expect(
            verdict.violations.map(\.sentence) == [
                "a sanitizer reports: ThreadSanitizer: data race Sources/A.swift:6:83 in f()"
            ])
        #expect(verdict.exitStatus == .testsFailed)
        run.selection = Selection(filters: ["x"])
        #expect(try Verdict(judging: run, by: Policy()).exitStatus == .testsFailed)
    }

    @Test func `a skip that the base did not allow blocks although the run allows it`() throws {
        var trial = Trial()
        trial.baseline.settings?.policy.maxSkipped = 0
        #expect(try trial.verdict().violations.map(\.rule) == ["max-skipped", "gate-change"])
        #expect(try trial.verdict(GateChangeTests.waiver("max-skipped-raised")).decision == .passed)
    }

    @Test func `a verdict can be stored and read back`() throws {
        for run in [SampleRuns.passing(), SampleRuns.failing(), SampleRuns.undecided()] {
            let verdict = try Verdict(judging: run, by: Policy())
            #expect(try JSONRoundTrip.of(verdict) == verdict)
        }
    }
}
