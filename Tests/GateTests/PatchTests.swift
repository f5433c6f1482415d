import RunModel
import TestSupport
import Testing

@testable import Gate

@Suite struct PatchTests {
    private static let ninety = Percentage(thousandths: 90_000) ?? .zero
    private static let rule = PatchRule(line: ninety, minimumLines: 2)

    private func verdict(
        _ files: [(String, String)], _ changes: [FileChange], base: [(String, String)]? = nil,
        rule: PatchRule? = Self.rule
    ) throws -> Verdict {
        let comparison = ChangeComparison(
            base: ChangedRun.base, changes: changes, coverage: base.map { ChangedRun.known($0) })
        return try Verdict(
            judging: ChangedRun.run(files), by: ChangedRun.policy(patch: rule), changed: comparison)
    }

    @Test func `only lines that were added or changed count, and the missed ones are listed`() throws {
        // Lines 1 to 3 are old and missed; 4 to 8 are new, of which 6 is blank.
        let change = FileChange(path: "A.swift", basePath: "A.swift", changes: [ChangedLines(base: 4..<5, head: 4..<9)])
        let verdict = try verdict([("A.swift", "---++ --+")], [change])
        let violation = MissedCoverage(
            tally: CoverageTally(covered: 2, total: 4), floor: Self.rule.line, shortfall: 2,
            files: [MissedFile(path: "A.swift", missed: 2, ranges: [7...8])])
        #expect(verdict.decision == .failed)
        #expect(verdict.violations == [.patchMissed(violation)])
        #expect(verdict.exitStatus == .gateFailed)
    }

    @Test func `a change that only deletes passes`() throws {
        let change = FileChange(path: "A.swift", basePath: "A.swift", changes: [ChangedLines(base: 4..<9, head: 4..<4)])
        let gone = FileChange(path: nil, basePath: "B.swift", changes: [ChangedLines(base: 1..<9, head: 1..<1)])
        let verdict = try verdict(
            [("A.swift", "---+-")], [change, gone], base: [("A.swift", "---+++++--"), ("B.swift", "++")])
        #expect(verdict.decision == .passed)
        #expect(verdict.change?.lines == CoverageTally())
        #expect(verdict.change?.isJudged == false)
    }

    @Test(arguments: [(2, false), (3, true)])
    func `a change of fewer lines than min-lines is not judged`(lines: Int, isJudged: Bool) throws {
        var rule = Self.rule
        rule.minimumLines = 3
        let change = FileChange(
            path: "A.swift", basePath: "A.swift", changes: [ChangedLines(base: 1..<1, head: 1..<lines + 1)])
        let verdict = try verdict([("A.swift", "---+")], [change], rule: rule)
        #expect(verdict.change?.isJudged == isJudged)
        #expect(verdict.decision == (isJudged ? .failed : .passed))
    }

    @Test func `a renamed file is followed, and a new file at its old path is new`() throws {
        let renamed = FileChange(
            path: "B.swift", basePath: "A.swift", changes: [ChangedLines(base: 3..<3, head: 3..<4)])
        let new = FileChange(path: "A.swift", basePath: nil, changes: [ChangedLines(base: 1..<1, head: 1..<3)])
        let verdict = try verdict(
            [("A.swift", "+-"), ("B.swift", "--+-")], [new, renamed], base: [("A.swift", "---")])
        #expect(
            verdict.change?.files == [
                ChangedFile(
                    path: "A.swift", tally: CoverageTally(covered: 1, total: 2), missed: [2...2], added: [1...2]),
                ChangedFile(path: "B.swift", tally: CoverageTally(covered: 1, total: 1), missed: [], added: [3...3]),
            ])
        #expect(
            verdict.change?.classes == [.init(.uncoveredNew, 1), .init(.uncoveredBaseline, 3), .init(.gainedNew, 2)])
    }

    @Test func `all lines of a file that comes from outside of the package are new`() throws {
        let moved = FileChange(path: "A.swift", basePath: nil, changes: [])
        let verdict = try verdict([("A.swift", "+---"), ("B.swift", "-")], [moved], base: [("B.swift", "-")])
        #expect(verdict.decision == .failed)
        #expect(verdict.change?.lines == CoverageTally(covered: 1, total: 4))
        #expect(
            verdict.change?.classes == [.init(.uncoveredNew, 3), .init(.uncoveredBaseline, 1), .init(.gainedNew, 1)])
    }

    @Test func `lines that moved are debt when the base missed them, and charged when it covered them`() throws {
        let from = FileChange(path: "A.swift", basePath: "A.swift", changes: [ChangedLines(base: 1..<5, head: 1..<1)])
        let to = FileChange(
            path: "B.swift", basePath: nil, changes: [ChangedLines(base: 1..<1, head: 1..<6)],
            moved: [MovedLines(head: 2..<6, basePath: "A.swift", baseStart: 1)])
        let files = [("A.swift", "+"), ("B.swift", "+---+")]
        let base = [("A.swift", "--+-+")]
        let change = try #require(try verdict(files, [from, to], base: base).change)
        // Lines 2 and 3 came from missed ones, line 4 from a covered one, line 5 is covered now.
        #expect(change.lines == CoverageTally(covered: 2, total: 3))
        #expect(change.files.map(\.missed) == [[4...4]])
        #expect(change.files.map(\.debt) == [[2...3]])
        #expect(change.notes == [])
        // Without the base's coverage nothing can be told from new lines, and a note says so.
        let blind = try #require(try verdict(files, [from, to]).change)
        #expect(blind.lines == CoverageTally(covered: 2, total: 5))
        #expect(blind.notes.map(\.code) == [.baseRunMissing])
        #expect(blind.debt == 0)
    }

    @Test func `a rule decides only whether the change blocks, not whether it is measured`() throws {
        let change = FileChange(path: "A.swift", basePath: "A.swift", changes: [ChangedLines(base: 4..<5, head: 4..<9)])
        let files = [("A.swift", "---++ --+")]
        let judged = try verdict(files, [change])
        let measured = try verdict(files, [change], rule: nil)
        #expect(judged.decision == .failed)
        #expect(measured.decision == .passed)
        #expect(measured.change?.files == judged.change?.files)
        #expect(measured.change?.lines == CoverageTally(covered: 2, total: 4))
        // That the base has no stored run is a note where a rule is the poorer for it.
        #expect(judged.change?.notes.map(\.code) == [.baseRunMissing])
        #expect(measured.change?.notes == [])
    }

    @Test func `a rule without anything to compare with is a gap`() throws {
        let run = ChangedRun.run([("A.swift", "+")])
        let verdict = try Verdict(judging: run, by: ChangedRun.policy(patch: Self.rule))
        #expect(verdict.decision == .undecided)
        #expect(verdict.gaps.map(\.code) == [.baseUnknown])
    }

    @Test func `a rule does not apply where nothing stood before`() throws {
        let run = ChangedRun.run([("A.swift", "+")])
        let policy = ChangedRun.policy(patch: Self.rule)
        let first = Baseline(absence: "it is the first commit", head: GateSettings(policy: policy))
        #expect(try Verdict(judging: run, by: policy, against: first).decision == .passed)
        // That nobody names a base is not that there is none.
        let unnamed = try Verdict(judging: run, by: policy, against: Baseline(head: GateSettings(policy: policy)))
        #expect(unnamed.gaps.map(\.code) == [.baseUnknown])
    }

    @Test func `a run of a part of the tests is not judged by it`() throws {
        var run = ChangedRun.run([("A.swift", "---")])
        run.selection = Selection(filters: ["x"])
        let change = FileChange(path: "A.swift", basePath: nil, changes: [ChangedLines(base: 1..<1, head: 1..<4)])
        let comparison = ChangeComparison(base: ChangedRun.base, changes: [change])
        let verdict = try Verdict(judging: run, by: ChangedRun.policy(patch: Self.rule), changed: comparison)
        #expect(verdict.decision == .passed)
        #expect(verdict.change == nil)
    }

    @Test func `an excluded file is no part of the change`() throws {
        var policy = ChangedRun.policy(patch: Self.rule)
        policy.excludes = [Exclusion("B.swift")]
        let changes = ["A.swift", "B.swift"].map {
            FileChange(path: $0, basePath: nil, changes: [ChangedLines(base: 1..<1, head: 1..<4)])
        }
        let comparison = ChangeComparison(base: ChangedRun.base, changes: changes)
        let run = ChangedRun.run([("A.swift", "+++"), ("B.swift", "---")])
        let verdict = try Verdict(judging: run, by: policy, changed: comparison)
        #expect(verdict.change?.lines == CoverageTally(covered: 3, total: 3))
        #expect(verdict.decision == .passed)
    }
}
