import RunModel
import TestSupport
import Testing

@testable import Gate

@Suite struct ProjectTests {
    private func verdict(
        _ files: [(String, String)], _ changes: [FileChange] = [], base: [(String, String)]?,
        unstable: [(String, Int)] = [], sameTree: KnownCoverage? = nil, project: ProjectRule
    ) throws -> Verdict {
        let comparison = ChangeComparison(
            base: ChangedRun.base, changes: changes, coverage: base.map { ChangedRun.known($0, unstable: unstable) },
            sameTree: sameTree)
        return try Verdict(
            judging: ChangedRun.run(files), by: ChangedRun.policy(project: project), changed: comparison)
    }

    private static func drop(_ points: String) -> ProjectRule { ProjectRule(mayDrop: Percentage(points)) }

    @Test func `a fall of exactly what is allowed passes, one more does not`() throws {
        let base = [("A.swift", "++++++++++")]
        #expect(try verdict([("A.swift", "+++++++++-")], base: base, project: Self.drop("10")).decision == .passed)
        let violation = MissedCoverage(
            tally: CoverageTally(covered: 9, total: 10), floor: try #require(Percentage("9.999")), shortfall: 1,
            before: CoverageTally(covered: 10, total: 10),
            files: [MissedFile(path: "A.swift", missed: 1, ranges: [10...10])])
        let verdict = try verdict([("A.swift", "+++++++++-")], base: base, project: Self.drop("9.999"))
        #expect(verdict.violations == [.projectDropped(violation)])
    }

    @Test func `deleting covered code is no drop`() throws {
        let change = FileChange(path: "A.swift", basePath: "A.swift", changes: [ChangedLines(base: 1..<9, head: 1..<1)])
        let verdict = try verdict(
            [("A.swift", "+-")], [change], base: [("A.swift", "+++++++++-"), ("B.swift", "++")],
            project: Self.drop("0"))
        #expect(verdict.decision == .passed)
        #expect(verdict.change?.before == CoverageTally(covered: 1, total: 2))
        #expect(
            verdict.change?.classes == [
                .init(.uncoveredBaseline, 1), .init(.coveredBaseline, 1), .init(.deletedCovered, 10),
            ])
    }

    @Test func `unchanged lines whose coverage changed are shown separately`() throws {
        let change = FileChange(path: "A.swift", basePath: "A.swift", changes: [ChangedLines(base: 2..<2, head: 2..<4)])
        let verdict = try verdict(
            [("A.swift", "++--+- "), ("C.swift", "+")], [change], base: [("A.swift", "++-+ ")],
            project: Self.drop("100"))
        let status = try #require(verdict.change)
        #expect(status.indirect == [IndirectChange(path: "A.swift", lost: [4...4, 6...6], gained: [5...5])])
        #expect(
            status.classes == [
                .init(.uncoveredNew, 1), .init(.lostBaseline, 2), .init(.gainedBaseline, 1), .init(.gainedIncluded, 1),
                .init(.gainedNew, 1), .init(.coveredBaseline, 1),
            ])
        #expect(status.baseRun == SampleRuns.id(9))
    }

    @Test func `lines on which runs of one tree disagree are listed and left out`() throws {
        // Line 2 differs between runs of the base, line 3 between runs of the tree itself.
        let verdict = try verdict(
            [("A.swift", "+---")], base: [("A.swift", "++++")], unstable: [("A.swift", 2)],
            sameTree: ChangedRun.known([("A.swift", "+-+-")]), project: Self.drop("50"))
        let status = try #require(verdict.change)
        #expect(status.indirect == [IndirectChange(path: "A.swift", lost: [4...4], unstable: [2...3])])
        #expect(status.before == CoverageTally(covered: 2, total: 2))
        #expect(status.project == CoverageTally(covered: 1, total: 2))
        #expect(verdict.decision == .passed)
    }

    @Test func `without a whole run of the base it cannot be judged, and the command that makes one is named`() throws {
        let verdict = try verdict([("A.swift", "+")], base: nil, project: Self.drop("1"))
        #expect(verdict.decision == .undecided)
        #expect(verdict.gaps.map(\.code) == [.baseRunMissing])
        #expect(
            verdict.gaps.allSatisfy {
                $0.detail.contains("kanmon run --commit \(ChangedRun.base.commit)")
            })
    }

    @Test func `the floor of the project counts all modules and needs no base`() throws {
        let rule = ProjectRule(line: Percentage("80"))
        let run = ChangedRun.run([("A.swift", "+++++"), ("B.swift", "---")])
        let violation = MissedCoverage(
            tally: CoverageTally(covered: 5, total: 8), floor: try #require(rule.line), shortfall: 2,
            files: [MissedFile(path: "B.swift", missed: 3, ranges: [1...3])])
        #expect(
            try Verdict(judging: run, by: ChangedRun.policy(project: rule)).violations
                == [.projectMissed(violation)])
    }

    @Test func `a file under the floor of files is a violation of its own`() throws {
        let floor = try #require(Percentage("50"))
        let run = ChangedRun.run([("A.swift", "+-"), ("B.swift", "+--"), ("C.swift", "   ")])
        let violation = MissedCoverage(
            tally: CoverageTally(covered: 1, total: 3), floor: floor, shortfall: 1,
            files: [MissedFile(path: "B.swift", missed: 2, ranges: [2...3])])
        #expect(
            try Verdict(judging: run, by: ChangedRun.policy(files: floor)).violations == [
                .fileMissed("B.swift", violation)
            ])
    }
}
