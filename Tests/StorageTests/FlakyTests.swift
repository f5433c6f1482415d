import Foundation
import Gate
import RunModel
import TestSupport
import Testing

@testable import Storage

@Suite struct FlakyTests {
    /// Runs of which only one test differs: `p` passed, `f` failed, `r` failed and then passed, `s` skipped.
    private func ingest(
        _ outcomes: String, of test: Int = 0, into store: TemporaryStore, from number: Int = 1,
        trees: [String]? = nil, branch: String? = "main"
    ) throws {
        for (place, letter) in outcomes.enumerated() {
            var run = SampleRuns.passing(number + place)
            run.revision = Revision(
                commit: "c", tree: trees?[place] ?? "tree \(number + place)", branch: branch,
                isDirty: trees?[place] == "")
            if trees?[place] == "" { run.revision?.tree = nil }
            let (outcome, attempts): (Outcome, [Outcome]) =
                switch letter {
                case "f": (.failed, [.failed])
                case "r": (.passed, [.crashed, .passed])
                case "s": (.skipped, [])
                default: (.passed, [.passed])
                }
            run.tests[test].outcome = outcome
            run.tests[test].attempts = attempts.map { TestAttempt(outcome: $0) }
            try store.open().ingest(run)
        }
    }

    private let test = SampleRuns.passing().tests[0].id

    private func flakiest(
        _ store: TemporaryStore, since: Date = .distantPast, tag: String? = nil
    ) throws -> [FlakyTest] {
        try store.open().flakiest(project: SampleRuns.passing().project, since: since, limit: 10, tag: tag)
    }

    @Test func `a tag leaves the flaky tests that have it`() throws {
        let store = try TemporaryStore()
        for number in 1...2 {
            var run = SampleRuns.passing(number)
            run.revision = Revision(commit: "c", tree: "a", branch: "main", isDirty: false)
            for place in 0...1 {
                run.tests[place].tags = [[".network"], [".unicode"]][place]
                run.tests[place].outcome = number == 1 ? .passed : .failed
                run.tests[place].attempts = [TestAttempt(outcome: run.tests[place].outcome)]
            }
            try store.open().ingest(run)
        }
        #expect(try flakiest(store).count == 2)
        #expect(try flakiest(store, tag: ".network").map(\.id) == [test])
        #expect(try flakiest(store, tag: "network").map(\.id) == [test])
        #expect(try flakiest(store, tag: "net") == [])
    }

    @Test func `a test that failed and passed on one tree is flaky, in two runs or in one`() throws {
        let store = try TemporaryStore()
        try ingest("pfpr", into: store, trees: ["a", "a", "b", "c"])
        #expect(
            try flakiest(store) == [
                FlakyTest(
                    id: test, disagreements: 2, flips: 2, failures: 1, recoveries: 1, executions: 4,
                    lastFailure: SampleRuns.id(4))
            ])
    }

    @Test func `a test that passed, and failed when it was repeated, is flaky`() throws {
        let store = try TemporaryStore()
        for (number, tree) in [(1, "a"), (2, nil)] as [(Int, String?)] {
            var run = SampleRuns.passing(number)
            run.revision = Revision(commit: "c", tree: tree, branch: "main", isDirty: tree == nil)
            let tallies = [
                (run.tests[0].id, TrialTally(passed: 19, failed: 1)), (run.tests[2].id, TrialTally(passed: 20)),
                // One that the run skipped, and one that it has not.
                (run.tests[1].id, TrialTally(failed: 1)),
                (TestID(module: "M", suite: "S", name: "gone"), TrialTally(failed: 1)),
            ]
            var verdict = Verdict.sample(for: run, decision: .passed)
            verdict.probation = Probation(
                base: "0a", runs: 20, budget: .seconds(30), seed: 7,
                entries: tallies.map { id, tally in
                    Probation.Entry(test: id, reason: .new, counts: [Probation.Count(.alone, tally)])
                })
            _ = try store.open().ingest(run, verdict: verdict, runDirectory: nil)
            #expect(try store.open().run(run.id)?.verdict == verdict)
        }
        #expect(
            try flakiest(store) == [
                FlakyTest(id: test, disagreements: 2, recoveries: 2, executions: 2, lastFailure: SampleRuns.id(2))
            ])
        // Its months say the same as the list, and so does what its last runs show.
        let project = SampleRuns.passing().project
        let months = try store.open().flakeHistory(of: test, project: project, since: .distantPast, runs: 9)
        #expect(try months.map { [$0.test] } == flakiest(store))
        let points = try store.open().history(of: test, project: project, runs: 9)
        #expect(points.map(\.failedWhenRepeated) == [true, true])
        #expect(points.compactMap { FlakeHistory.Execution($0)?.isRecovered } == [true, true])
        #expect(try store.open().check() == [])
    }

    @Test func `a fault and its repair are not flaky, a third change is`() throws {
        let store = try TemporaryStore()
        try ingest("ppffffpp", into: store)
        #expect(try flakiest(store) == [])
        try ingest("f", into: store, from: 9)
        #expect(try flakiest(store).map(\.flips) == [3])
    }

    @Test func `a test that fails in every run since one is broken, and listed behind those that are flaky`() throws {
        let store = try TemporaryStore()
        try ingest("prpppppppp" + "fff", into: store)
        #expect(try flakiest(store).map(\.kind) == [.flaky])
        try ingest("f", into: store, from: 14)
        try ingest("r", of: 1, into: store, from: 20, branch: "fix")
        let found = try flakiest(store)
        #expect(found.map(\.kind) == [.flaky, .broken])
        #expect(
            found.last
                == FlakyTest(
                    id: test, disagreements: 1, flips: 1, failures: 4, recoveries: 1, executions: 15,
                    lastFailure: SampleRuns.id(14), breakage: FlakyTest.Breakage(since: SampleRuns.id(11), failures: 4))
        )
        let project = SampleRuns.passing().project
        for kind in FlakyTest.Kind.allCases {
            let kept = try store.open().flakiest(project: project, since: .distantPast, limit: 10, kind: kind)
            #expect(kept == found.filter { $0.kind == kind })
        }
    }

    @Test func `branches, skipped tests and changed working copies do not make flips`() throws {
        let store = try TemporaryStore()
        for (place, branch) in ["main", "fix", "main", "fix", "main", "fix"].enumerated() {
            try ingest(branch == "fix" ? "f" : "p", into: store, from: place + 1, branch: branch)
        }
        try ingest("psps", into: store, from: 10)
        try ingest("fpfpf", into: store, from: 20, trees: Array(repeating: "", count: 5), branch: "work")
        #expect(try flakiest(store) == [])
        try ingest("r", into: store, from: 30, trees: [""])
        #expect(try flakiest(store).map(\.disagreements) == [1])
    }

    @Test func `what a shard ran counts once, with the run that it was merged into`() throws {
        let store = try TemporaryStore()
        try ingest("r", into: store, trees: ["a"])
        let alone = try flakiest(store)
        #expect(alone.map(\.executions) == [1])
        var merged = SampleRuns.passing(2)
        merged.revision = Revision(commit: "c", tree: "a", branch: "main", isDirty: false)
        merged.tests[0].attempts = [TestAttempt(outcome: .crashed), TestAttempt(outcome: .passed)]
        merged.shards = [SampleRuns.id(1), SampleRuns.id(9)]
        try store.open().ingest(merged)
        #expect(
            try flakiest(store) == [
                FlakyTest(
                    id: test, disagreements: 1, recoveries: 1, executions: 1, lastFailure: SampleRuns.id(2))
            ])
        #expect(try store.open().run(SampleRuns.id(2))?.run.shards == merged.shards)
    }

    @Test func `the quarantine of a project is that of the latest full run on its default branch`() throws {
        let store = try TemporaryStore()
        let project = SampleRuns.passing().project
        #expect(try store.open().quarantine(of: project) == [])
        for (number, branch, owner) in [(1, "main", "ana"), (2, "main", "bo"), (3, "fix", "cy")] {
            var run = SampleRuns.passing(number)
            run.revision = Revision(commit: "c", tree: "tree \(number)", branch: branch, isDirty: false)
            var verdict = Verdict.sample(for: run, decision: .passed)
            let entry = QuarantineEntry(test: "t", owner: owner, reason: "r", expires: CalendarDay(run.startedAt))
            verdict.quarantine = [QuarantineStatus(entry: entry, id: test, outcome: .passed)]
            _ = try store.open().ingest(run, verdict: verdict, runDirectory: nil)
        }
        #expect(try store.open().quarantine(of: project).map(\.entry.owner) == ["bo"])
    }

    @Test func `only runs since a moment count`() throws {
        let store = try TemporaryStore()
        try ingest("pfpf", into: store, trees: ["a", "a", "b", "b"])
        #expect(try flakiest(store).map(\.disagreements) == [2])
        #expect(try flakiest(store, since: SampleRuns.passing(3).startedAt).map(\.disagreements) == [1])
        #expect(try flakiest(store, since: SampleRuns.passing(5).startedAt) == [])
    }

    @Test func `proof comes before suspicion, and more before less`() {
        func make(_ name: String, _ disagreements: Int, _ flips: Int, _ failures: Int = 0) -> FlakyTest {
            FlakyTest(
                id: TestID(module: "M", suite: "", name: name), disagreements: disagreements, flips: flips,
                failures: failures)
        }
        let order = [make("e", 2, 0), make("d", 1, 9), make("c", 1, 3, 2), make("a", 1, 3), make("b", 1, 3)]
        #expect(order.reversed().sorted { $0.precedes($1) } == order)
    }

    @Test func `durations are those of the latest full run`() throws {
        let store = try TemporaryStore()
        try store.open().ingest(SampleRuns.passing(1))
        var part = SampleRuns.passing(2)
        part.selection = Selection(filters: ["a"])
        part.tests[0].attempts = [TestAttempt(outcome: .passed, duration: .seconds(9))]
        try store.open().ingest(part)
        let durations = try store.open().latestDurations(project: part.project)
        let timed = SampleRuns.passing().tests.compactMap { test in test.duration.map { (test.id, $0) } }
        #expect(durations == Dictionary(uniqueKeysWithValues: timed))
        #expect(try store.open().latestDurations(project: "none") == [:])
    }
}
