import Foundation
import RunModel
import TestSupport
import Testing

@testable import Gate
@testable import Storage

@Suite struct ReadingTests {
    @Test func `an empty store says so`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        #expect(try store.isEmpty)
        #expect(try store.projects() == [])
        #expect(try store.runs(project: "none", limit: 5) == [])
        #expect(try store.latestRun(project: "none") == nil)
        #expect(try store.run(SampleRuns.id(1)) == nil)
        #expect(try store.slowest(project: "none", limit: 5, runs: 5) == [])
        #expect(throws: StorageError.unknownRun(path: place.path, id: SampleRuns.id(1))) {
            try store.failures(of: SampleRuns.id(1))
        }
    }

    @Test func `a list of runs shows what each is made of`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        try store.ingest(SampleRuns.failing(2), decision: .failed)
        let run = SampleRuns.failing(2)
        let summary = try #require(try store.latestRun(project: run.project))
        #expect(summary.id == run.id)
        #expect(summary.project == run.project)
        #expect(summary.package == run.package)
        #expect(summary.revision == run.revision)
        #expect(summary.startedAt == run.startedAt)
        #expect(summary.duration == run.duration)
        #expect(summary.engine == run.engine)
        #expect(summary.decision == .failed)
        #expect(summary.exitStatus == .testsFailed)
        #expect(summary.outcomes == run.outcomes)
        #expect(summary.lines == CoverageTally(covered: 24, total: 30))
        #expect(summary.runDirectory == "/runs/\(run.id)")
        #expect(try store.summary(of: run.id) == summary)
        #expect(try store.projects() == [ProjectSummary(name: run.project, runs: 1, latest: summary)])
    }

    @Test func `pages of runs neither overlap nor leave one out`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        for number in [4, 1, 5, 2, 3] {
            var run = SampleRuns.passing(number)
            // Two begin at the same moment: then the id decides.
            if number == 3 { run.startedAt = SampleRuns.passing(2).startedAt }
            try store.ingest(run)
        }
        var other = SampleRuns.passing(6)
        other.project = "another"
        try store.ingest(other)

        let all = [6, 5, 4, 3, 2, 1].map(SampleRuns.id)
        #expect(try store.runs(limit: 10).map(\.id) == all)
        #expect(try store.runs(before: all[0], limit: 2).map(\.id) == Array(all[1...2]))
        let project = other.project == "another" ? SampleRuns.passing().project : ""
        #expect(try store.runs(project: project, limit: 2).map(\.id) == Array(all[1...2]))
        #expect(try store.runs(project: project, before: all[2], limit: 2).map(\.id) == Array(all[3...4]))
        #expect(try store.runs(project: project, before: all[4], limit: 2).map(\.id) == [all[5]])
        #expect(try store.runs(project: project, before: all[5], limit: 2) == [])
        let projects = try store.projects()
        #expect(projects.map(\.name) == ["another", project])
        #expect(projects.last?.runs == 5)
    }

    @Test func `the latest run of a branch is not that of the project`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        try store.ingest(SampleRuns.passing(1))
        var topic = SampleRuns.passing(2)
        topic.revision?.branch = "topic/é"
        try store.ingest(topic)
        #expect(try store.latestRun(project: topic.project)?.id == topic.id)
        func latest(_ branch: String) throws -> RunID? {
            try store.wholeRuns(project: topic.project, branch: branch, limit: 1).first?.id
        }
        #expect(try latest("main") == SampleRuns.id(1))
        #expect(try latest("topic/é") == topic.id)
        #expect(try latest("topic/e\u{301}") == nil)
    }

    @Test func `a run of a working copy speaks for no commit and no branch`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        let project = SampleRuns.passing().project
        try store.ingest(SampleRuns.passing(1))
        for (number, isDirty) in [(2, true), (3, false)] {
            var run = SampleRuns.failing(number)
            run.revision?.tree = nil
            run.revision?.isDirty = isDirty
            try store.ingest(run)
        }
        let exact = [SampleRuns.id(1)]
        #expect(try store.wholeRuns(project: project, branch: nil, limit: 9).map(\.id) == exact)
        #expect(try store.wholeRuns(project: project, branch: "main", limit: 9).map(\.id) == exact)
        #expect(try store.branches(project: project, limit: 9).map(\.id) == exact)
        #expect(Set(try store.modules(project: project, branch: "main", runs: 9).map(\.run)) == Set(exact))
        #expect(
            try store.runsOfWorkingCopies(project: project, limit: 9).map(\.id) == [3, 2].map { SampleRuns.id($0) })
        #expect(try store.runs(project: project, limit: 9).map(\.isExact) == [false, false, true])
        let failed = SampleRuns.failing().tests.filter(\.outcome.isFailure).map(\.id)
        #expect(!failed.isEmpty)
        #expect(try store.regressions(of: failed, project: project, branch: "main", runs: 9) == [])
        #expect(try store.history(of: failed[0], project: project, runs: 9).prefix(2).map(\.isExact) == [false, false])
    }

    @Test func `a run outside of git speaks for its project`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        var run = SampleRuns.passing(1)
        run.revision = nil
        try store.ingest(run)
        #expect(try store.wholeRuns(project: run.project, branch: nil, limit: 9).map(\.id) == [run.id])
        #expect(try store.wholeRuns(project: run.project, branch: nil, limit: 9).map(\.answersForTree) == [false])
    }

    @Test func `a run is found by the beginning or the end of its id, and by its commit`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        for number in 1...3 { try store.ingest(SampleRuns.passing(number)) }
        let id = SampleRuns.id(2)
        #expect(try store.runIDs(matching: id.description) == [id])
        #expect(try store.runIDs(matching: id.short) == [id])
        #expect(try store.runIDs(matching: "0002") == [id])
        #expect(try store.runIDs(matching: String(id.description.prefix(13))) == [id])
        #expect(try store.runIDs(matching: "019b", limit: 2) == [SampleRuns.id(3), id])
        #expect(try store.runIDs(matching: "002") == [])
        #expect(try store.runIDs(matching: "0002' OR 1=1") == [])
        #expect(try store.runIDs(matching: "%002") == [])
        #expect(try store.runs(commit: "9f3c2ab1", limit: 2).map(\.id) == [SampleRuns.id(3), id])
        #expect(try store.runs(commit: "9f3d", limit: 2) == [])
        #expect(try store.runs(commit: "", limit: 2) == [])
    }

    @Test func `failures and files are read without the rest of the run`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        let run = SampleRuns.failing()
        try store.ingest(run)
        let failed = run.asStored.tests.filter(\.outcome.isFailure)
        #expect(try store.failures(of: run.id) == failed)
        #expect(failed.count > 1)
        for limit in 0...failed.count {
            #expect(try store.failures(of: run.id, limit: limit) == Array(failed.prefix(limit)))
        }
        let some = [run.tests[2].id, run.tests[0].id, TestID(module: "M", suite: "S", name: "gone")]
        #expect(try store.results(of: some, in: run.id) == [run.asStored.tests[0], run.asStored.tests[2]])
        #expect(try store.results(of: [], in: run.id) == [])
        #expect(try store.coverage(of: "Sources/tool/main.swift", in: run.id) == run.coverage?.files[2])
        #expect(try store.coverage(of: "Sources/tool/MAIN.swift", in: run.id) == nil)
    }

    @Test func `a run is compared with the newest tested state of its target before it, or else of any branch`() throws
    {
        let place = try TemporaryStore()
        let store = try place.open()
        let project = SampleRuns.passing().project
        func ingest(_ number: Int, on branch: String, _ change: (inout TestRun) -> Void = { _ in }) throws {
            var run = SampleRuns.passing(number)
            run.revision?.branch = branch
            change(&run)
            try store.ingest(run)
        }
        try ingest(1, on: "main")
        try ingest(2, on: "topic")
        try ingest(3, on: "main") { run in
            run.tests = run.tests.map { test in
                var test = test
                (test.outcome, test.attempts) = (.skipped, [])
                return test
            }
        }
        try ingest(4, on: "main") { $0.revision?.attempt = .staged }
        try ingest(5, on: "topic")
        func before(_ number: Int, on branch: String?, among runs: Int = 9) throws -> RunID? {
            try store.stateBefore(SampleRuns.id(number), of: project, on: branch, among: runs)?.id
        }
        #expect(try before(5, on: "main") == SampleRuns.id(1))
        #expect(try before(5, on: nil) == SampleRuns.id(2))
        #expect(try before(5, on: "nowhere") == SampleRuns.id(2))
        #expect(try before(5, on: "main", among: 3) == SampleRuns.id(2))
        #expect(try before(5, on: "main", among: 2) == nil)
        #expect(try before(1, on: "main") == nil)
        #expect(try store.hasProject(project))
        #expect(try !store.hasProject("none"))
    }

    @Test func `only a run with owners or a quarantine may have owners`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        let verdicts = (1...3).map { Verdict.sample(for: SampleRuns.passing($0), decision: .passed) }
        for (number, verdict) in zip(1..., verdicts) {
            var verdict = verdict
            if number == 2 {
                verdict.owners = CodeOwnersFile(
                    path: "CODEOWNERS", form: .gitHub, text: "* @all\n", commit: String(repeating: "c", count: 40))
            }
            if number == 3 {
                let entry = QuarantineEntry(
                    test: "M.S/t", owner: "@qa", reason: "it drifts", expires: CalendarDay(SampleRuns.moment))
                verdict.quarantine = [QuarantineStatus(entry: entry)]
            }
            _ = try store.ingest(SampleRuns.passing(number), verdict: verdict, runDirectory: nil)
        }
        #expect(try (1...4).map { try store.mayHaveOwners(SampleRuns.id($0)) } == [false, true, true, false])
        #expect(try store.quarantine(of: SampleRuns.passing().project).map(\.entry.owner) == ["@qa"])
    }

    @Test func `the history of a test goes back from its newest run`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        try store.ingest(SampleRuns.passing(1))
        try store.ingest(SampleRuns.failing(2))
        try store.ingest(SampleRuns.undecided(3))
        let run = SampleRuns.passing()
        let history = try store.history(of: run.tests[0].id, project: run.project, runs: 9)
        #expect(history.map(\.run) == [3, 2, 1].map(SampleRuns.id))
        #expect(history.map(\.outcome) == [.notRun, .failed, .passed])
        #expect(history.map(\.attempts) == [0, 1, 1])
        #expect(history.map(\.duration) == [nil, .milliseconds(3), .microseconds(870)])
        #expect(history.map(\.branch) == ["main", "main", "main"])
        let older = try store.history(of: run.tests[0].id, project: run.project, before: SampleRuns.id(2), runs: 9)
        #expect(older.map(\.run) == [SampleRuns.id(1)])
        let missing = TestID(module: "CoreTests", suite: "", name: "x")
        #expect(try store.history(of: missing, project: run.project, runs: 9) == [])
    }

    @Test func `the slowest tests are those of the last run that executed any`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        let slow = TestID(module: "M", suite: "", name: "slow")
        let quick = TestID(module: "M", suite: "", name: "quick")
        for (number, milliseconds) in [7, 40, 9, 30].enumerated() {
            var run = SampleRuns.passing(number)
            run.tests = [(quick, 1), (slow, milliseconds)].map { id, milliseconds in
                TestResult(
                    id: id, library: .xctest, outcome: .passed,
                    attempts: [TestAttempt(outcome: .passed, duration: .milliseconds(milliseconds))]
                )
            }
            try store.ingest(run)
        }
        var broken = SampleRuns.passing(9)
        broken.tests = []
        try store.ingest(broken)
        let expected = SlowTest(
            id: slow, latest: .milliseconds(30), median: .milliseconds(9), longest: .milliseconds(40), runs: 4)
        #expect(try store.slowest(project: broken.project, limit: 1, runs: 9) == [expected])
        #expect(try store.slowest(project: broken.project, limit: 9, runs: 9).map(\.id) == [slow, quick])
    }

    @Test func `a tag leaves the slow tests that have it, and the limit counts only those`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        var run = SampleRuns.passing()
        let tests = [("a", [".slow"], 9), ("b", [], 8), ("c", [".slow", ".Area.disk"], 7)]
        run.tests = tests.map { name, tags, milliseconds in
            var result = TestResult(
                id: TestID(module: "M", suite: "", name: name), library: .swiftTesting, outcome: .passed,
                attempts: [TestAttempt(outcome: .passed, duration: .milliseconds(milliseconds))])
            result.tags = tags
            return result
        }
        try store.ingest(run)
        func slowest(_ tag: String?, limit: Int = 9) throws -> [String] {
            try store.slowest(project: run.project, limit: limit, runs: 9, tag: tag).map(\.id.name)
        }
        #expect(try slowest(nil, limit: 2) == ["a", "b"])
        #expect(try slowest(".slow", limit: 2) == ["a", "c"])
        #expect(try slowest("Area.disk") == ["c"])
        #expect(try slowest("disk") == [])
    }

    @Test func `a run of a part of the tests is not looked at for slow ones`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        let slow = TestID(module: "M", suite: "", name: "slow")
        for (number, milliseconds) in [40, 90].enumerated() {
            var run = SampleRuns.passing(number)
            if number == 1 { run.selection = Selection(filters: ["slow"]) }
            run.tests = [
                TestResult(
                    id: slow, library: .xctest, outcome: .passed,
                    attempts: [TestAttempt(outcome: .passed, duration: .milliseconds(milliseconds))])
            ]
            try store.ingest(run)
        }
        let expected = SlowTest(
            id: slow, latest: .milliseconds(40), median: .milliseconds(40), longest: .milliseconds(40), runs: 1)
        #expect(try store.slowest(project: SampleRuns.passing().project, limit: 9, runs: 9) == [expected])
    }
}
