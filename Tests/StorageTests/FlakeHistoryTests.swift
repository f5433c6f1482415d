import Foundation
import Gate
import RunModel
import TestSupport
import Testing

@testable import Storage

@Suite struct FlakeHistoryTests {
    private let test = SampleRuns.passing().tests[0].id
    private let project = SampleRuns.passing().project

    /// A run of `main` on its own tree, or of a working copy, in which the first test passed (`p`), failed (`f`), failed and then passed
    /// (`r`), or was skipped (`s`).
    private func run(_ letter: Character, _ number: Int, isCopy: Bool = false) -> TestRun {
        var run = SampleRuns.passing(number)
        run.revision = Revision(
            commit: "commit \(number)", tree: isCopy ? nil : "tree \(number)", branch: "main", isDirty: isCopy)
        let issue = Issue(message: "waited \(number) ms")
        let failed = TestAttempt(outcome: .failed, issues: [issue])
        switch letter {
        case "f":
            run.tests[0].outcome = .failed
            run.tests[0].attempts = [failed]
        case "r": run.tests[0].attempts = [failed, TestAttempt(outcome: .passed)]
        case "s":
            run.tests[0].outcome = .skipped
            run.tests[0].attempts = []
        default: break
        }
        return run
    }

    @Test(arguments: [
        ("pfpr", ""), ("ppffffppf", ""), ("rrpp", "1234"), ("prfr", "24"), ("prppppppppffff", ""), ("psfpsf", ""),
    ])
    func `a test over months is counted as in the list`(letters: String, copies: String) throws {
        let place = try TemporaryStore()
        let store = try place.open()
        for (place, letter) in letters.enumerated() {
            try store.ingest(run(letter, place + 1, isCopy: copies.contains("\(place + 1)")))
        }
        let listed = try store.flakiest(project: project, since: .distantPast, limit: 10)
        let history = try #require(
            try store.flakeHistory(of: test, project: project, since: .distantPast, runs: FlakeHistory.mostRuns))
        #expect([history.test] == listed)
        #expect(history.runs == letters.count - copies.count)
        #expect(history.failures.count == 1)
        #expect(history.unread == 0)
    }

    @Test func `the newest runs since a moment are looked at`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        for (place, letter) in "frfp".enumerated() { try store.ingest(run(letter, place + 1)) }
        let few = try store.flakeHistory(of: test, project: project, since: .distantPast, runs: 2)
        #expect(few?.test.rate == FailureRate(failures: 1, executions: 2))
        #expect(few?.runs == 2)
        #expect(few?.since == run("p", 3).startedAt)
        let late = try store.flakeHistory(of: test, project: project, since: run("p", 2).startedAt, runs: 9)
        #expect(late?.test.rate == FailureRate(failures: 2, executions: 3))
        #expect(late?.failures.map(\.message) == ["waited 2 ms"])
        #expect(try store.flakeHistory(of: test, project: "none", since: .distantPast, runs: 9) == nil)
        let other = TestID(module: "CoreTests", suite: "", name: "none")
        #expect(try store.flakeHistory(of: other, project: project, since: .distantPast, runs: 9) == nil)
    }

    @Test func `more runs are looked at than are read at once`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        for number in 1...251 { try store.ingest(run(number == 1 ? "r" : "p", number)) }
        let history = try store.flakeHistory(of: test, project: project, since: .distantPast, runs: 1_000)
        #expect(history?.runs == 251)
        #expect(history?.test.rate == FailureRate(failures: 1, executions: 251))
        #expect(history?.since == .distantPast)
    }

    @Test func `it is said on which machine, with which toolchain, at which hour and in which company a test fails`()
        throws
    {
        let place = try TemporaryStore()
        let store = try place.open()
        var hosted = run("r", 1)
        hosted.origin = RunHost(host: "agent-7")
        var named = run("f", 2)
        named.machine = MachineClass(processor: "Sample Processor 1", cores: 2)
        var alone = run("p", 3)
        alone.tests = [alone.tests[0]]
        var latest = run("p", 4)
        latest.notes = [
            Note(.orderDependent, subject: test.description, detail: "it fails when one test runs at a time")
        ]
        for run in [hosted, named, alone, latest] { try store.ingest(run) }
        let history = try #require(
            try store.flakeHistory(of: test, project: project, since: .distantPast, runs: FlakeHistory.mostRuns))
        #expect(history.machines.map(\.name) == ["Sample Processor 1, 2 cores", "agent-7"])
        #expect(history.toolchains.map(\.name) == ["Swift version 6.3.1 (swift-6.3.1-RELEASE)"])
        #expect(history.toolchains.map(\.rate) == [FailureRate(failures: 2, executions: 4)])
        #expect(history.alone == FailureRate(failures: 0, executions: 1))
        #expect(history.inCompany == FailureRate(failures: 2, executions: 3))
        #expect(history.hours[3] == FailureRate(failures: 2, executions: 4))
        #expect(history.isOrderDependent)
        #expect(history.firstChange?.commit == "commit 1")
    }

    @Test
    func `green runs in which a retry hid a flaky test are counted, and a shard with the run that it was merged into`()
        throws
    {
        let place = try TemporaryStore()
        let store = try place.open()
        try store.ingest(run("p", 1))
        try store.ingest(run("r", 2))
        try store.ingest(run("r", 3), decision: .failed)
        try store.ingest(run("r", 4, isCopy: true))
        try store.ingest(run("r", 5))
        var merged = run("r", 6)
        merged.shards = [SampleRuns.id(5)]
        try store.ingest(merged)
        for (since, expected) in [
            (Date.distantPast, FlakyWindow(runs: 4, green: 3, hidden: 2)),
            (run("p", 3).startedAt, FlakyWindow(runs: 2, green: 1, hidden: 1)),
            (run("p", 7).startedAt, FlakyWindow()),
        ] {
            #expect(try store.flakyWindow(project: project, since: since) == expected)
            #expect(try store.hiddenFlakes(project: project, since: since) == expected.hidden)
        }
        #expect(try store.flakyWindow(project: "none", since: .distantPast) == FlakyWindow())
        #expect(try store.hiddenFlakes(project: "none", since: .distantPast) == 0)
    }

    @Test func `the entries of a quarantine that end soon are found`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        let today = CalendarDay(SampleRuns.moment)
        var judged = Verdict.sample(for: run("p", 1), decision: .passed)
        let entries = [("b", 3), ("a", 3), ("c", -1), ("d", 15)].map { name, days in
            QuarantineEntry(test: name, owner: "ana", reason: "slow", expires: today.adding(days: days))
        }
        judged.quarantine = entries.map { QuarantineStatus(entry: $0, id: nil, outcome: nil) }
        _ = try store.ingest(run("p", 1), verdict: judged, runDirectory: nil)
        try store.ingest(run("p", 2))
        let first = try #require(try store.summary(of: SampleRuns.id(1)))
        let second = try #require(try store.summary(of: SampleRuns.id(2)))
        let soon = today.adding(days: QuarantineEntry.daysAhead)
        #expect(try store.quarantine(of: first, endingBy: soon).map(\.test) == ["c", "a", "b"])
        #expect(try store.quarantine(of: first, endingBy: today).map(\.test) == ["c"])
        #expect(try store.quarantine(of: first, endingBy: today.adding(days: -2)) == [])
        #expect(try store.quarantine(of: second, endingBy: soon) == [])
    }
}
