import RunModel
import TestSupport
import Testing

@testable import Gate

/// Random changes and coverages: what is counted, listed and demanded must agree, however it is reached.
@Suite struct PatchPropertyTests {
    /// A file before and after: which base line each line is, `nil` for a new one.
    private struct Scenario {
        var before: String
        var after: String
        var origins: [Int?]
        var change: FileChange
    }

    private static func scenario(_ path: String, _ dice: inout SplitMix64) -> Scenario {
        let before = dice.states(Int.random(in: 1...30, using: &dice))
        var origins: [Int?] = []
        var changes: [ChangedLines] = []
        var line = 1
        while line <= before.count {
            let removed = Int.random(in: 0...9, using: &dice) < 3 ? Int.random(in: 0...4, using: &dice) : 0
            let added = Int.random(in: 0...9, using: &dice) < 3 ? Int.random(in: 0...4, using: &dice) : 0
            let gone = min(removed, before.count + 1 - line)
            if gone + added > 0 {
                let start = origins.count + 1
                changes.append(ChangedLines(base: line..<line + gone, head: start..<start + added))
                origins += Array(repeating: nil, count: added)
                line += gone
            }
            if line <= before.count {
                origins.append(line)
                line += 1
            }
        }
        return Scenario(
            before: before, after: dice.states(origins.count), origins: origins,
            change: FileChange(path: path, basePath: path, changes: changes))
    }

    @Test(arguments: 0..<500 as Range<UInt64>)
    func `formula, listed lines and smallest fix agree`(seed: UInt64) throws {
        var dice = SplitMix64(seed: seed)
        let paths = ["A.swift", "B.swift", "C.swift"].prefix(Int.random(in: 1...3, using: &dice))
        let scenarios = paths.map { ($0, Self.scenario($0, &dice)) }
        let limit = try #require(Percentage(thousandths: Int.random(in: 1...100_000, using: &dice)))
        let rule = PatchRule(line: limit, minimumLines: 1)
        let comparison = ChangeComparison(
            base: ChangedRun.base, changes: scenarios.map(\.1.change),
            coverage: ChangedRun.known(scenarios.map { ($0.0, $0.1.before) }))
        func judge(_ files: [(String, String)]) throws -> Verdict {
            try Verdict(judging: ChangedRun.run(files), by: ChangedRun.policy(patch: rule), changed: comparison)
        }
        let files = scenarios.map { ($0.0, $0.1.after) }
        let verdict = try judge(files)
        let status = try #require(verdict.change)

        // Counted anew, line by line, from where each line came from.
        var new: [(path: String, line: Int, isCovered: Bool)] = []
        var counts: [LineClass: Int] = [:]
        for (path, scenario) in scenarios {
            let (before, after) = (Array(scenario.before), Array(scenario.after))
            for (index, origin) in scenario.origins.enumerated() where after[index] != " " {
                let isCovered = after[index] == "+"
                guard let origin else {
                    new.append((path, index + 1, isCovered))
                    counts[isCovered ? .gainedNew : .uncoveredNew, default: 0] += 1
                    continue
                }
                let found: LineClass =
                    switch (before[origin - 1], isCovered) {
                    case ("+", true): .coveredBaseline
                    case ("+", false): .lostBaseline
                    case ("-", true): .gainedBaseline
                    case ("-", false): .uncoveredBaseline
                    case (_, true): .gainedIncluded
                    case (_, false): .uncoveredIncluded
                    }
                counts[found, default: 0] += 1
                // What was no code at the base comes in like an added line.
                if before[origin - 1] == " " { new.append((path, index + 1, isCovered)) }
            }
            let kept = Set(scenario.origins.compactMap { $0 })
            for (index, state) in before.enumerated() where state != " " {
                if !kept.contains(index + 1) {
                    counts[state == "+" ? .deletedCovered : .deletedUncovered, default: 0] += 1
                } else if let now = scenario.origins.firstIndex(of: index + 1), after[now] == " " {
                    counts[state == "+" ? .excludedCovered : .excludedUncovered, default: 0] += 1
                }
            }
        }
        #expect(status.lines == CoverageTally(covered: new.count(where: \.isCovered), total: new.count))
        #expect(Dictionary(uniqueKeysWithValues: status.classes.map { ($0.name, $0.lines) }) == counts)

        let listed = status.files.flatMap { file in file.missed.flatMap { $0.map { "\(file.path):\($0)" } } }
        let missed = new.filter { !$0.isCovered }
        #expect(listed.sorted() == missed.map { "\($0.path):\($0.line)" }.sorted())
        guard let violation = verdict.violations.first?.coverage else {
            #expect(new.isEmpty || new.count(where: \.isCovered) * 100_000 >= limit.thousandths * new.count)
            return
        }
        #expect(violation.files.reduce(0) { $0 + $1.missed } == missed.count)
        // Any so many of the lines are enough, one fewer is not.
        let order = missed.shuffled(using: &dice)
        for (count, isEnough) in [(violation.shortfall, true), (violation.shortfall - 1, false)] {
            var better = files.map { ($0.0, Array($0.1)) }
            for line in order.prefix(count) {
                let index = better.firstIndex { $0.0 == line.path } ?? 0
                better[index].1[line.line - 1] = "+"
            }
            #expect(try judge(better.map { ($0.0, String($0.1)) }).violations.isEmpty == isEnough)
        }
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func `the smallest fix of a drop is the smallest`(seed: UInt64) throws {
        var dice = SplitMix64(seed: seed)
        func tally() -> CoverageTally {
            let total = Int.random(in: 1...2_000_000, using: &dice)
            return CoverageTally(covered: Int.random(in: 0...total, using: &dice), total: total)
        }
        let limit = try #require(Percentage(thousandths: Int.random(in: 0...5_000, using: &dice)))
        let (before, now) = (tally(), tally())
        let shortfall = limit.shortfall(ofDropFrom: before, to: now)
        func isAllowed(_ more: Int) -> Bool {
            limit.allowsDrop(from: before, to: CoverageTally(covered: now.covered + more, total: now.total))
        }
        #expect(isAllowed(shortfall))
        #expect(shortfall == 0 || !isAllowed(shortfall - 1))
    }
}

extension SplitMix64 {
    /// So many lines, each executed, not executed or without code.
    fileprivate mutating func states(_ count: Int) -> String {
        String((0..<count).map { _ in "+- ".randomElement(using: &self) ?? " " })
    }
}
