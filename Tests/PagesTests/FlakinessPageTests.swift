import Foundation
import Gate
import RunModel
import TestSupport
import Testing

@testable import Pages

@Suite struct FlakinessPageTests {
    /// One letter a run of the default branch, the oldest first: `p` passed, `f` failed, `r` failed and then passed.
    private func history(_ letters: String, message: (Int) -> String? = { _ in nil }) -> FlakeHistory {
        let executions = letters.enumerated().map { place, letter -> FlakeHistory.Execution in
            FlakeHistory.Execution(
                run: SampleRuns.id(place), startedAt: SampleRuns.moment, branch: "main", tree: "tree \(place)",
                isFailure: letter == "f", isRecovered: letter == "r", message: message(place), isRead: true)
        }
        return FlakeHistory(
            of: TestID(module: "M", suite: "S", name: "t"), executions.reversed(), on: "main",
            since: SampleRuns.moment, runs: executions.count)
    }

    private func sections(_ history: FlakeHistory) -> [SheetSection] {
        SheetPage.sections(of: TestFlakiness(history: history, proposal: nil), now: nil, .dashboard)
    }

    @Test func `a broken test is not called flaky, and its rate is that before it broke`() {
        let sections = sections(history("prpppppppp" + "ffff"))
        #expect(sections.map { $0.title?.last } == ["Broken", "What it says", "Where it fails"])
        let note = """
            Broken, not flaky: it failed in the last 4 runs of the default branch, since run \(SampleRuns.id(10).short). \
            Before, an attempt failed in 1 of 10 runs, 10.0 % (95 %: 1.7–40.5 %). Looked at: 14 runs of exact trees since \
            2026-01-02.
            """
        #expect(sections.first?.note == note)
    }

    @Test func `kinds of failures beyond ten are counted`() {
        let history = history(String(repeating: "pf", count: 12)) { String(repeating: "x", count: $0) }
        let says = sections(history)[1]
        #expect(says.table?.rows.count == 10)
        #expect(says.note == "Not listed: 2 more kinds of failure.")
    }

    @Test func `hours without a run make no chart`() {
        #expect(SheetPage.hours(of: history("")).map { _ in true } == nil)
        #expect(SheetPage.hours(of: history("pf"))?.days?.days == ["00:00", "12:00", "23:00"])
    }

    @Test func `of the entries of a quarantine that end soon twenty are listed, the first at the top`() throws {
        let today = CalendarDay(SampleRuns.moment)
        let states = ["a", "b"].map { name in
            ProjectState(
                name: name, runs: 1, branch: "main", latest: nil, regressions: [],
                expiring: (0..<11).map { day in
                    QuarantineEntry(
                        test: "t \(day)", owner: "ana", reason: "slow", expires: today.adding(days: 10 - day))
                })
        }
        let section = try #require(
            SheetSection(expiring: states, showsProject: true, now: SampleRuns.moment, links: .dashboard))
        #expect(section.note == "2 more entries not listed.")
        #expect(section.table?.rows.count == 20)
        #expect(section.table?.rows.first?.cells.last?.detail == "today")
        let none = ProjectState(name: "c", runs: 0, branch: nil, latest: nil, regressions: [])
        #expect(
            SheetSection(expiring: [none], showsProject: true, now: nil, links: .dashboard).map { _ in true } == nil)
        #expect(SheetSection(hidden: none, links: .dashboard).map { _ in true } == nil)
    }
}
