import RunModel
import Testing

@Suite struct PercentageTests {
    @Test(arguments: [
        ("80", 80_000), ("0", 0), ("100", 100_000), ("79.5", 79_500), ("99.125", 99_125), ("0.001", 1),
    ])
    func `a percentage is read exactly`(text: String, thousandths: Int) {
        #expect(Percentage(text)?.thousandths == thousandths)
        #expect(Percentage(text)?.description == text)
    }

    @Test(arguments: ["", "-1", "101", "100.001", "80%", "8.1234", ".5", "5.", "1e2", "٨٠", "1_0"])
    func `anything else is refused`(text: String) {
        #expect(Percentage(text) == nil)
    }

    @Test func `one line short of the floor is short`() {
        let floor = Percentage(thousandths: 80_000)
        #expect(floor?.isReached(by: CoverageTally(covered: 4, total: 5)) == true)
        #expect(floor?.isReached(by: CoverageTally(covered: 799_999, total: 1_000_000)) == false)
        #expect(floor?.shortfall(of: CoverageTally(covered: 1204, total: 1535)) == 24)
    }

    @Test func `nothing of nothing reaches no floor, not even zero`() {
        #expect(Percentage(thousandths: 0)?.isReached(by: CoverageTally()) == false)
        #expect(CoverageTally().flooredPercent == nil)
    }

    @Test(arguments: [
        (999, 1000, "99.9"), (9999, 10_000, "99.9"), (1000, 1000, "100.0"), (0, 3, "0.0"), (2, 3, "66.6"),
    ])
    func `a shown percentage is floored`(covered: Int, total: Int, shown: String) {
        #expect(CoverageTally(covered: covered, total: total).flooredPercent == shown)
    }
}
