import Gate
import RunModel
import TestSupport
import Testing

@Suite struct QuarantineProposalTests {
    private let test = TestID(module: "CoreTests", suite: "Zoo", name: "feeds")
    private let today = CalendarDay(SampleRuns.moment)

    /// One letter a run of one tree, the oldest first: `p` passed, `f` failed.
    private func history(_ letters: String) -> FlakeHistory {
        let executions = letters.enumerated().map { place, letter in
            FlakeHistory.Execution(
                run: SampleRuns.id(place), startedAt: SampleRuns.moment, branch: "main", tree: "a",
                isFailure: letter == "f")
        }
        return FlakeHistory(
            of: test, executions.reversed(), on: "main", since: SampleRuns.moment, runs: executions.count)
    }

    @Test func `a flaky test could have an entry for fourteen days and its first owner`() throws {
        let found = try #require(
            QuarantineProposal(history("pfpp"), owners: ["@core", "@qa"], quarantine: [], today: today))
        #expect(found.test == "CoreTests.Zoo/feeds")
        #expect(found.owner == "@core")
        #expect(found.reason == "failed in 1 of 4 runs since 2026-01-02")
        #expect(found.expires == CalendarDay("2026-01-16"))
        let unowned = try #require(QuarantineProposal(history("pfpp"), owners: [], quarantine: [], today: today))
        #expect(unowned.owner == nil)
    }

    @Test func `none is proposed for a test that is steady, broken or in quarantine`() {
        let entry = QuarantineEntry(test: "CoreTests.Zoo/feeds", owner: "@qa", reason: "slow", expires: today)
        let status = QuarantineStatus(entry: entry, id: test, outcome: .passed)
        #expect(QuarantineProposal(history("pppp"), owners: [], quarantine: [], today: today) == nil)
        #expect(QuarantineProposal(history("pppffffffffff"), owners: [], quarantine: [], today: today) == nil)
        #expect(QuarantineProposal(history("pfpp"), owners: [], quarantine: [status], today: today) == nil)
    }
}
