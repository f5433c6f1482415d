import RunModel
import TestSupport
import Testing

@testable import Gate

/// What is too long to be judged is said before anything is done with it.
@Suite struct LimitsTests {
    @Test func `a policy has so many entries and patterns at most`() {
        #expect(Policy().fault == nil)
        let many = (0...10_000).map { Exclusion(pattern: "Sources/\($0).swift") }
        #expect(Policy(excludes: many).fault == "coverage.exclude: 10,001 entries, the limit is 10,000")
        #expect(Policy(excludes: Array(many.dropLast())).fault == nil)
        let wild = (0...500).map { ModuleRule(pattern: "\($0)*", floors: Floors()) }
        #expect(
            Policy(modules: wild).fault
                == "coverage.modules: 501 patterns with '*' or '?' of 1,894 bytes, the limits are 500 and 8,192")
        let long = [BudgetRule(pattern: String(repeating: "a", count: 8_192) + "*", bound: .seconds(1))]
        #expect(
            Policy(budgets: long).fault
                == "tests.budgets: 1 pattern with '*' or '?' of 8,193 bytes, the limits are 500 and 8,192")
        let entry = QuarantineEntry(test: "A.b/c", owner: "ana", reason: "r", expires: CalendarDay(SampleRuns.moment))
        #expect(
            Policy(quarantine: Array(repeating: entry, count: 1_001)).fault
                == "tests.quarantine: 1,001 entries, the limit is 1,000")
    }

    @Test func `a base has so many targets and waivers at most, and its settings have the limits of all settings`() {
        var base = Baseline(head: GateSettings())
        #expect(base.fault == nil)
        let target = PackageShape.Target(name: "A", isTest: false, isModule: true)
        base.basePackage = PackageShape(targets: Array(repeating: target, count: 5_001))
        #expect(base.fault == "targets at the base: 5,001 entries, the limit is 5,000")
        base.basePackage = nil
        let waiver = Waiver(subject: "x", until: CalendarDay(SampleRuns.moment), reason: "r", commit: "0a", line: 1)
        base.waivers.waivers = Array(repeating: waiver, count: 10_001)
        #expect(base.fault == "waivers: 10,001 entries, the limit is 10,000")
        let long = Waiver(
            subject: "floor-lowered", until: waiver.until, reason: String(repeating: "r", count: 1025), commit: "",
            line: 1)
        base.waivers.waivers = [long]
        #expect(base.fault == "waivers: one of 1,025 bytes, the limit is 1,024")
        base.waivers.waivers = []
        var other = base
        other.settings = nil
        base.others = Array(repeating: Baseline.OtherBase(other), count: 17)
        #expect(base.fault == "bases: 18 entries, the limit is 17")
        other.waivers.waivers = [long]
        base.others = [Baseline.OtherBase(other)]
        #expect(base.fault == "waivers: one of 1,025 bytes, the limit is 1,024")
        other.waivers.waivers = []
        other.others = []
        base.others = [Baseline.OtherBase(other)]
        #expect(base.fault == "bases: one has bases of its own")
        base.others = nil
        base.settings = GateSettings(policy: Policy(excludes: (0...10_000).map { Exclusion(pattern: "\($0)") }))
        #expect(base.fault == "at the base: coverage.exclude: 10,001 entries, the limit is 10,000")
    }

    @Test func `lines of a comparison are lines that a file can have, ascending and apart`() {
        func fault(_ covered: [ClosedRange<Int>], files: Int = 1) -> String? {
            let known = KnownLines(path: "a", covered: covered, missed: [])
            return ChangeComparison(
                base: ChangedRun.base, changes: [],
                coverage: KnownCoverage(
                    runs: [], swiftVersion: nil, files: Array(repeating: known, count: files))
            ).fault
        }
        #expect(fault([1...3, 5...2_000_000]) == nil)
        #expect(fault([1...2_000_001]) == "coverage: 'a' has no line 2000001")
        #expect(fault([1...9, 9...12]) == "coverage: lines of 'a' are not ascending and apart")
        #expect(fault([0...9]) == "coverage: lines of 'a' are not ascending and apart")
        #expect(fault([1...2_000_000], files: 4) == nil)
        #expect(fault([1...2_000_000], files: 5) == "coverage: more than 8,000,000 lines")
    }

    @Test func `what is unstable in a file counts for each file that comes from it`() {
        func fault(copies: Int) -> String? {
            let unstable = KnownLines(path: "a", covered: [1...2_000_000], missed: [1...1])
            return ChangeComparison(
                base: ChangedRun.base,
                changes: (0..<copies).map { FileChange(path: "\($0)", basePath: "a", changes: []) },
                coverage: KnownCoverage(runs: [], swiftVersion: nil, files: [], unstable: [unstable])
            ).fault
        }
        #expect(fault(copies: 4) == nil)
        #expect(fault(copies: 5) == "changes: more than 8,000,000 lines")
    }

    @Test func `a file that the coverage of the base names several times counts once`() throws {
        let known = ChangedRun.known([("A.swift", "+"), ("B.swift", "+-"), ("B.swift", "+"), ("B.swift", "")])
        let comparison = ChangeComparison(
            base: ChangedRun.base, changes: [FileChange(path: nil, basePath: "B.swift", changes: [])], coverage: known)
        let verdict = try Verdict(
            judging: ChangedRun.run([("A.swift", "+")]), by: ChangedRun.policy(), changed: comparison)
        let counts = try #require(verdict.change).classes.filter {
            [.deletedCovered, .deletedUncovered].contains($0.name)
        }
        #expect(counts.map(\.lines) == [1, 1])
    }

    @Test func `changed and moved lines are lines that a file can have`() {
        func fault(_ changes: [ChangedLines], moved: [MovedLines] = []) -> String? {
            ChangeComparison(
                base: ChangedRun.base,
                changes: [FileChange(path: "a", basePath: "a", changes: changes, moved: moved)]
            ).fault
        }
        #expect(fault([ChangedLines(base: 1..<1, head: 1..<4), ChangedLines(base: 9..<12, head: 12..<12)]) == nil)
        #expect(fault([ChangedLines(base: 1..<Int.max, head: 1..<2)]) == "changes: 'a' has no line \(Int.max)")
        #expect(
            fault([ChangedLines(base: 9..<12, head: 1..<4), ChangedLines(base: 2..<3, head: 4..<5)])
                == "changes: those of 'a' are not ascending")
        let endless = MovedLines(head: 0..<Int.max, basePath: "b", baseStart: 1)
        #expect(fault([], moved: [endless]) == "moved: 'a' has no line \(Int.max)")
        let outside = MovedLines(head: 1..<2, basePath: "b", baseStart: -1)
        #expect(fault([], moved: [outside]) == "moved: 'a' names a line that no file has")
    }
}
