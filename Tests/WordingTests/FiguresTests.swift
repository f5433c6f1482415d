import RunModel
import Testing
import Wording

@Suite struct FiguresTests {
    @Test(arguments: [
        (0, "0"), (12, "12"), (999, "999"), (1204, "1,204"), (1_234_567, "1,234,567"), (-1000, "-1,000"),
        (Int.min, "-9,223,372,036,854,775,808"),
    ])
    func `thousands are parted`(number: Int, text: String) { #expect(Figures.grouped(number) == text) }

    @Test(arguments: [
        (1204, 1535, "78.4 %"), (999, 1000, "99.9 %"), (9999, 10000, "99.9 %"), (10, 10, "100.0 %"), (0, 3, "0.0 %"),
        (0, 0, "–"),
    ])
    func `a percentage is floored`(covered: Int, total: Int, text: String) {
        #expect(Figures.percent(CoverageTally(covered: covered, total: total)) == text)
    }

    @Test(arguments: [
        (Duration.milliseconds(41_299), "41.2 s"), (.milliseconds(3), "3 ms"), (.microseconds(870), "870 µs"),
        (.zero, "0 s"), (.nanoseconds(999), "0 µs"), (.seconds(59.99), "59.9 s"), (.milliseconds(9223), "9.2 s"),
        (.milliseconds(9224), "9.2 s"), (.seconds(125), "2 min 5 s"),
        (.seconds(3723), "1 h 2 min"), (.seconds(-1), "0 s"), (.nanoseconds(-5), "0 s"),
        (.seconds(Int64.max), "2,562,047,788,015,215 h 30 min"),
    ])
    func `a duration is words`(duration: Duration, text: String) { #expect(Figures.duration(duration) == text) }

    @Test func `one is not many`() {
        #expect(Figures.counted(1, "test") == "1 test")
        #expect(Figures.counted(1000, "test") == "1,000 tests")
        #expect(Figures.lines(41...58) == "41–58")
        #expect(Figures.lines(70...70) == "70")
        var outcomes = OutcomeTally()
        outcomes[.knownIssue] = 2
        outcomes[.notRun] = 1
        #expect(Figures.list(outcomes) == "2 known issues, 1 not run")
        #expect(MissedLines([1...1, 3...4, 6...6], atMost: 2).words == "1, 3–4, … 1 more range")
    }
}
