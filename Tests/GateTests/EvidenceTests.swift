import RunModel
import TestSupport
import Testing

@testable import Gate

/// What is missing never makes a run green, even where its readers forgot to say so.
@Suite struct EvidenceTests {
    @Test func `a run without tests is undecided and says that nothing ran`() throws {
        var run = SampleRuns.passing()
        run.tests = []
        run.coverage = nil
        let verdict = try Verdict(judging: run, by: Policy())
        #expect(verdict.decision == .undecided)
        #expect(verdict.gaps == [Gap(.noTests, detail: "the run has no test")])
        #expect(verdict.violations == [])
        #expect(verdict.exitStatus == .noTests)
    }

    @Test func `a run that was ended before its tests is undecided for that alone`() throws {
        var run = SampleRuns.passing()
        run.tests = []
        run.coverage = nil
        run.gaps = [Gap(.interrupted, detail: "after 1 s")]
        let verdict = try Verdict(judging: run, by: Policy())
        #expect(verdict.gaps == run.gaps)
        #expect(verdict.exitStatus == .undecided)
    }

    @Test func `a run without tests also misses the minimum that somebody set`() throws {
        var run = SampleRuns.passing()
        run.tests = []
        let verdict = try Verdict(judging: run, by: Policy(minimumTests: 5))
        #expect(verdict.violations == [.tooFewTests(executed: 0, minimum: 5)])
        #expect(verdict.exitStatus == .noTests)
    }

    @Test func `a run in which every test was skipped is undecided`() throws {
        var run = SampleRuns.passing()
        for index in run.tests.indices { run.tests[index].outcome = .skipped }
        let verdict = try Verdict(judging: run, by: Policy())
        #expect(verdict.gaps == [Gap(.allSkipped, detail: "skipped tests: 3 of 3")])
        #expect(verdict.exitStatus == .noTests)
    }

    @Test func `a test without a result makes the run undecided`() throws {
        var run = SampleRuns.undecided()
        #expect(try Verdict(judging: run, by: Policy()).gaps == run.gaps)
        run.gaps = []
        let verdict = try Verdict(judging: run, by: Policy())
        #expect(verdict.gaps == [Gap(.testsNotRun, detail: "tests without a result: 1 of 3")])
        #expect(verdict.exitStatus == .undecided)
    }

    @Test func `tests without any coverage are a gap, once`() throws {
        var run = SampleRuns.passing()
        run.coverage = nil
        let gap = Gap(.coverageMissing, detail: "tests were executed (2), but the run has no coverage")
        #expect(try Verdict(judging: run, by: Policy()).gaps == [gap])
        run.gaps = [Gap(.coverageMalformed, subject: "coverage.json", detail: "ends at byte 7")]
        #expect(try Verdict(judging: run, by: Policy()).gaps == run.gaps)
    }

    @Test func `reports that name neither modules nor coverage establish nothing`() throws {
        var run = SampleRuns.passing()
        run.modules = []
        let gap = Gap(.coverageMissing, detail: "tests were executed (2), but the run has no coverage")
        for coverage in [nil, Coverage(files: [])] {
            run.coverage = coverage
            #expect(try Verdict(judging: run, by: Policy()).gaps == [gap])
        }
    }

    @Test func `no coverage is no gap where nothing can be measured`() throws {
        var run = SampleRuns.passing()
        run.coverage = nil
        run.modules.removeAll { $0.name == "Core" || $0.name == "tool" }
        #expect(try Verdict(judging: run, by: Policy()).decision == .passed)
    }

    @Test func `a rule on all lines is a gap where there is no line to measure`() throws {
        func gaps(_ run: TestRun, _ policy: Policy, isCompared: Bool = true) throws -> [Gap] {
            let base = BaseCommit(commit: String(repeating: "0a", count: 20), kind: .mergeBase, name: "origin/main")
            let known = KnownCoverage(runs: [SampleRuns.id(9)], swiftVersion: nil, files: [])
            let comparison = ChangeComparison(base: base, changes: [], coverage: known)
            return try Verdict(
                judging: run, by: policy, against: isCompared ? nil : Baseline(absence: "first", head: GateSettings()),
                changed: isCompared ? comparison : nil
            ).gaps
        }
        func gap(_ subject: String) -> Gap {
            Gap(
                .coverageMissing, subject: subject,
                detail: "no module has a line to measure, so nothing can be judged")
        }
        var run = SampleRuns.passing()
        run.modules.removeAll { $0.name == "Core" || $0.name == "tool" }
        let one = try #require(Percentage.percent(1))
        let rules = Policy(
            patch: PatchRule(line: one), project: ProjectRule(line: one, mayDrop: one), fileFloor: one)
        for coverage in [Coverage(files: []), nil] {
            run.coverage = coverage
            let patch = coverage == nil ? [gap("coverage.patch")] : []
            #expect(try gaps(run, rules) == patch + [gap("coverage.project"), gap("coverage.files")])
            #expect(
                try gaps(run, rules, isCompared: false) == [gap("coverage.project"), gap("coverage.files")])
            #expect(try gaps(run, Policy(project: ProjectRule(mayDrop: one))) == [gap("coverage.project")])
            #expect(try gaps(run, Policy(project: ProjectRule(mayDrop: one)), isCompared: false) == [])
            #expect(try gaps(run, Policy(project: ProjectRule(line: .zero), fileFloor: .zero)) == [])
        }
        // Excluding everything is no way around it.
        run = SampleRuns.passing()
        let all = Policy(excludes: ["Sources/**"], project: ProjectRule(line: one))
        #expect(try Verdict(judging: run, by: all).gaps == [gap("coverage.project")])
        run.selection = Selection(filters: ["x"])
        #expect(try Verdict(judging: run, by: all).gaps == [])
    }

    @Test func `a module that the coverage does not name is a gap`() throws {
        var run = SampleRuns.passing()
        run.coverage?.files.removeAll { $0.module == "tool" }
        let gap = Gap(.coverageMissing, subject: "tool", detail: "the coverage names no file of this module")
        let verdict = try Verdict(judging: run, by: Policy())
        #expect(verdict.gaps == [gap])
        #expect(verdict.decision == .undecided)
        run.gaps = [Gap(.coverageMissing, subject: "tool", detail: "no object file")]
        #expect(try Verdict(judging: run, by: Policy()).gaps == run.gaps)
        run.gaps = [Gap(.coverageMissing, detail: "all of it")]
        #expect(try Verdict(judging: run, by: Policy()).gaps == run.gaps)
        run.gaps = [Gap(.coverageMissing, subject: "too", detail: "no object file")]
        #expect(try Verdict(judging: run, by: Policy()).gaps == run.gaps + [gap])
    }

    @Test func `a floor on something that was not counted is a gap, not 0 or 100 percent`() throws {
        var run = SampleRuns.passing()
        run.coverage?.files[2].regions = CoverageTally()
        let policy = Policy(defaultFloors: Floors(line: .percent(80), region: .percent(1)))
        let verdict = try Verdict(judging: run, by: policy)
        #expect(
            verdict.gaps == [
                Gap(.coverageMissing, subject: "tool", detail: "the coverage counts no region of this module")
            ])
    }

    @Test func `a module without an executable line is not measurable`() throws {
        var run = SampleRuns.passing()
        run.coverage?.files[2].lines = []
        let verdict = try Verdict(judging: run, by: Policy())
        #expect(verdict.decision == .passed)
        #expect(verdict.modules[1] == ModuleCoverage(module: "tool", notMeasurable: "no executable line"))
    }

    @Test func `excluded files do not count, and a module of nothing else is not measurable`() throws {
        let policy = Policy(excludes: ["Sources/tool/**", "**/Core.swift"])
        let verdict = try Verdict(judging: SampleRuns.passing(), by: policy)
        #expect(verdict.decision == .passed)
        #expect(
            verdict.modules == [
                ModuleCoverage(
                    module: "Core", lines: CoverageTally(covered: 7, total: 8),
                    regions: CoverageTally(covered: 5, total: 6), functions: CoverageTally(covered: 2, total: 2),
                    floors: Floors(line: .percent(80)), excludedFiles: 1
                ),
                ModuleCoverage(module: "tool", notMeasurable: "every file is excluded", excludedFiles: 1),
                ModuleCoverage(module: "CShim", notMeasurable: "a C-family target"),
            ]
        )
    }

    @Test func `a module that only the coverage names is judged too`() throws {
        var run = SampleRuns.passing()
        run.modules = []
        run.notMeasurable = [:]
        run.coverage?.files[2].lines = SampleRuns.lines(10, covered: 1)
        let verdict = try Verdict(judging: run, by: Policy())
        #expect(verdict.modules.map(\.module) == ["Core", "tool"])
        #expect(verdict.violations.count == 1)
        #expect(verdict.exitStatus == .gateFailed)
    }
}
