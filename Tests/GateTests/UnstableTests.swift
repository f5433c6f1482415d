import RunModel
import TestSupport
import Testing

@testable import Gate

@Suite struct UnstableTests {
    private static func history(_ states: String, in path: String = "A.swift") -> LineHistory {
        LineHistory([KnownLines(ChangedRun.file(path, states))])
    }

    private static func verdict(
        _ states: String, _ history: LineHistory, floor: String = "100", project: ProjectRule? = nil,
        files: String? = nil, _ change: (inout TestRun) -> Void = { _ in }
    ) throws -> Verdict {
        var run = ChangedRun.run([("A.swift", states)])
        change(&run)
        let policy = Policy(
            defaultFloors: Floors(line: Percentage(floor)), project: project,
            fileFloor: files.flatMap { Percentage($0) })
        return try Verdict(judging: run, by: policy, history: history)
    }

    @Test func `a floor that only an unstable line reaches is missed`() throws {
        #expect(try Self.verdict("++++", LineHistory()).decision == .passed)
        let verdict = try Self.verdict("++++", Self.history("++-+"))
        #expect(verdict.unstable == [UnstableFile(path: "A.swift", lines: [3...3])])
        let missed = MissedCoverage(
            metric: .line, tally: CoverageTally(covered: 3, total: 4),
            floor: Percentage("100") ?? .zero, shortfall: 1,
            files: [MissedFile(path: "A.swift", missed: 1, ranges: [3...3])])
        #expect(verdict.violations == [.floorMissed(module: "Core", missed)])
        #expect(verdict.modules.first?.lines == CoverageTally(covered: 3, total: 4))
    }

    @Test func `the floors of the project and of files are not reached by it either`() throws {
        let project = ProjectRule(line: Percentage("100") ?? .zero)
        let history = Self.history("++-+")
        #expect(try Self.verdict("++++", LineHistory(), floor: "0", project: project, files: "100").decision == .passed)
        let verdict = try Self.verdict("++++", history, floor: "0", project: project, files: "100")
        #expect(verdict.violations.map(\.rule) == ["project", "file"])
    }

    @Test func `a line that is covered in every run, or in none, is not unstable`() throws {
        let verdict = try Self.verdict("+-+-", Self.history("+-+-"), floor: "50")
        #expect(verdict.unstable == [])
        #expect(verdict.decision == .passed)
        #expect(try Self.verdict("++", Self.history("--", in: "B.swift")).unstable == [])
    }

    @Test func `the line is unstable whichever way this run went`() throws {
        let verdict = try Self.verdict("++-+", Self.history("++++"), floor: "75")
        #expect(verdict.unstable == [UnstableFile(path: "A.swift", lines: [3...3])])
        #expect(verdict.decision == .passed)
    }

    @Test func `a run of a part, of a failed test or with a gap has no unstable lines`() throws {
        let history = Self.history("++-+")
        #expect(try Self.verdict("++++", history) { $0.selection = Selection(filters: ["x"]) }.unstable == [])
        #expect(try Self.verdict("++++", history) { $0.tests[0].outcome = .failed }.unstable == [])
        #expect(try Self.verdict("++++", history) { $0.gaps = [Gap(.coverageMissing, detail: "x")] }.unstable == [])
    }

    /// A run whose second file has so many of 8 lines covered, and an earlier one of the same sources with so many.
    private static func trial(_ covered: Int, earlier: Int? = nil) throws -> Trial {
        var trial = Trial()
        trial.baseline.settings?.policy.modules[0].floors = Floors(line: .percent(80))
        trial.policy.modules[0].floors = Floors(line: .percent(80))
        trial.run.coverage?.files[1].lines = SampleRuns.lines(8, covered: covered)
        if let earlier {
            var file = try #require(trial.run.coverage?.files[1])
            file.lines = SampleRuns.lines(8, covered: earlier)
            trial.history = LineHistory([KnownLines(file)])
        }
        return trial
    }

    @Test func `a ratchet that only an unstable line misses passes`() throws {
        #expect(try Self.trial(6).verdict().violations.map(\.rule) == ["floor"])
        let verdict = try Self.trial(6, earlier: 7).verdict()
        #expect(verdict.unstable.lineCount == 1)
        #expect(verdict.decision == .passed)
        let raised = verdict.base?.floors.filter { $0.module == "Core" && $0.metric == .line }.map(\.source)
        #expect(raised?.contains(.ratchet) == false)
    }

    @Test func `a ratchet that is still missed counts the unstable line as covered`() throws {
        let verdict = try Self.trial(4, earlier: 5).verdict()
        let missed = try #require(verdict.violations.first?.coverage)
        #expect(missed.source == .ratchet)
        #expect(missed.tally == CoverageTally(covered: 17, total: 20))
        #expect(verdict.modules.first { $0.module == "Core" }?.lines == CoverageTally(covered: 16, total: 20))
    }

    @Test func `what was unstable at the base is not part of the base's floor`() throws {
        var trial = try Self.trial(6)
        #expect(try trial.verdict().violations.map(\.rule) == ["floor"])
        var base = SampleRuns.passing(1)
        base.coverage?.files.append(try #require(trial.run.coverage?.files.last))
        let earlier = try #require(Self.trial(6).run.coverage?.files[1])
        let stored = try Verdict(judging: base, by: trial.policy, history: LineHistory([KnownLines(earlier)]))
        #expect(stored.unstable.lineCount == 1)
        trial.baseline.run = BaseRun(base, stored)
        #expect(try trial.verdict().decision == .passed)
    }

    @Test func `an added line counts as it was measured, and a drop is not read from an unstable one`() throws {
        let change = FileChange(path: "A.swift", basePath: "A.swift", changes: [ChangedLines(base: 1..<1, head: 1..<2)])
        let comparison = ChangeComparison(
            base: ChangedRun.base, changes: [change], coverage: ChangedRun.known([("A.swift", "+++")]))
        let policy = ChangedRun.policy(
            patch: PatchRule(line: Percentage("100") ?? .zero, minimumLines: 1), project: ProjectRule(mayDrop: .zero))
        let run = ChangedRun.run([("A.swift", "+++-")])
        #expect(try Verdict(judging: run, by: policy, changed: comparison).violations.map(\.rule) == ["project-drop"])
        let verdict = try Verdict(
            judging: run, by: policy, history: Self.history("-+++"), changed: comparison)
        #expect(verdict.decision == .passed)
        #expect(verdict.change?.indirect.map(\.unstable) == [[1...1, 4...4]])
    }

    @Test func `judging again by what a verdict lists gives the same list`() throws {
        let verdict = try Self.verdict("++++", Self.history("+--+"))
        #expect(try Self.verdict("++++", verdict.lineHistory) == verdict)
    }
}
