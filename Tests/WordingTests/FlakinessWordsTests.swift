import Gate
import RunModel
import TestSupport
import Testing
import Wording

@Suite struct FlakinessWordsTests {
    private let test = TestID(module: "CoreTests", suite: "Zoo", name: "feeds")
    private let today = CalendarDay(SampleRuns.moment)

    private func history(_ letters: String) -> FlakeHistory {
        let executions = letters.enumerated().map { place, letter in
            FlakeHistory.Execution(
                run: SampleRuns.id(place), startedAt: SampleRuns.moment, commit: place == 0 ? nil : "9f3c2ab1d",
                branch: "main", tree: "tree \(place)", isFailure: letter == "f", isRecovered: letter == "r",
                isAlone: place == 0)
        }
        return FlakeHistory(
            of: test, executions.reversed(), on: "main", since: SampleRuns.moment, runs: executions.count)
    }

    @Test func `a rate is told with the interval in which the true one lies, rounded outwards`() {
        let rate = FailureRate(failures: 12, executions: 98)
        #expect(rate.tally == "12 of 98")
        #expect(rate.share == "12.2 %")
        #expect(rate.interval == "7.1–20.2 %")
        #expect(rate.words == "12 of 98 runs, 12.2 % (95 %: 7.1–20.2 %)")
        #expect(FailureRate(failures: 1, executions: 1).words == "1 of 1 run, 100.0 % (95 %: 20.6–100.0 %)")
        #expect(FailureRate().words == "no run")
    }

    @Test func `a window says how many runs there are, and what a retry hid`() {
        #expect(FlakyWindow(runs: 1).words == "1 run of an exact tree")
        #expect(FlakyWindow(runs: 1204).words == "1,204 runs of exact trees")
        #expect(FlakyWindow(runs: 9, green: 7).hiddenWords == nil)
        #expect(
            FlakyWindow(runs: 9, green: 7, hidden: 2).hiddenWords == "In 2 of 7 green runs a retry hid a flaky test.")
    }

    @Test func `a test is called flaky, broken, or neither`() {
        #expect(history("prpp").headline == "Flaky: an attempt failed in 1 of 4 runs, 25.0 % (95 %: 4.5–70.0 %).")
        #expect(
            history("pp").headline.hasPrefix("Not flaky, as far as these runs tell: an attempt failed in 0 of 2 runs"))
        #expect(
            history("ffffffffff").headline
                == "Broken, not flaky: it failed in the last 10 runs of the default branch, since run 000000000000.")
    }

    @Test func `where and when it fails is told, and nothing where nothing is known`() {
        let found = history("prpp")
        #expect(found.window == "4 runs of exact trees since 2026-01-02")
        #expect(found.failingHours == "03:00 (1 of 4)")
        #expect(found.company == "alone 0 of 1, among others 1 of 3")
        #expect(found.firstChange?.words == "9f3c2ab1, run 000000000001, 2026-01-02")
        let steady = history("")
        #expect(steady.failingHours == nil)
        #expect(steady.company == nil)
        var dependent = steady
        dependent.isOrderDependent = true
        #expect(
            dependent.company
                == "alone 0 of 0, among others 0 of 0; the latest full run found that it fails when one test runs at a time"
        )
    }

    @Test func `a proposed entry is a command whose words are quoted`() throws {
        let found = try #require(
            QuarantineProposal(history("prpp"), owners: ["it's"], quarantine: [], today: today))
        #expect(
            found.command == #"kanmon quarantine --owner='it'\''s' --until=2026-01-16 "#
                + "--reason='failed in 1 of 4 runs since 2026-01-02' -- 'CoreTests.Zoo/feeds'")
        #expect(found.words == "in quarantine until 2026-01-16 for it's: failed in 1 of 4 runs since 2026-01-02")
        let unowned = try #require(QuarantineProposal(history("prpp"), owners: [], quarantine: [], today: today))
        #expect(unowned.command.hasPrefix("kanmon quarantine --owner=WHO --until=2026-01-16 "))
        #expect(unowned.advice.contains("WHO"))
        let entry = QuarantineEntry(test: "t", owner: "ana", reason: "slow", expires: today)
        #expect(entry.ending(on: today) == "ends on 2026-01-02")
        #expect(entry.ending(on: today.next) == "ended on 2026-01-02")
    }
}
