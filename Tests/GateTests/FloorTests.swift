import Gate
import RunModel
import TestSupport
import Testing

@Suite struct FloorTests {
    /// Tallies of every size up to the largest that a report can claim, with floors beside their exact percentage.
    static let cases: [(tally: CoverageTally, floor: Percentage)] = {
        var generator = SplitMix64(seed: 2)
        return (0..<4000).compactMap { index in
            let largest = [9, 100, 12_345, 1 << 40, Int.max][index % 5]
            let total = Int.random(in: 1...largest, using: &generator)
            let covered = index % 7 == 0 ? total : Int.random(in: 0...total, using: &generator)
            let exact = Int(Double(covered) / Double(total) * 100_000)
            let near = min(100_000, max(0, exact + Int.random(in: -2...2, using: &generator)))
            let floor = Percentage(
                thousandths: index % 2 == 0 ? near : Int.random(in: 0...100_000, using: &generator)
            )
            return floor.map { (CoverageTally(covered: covered, total: total), $0) }
        }
    }()

    @Test func `a floor is compared as exact fractions are`() {
        for (tally, floor) in Self.cases {
            // covered/total >= thousandths/100000, in 128 bits.
            let isReached = Int128(tally.covered) * 100_000 >= Int128(floor.thousandths) * Int128(tally.total)
            #expect(floor.isReached(by: tally) == isReached, "\(tally) \(floor)")
        }
    }

    @Test func `the shortfall reaches the floor and one less does not`() {
        for (tally, floor) in Self.cases {
            let shortfall = floor.shortfall(of: tally)
            #expect(shortfall >= 0 && shortfall <= tally.missed, "\(tally) \(floor)")
            #expect(floor.isReached(by: tally.raised(by: shortfall)), "\(tally) \(floor)")
            if shortfall > 0 { #expect(!floor.isReached(by: tally.raised(by: shortfall - 1)), "\(tally) \(floor)") }
        }
    }

    @Test func `a displayed percentage never says more than is true`() {
        for (tally, _) in Self.cases {
            let tenths = Int128(tally.covered) * 1000 / Int128(tally.total)
            #expect(tally.flooredPercent == "\(tenths / 10).\(tenths % 10)")
            #expect((tally.flooredPercent == "100.0") == (tally.covered == tally.total))
        }
    }

    @Test func `a tally without a total reaches nothing and has no percentage`() {
        #expect(Percentage(thousandths: 0)?.isReached(by: CoverageTally()) == false)
        #expect(CoverageTally().flooredPercent == nil)
    }

    @Test(arguments: [
        ("Core", "95 nil 90"), ("CoreUI", "60 nil nil"), ("UI", "60 nil nil"), ("tool", "80 50 nil"),
    ])
    func `the first rule that matches wins, and the default fills what it leaves open`(module: String, floors: String) {
        let policy = Policy(
            modules: [
                ModuleRule(pattern: "Core", floors: Floors(line: .percent(95), function: .percent(90))),
                ModuleRule(pattern: "*UI", floors: Floors(line: .percent(60))),
                ModuleRule(pattern: "Core*", floors: Floors(line: .percent(10))),
            ],
            defaultFloors: module == "tool"
                ? Floors(line: .percent(80), region: .percent(50)) : Floors(line: .percent(80))
        )
        let found = policy.floors(for: module)
        let words = CoverageMetric.allCases.map { found[$0]?.description ?? "nil" }
        #expect(words.joined(separator: " ") == floors)
    }
}

extension CoverageTally {
    fileprivate func raised(by count: Int) -> CoverageTally {
        CoverageTally(covered: covered + count, total: total)
    }
}

extension Percentage {
    /// A floor in whole percents.
    static func percent(_ whole: Int) -> Percentage? { Percentage(thousandths: whole * 1000) }
}
