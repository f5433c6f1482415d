import Foundation
import Gate
import RunModel
import TestSupport
import Testing

@testable import Storage

/// Runs that were delivered: which of them speak for their branch.
@Suite struct TrustTests {
    private static func delivered(_ run: TestRun, isAttested: Bool) -> TestRun {
        var run = run
        run.delivery = DeliveryRecord(
            token: isAttested ? "ci" : "laptop-3", isAttested: isAttested, receivedAt: SampleRuns.moment,
            address: "192.0.2.1")
        return run
    }

    private static func ingest(_ run: TestRun, comparedWith branch: String, into store: RunStore) throws {
        var verdict = Verdict.sample(for: run, decision: .passed)
        verdict.base = BaseReview(
            commit: BaseCommit(commit: String(repeating: "0", count: 40), kind: .mergeBase, name: "origin/\(branch)"))
        _ = try store.ingest(run, verdict: verdict, runDirectory: nil)
    }

    @Test func `how a run came is kept`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        let run = Self.delivered(SampleRuns.passing(), isAttested: true)
        try store.ingest(run)
        #expect(try store.run(run.id)?.run.delivery == run.delivery)
        #expect(try store.summary(of: run.id)?.delivery == run.delivery)
        #expect(try store.summary(of: run.id)?.trust == .ci)
    }

    @Test func `a run from a laptop speaks for no branch, one of CI does`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        let project = SampleRuns.passing().project
        try store.ingest(Self.delivered(SampleRuns.passing(1), isAttested: true))
        try store.ingest(Self.delivered(SampleRuns.failing(2), isAttested: false))
        let exact = [SampleRuns.id(1)]
        #expect(try store.wholeRuns(project: project, branch: nil, limit: 9).map(\.id) == exact)
        #expect(try store.wholeRuns(project: project, branch: "main", limit: 9).map(\.id) == exact)
        #expect(try store.branches(project: project, limit: 9).map(\.id) == exact)
        #expect(Set(try store.modules(project: project, branch: "main", runs: 9).map(\.run)) == Set(exact))
        #expect(try store.runsOfWorkingCopies(project: project, limit: 9).map(\.trust) == [.laptop])
        #expect(try store.runs(project: project, limit: 9).map(\.isExact) == [false, true])
        #expect(try store.runs(project: project, limit: 9).map(\.answersForTree) == [false, true])
        let failed = SampleRuns.failing().tests.filter(\.outcome.isFailure).map(\.id)
        #expect(try store.regressions(of: failed, project: project, branch: "main", runs: 9) == [])
    }

    @Test func `any number of runs from laptops hides nothing of what CI says`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        let project = SampleRuns.passing().project
        func ingest(_ original: TestRun, isAttested: Bool, as name: String) throws {
            var run = Self.delivered(original, isAttested: isAttested)
            run.revision?.subject = name
            try store.ingest(run)
        }
        try ingest(SampleRuns.failing(1), isAttested: true, as: "ci")
        let failed = try #require(SampleRuns.failing().tests.first { $0.outcome.isFailure })
        for number in 2...6 {
            var run = SampleRuns.failing(number)
            let own = TestID(module: "A", suite: "", name: "a\(number)")
            run.tests.append(TestResult(id: own, library: .swiftTesting, outcome: .passed))
            try ingest(run, isAttested: false, as: "laptop")
        }
        var subjects: [String?] = []
        try store.forEachWords(project: project, runs: 2) { words in
            subjects.append(words.subject)
            return true
        }
        #expect(subjects == ["ci", "laptop", "laptop"])
        let messages = try store.failureMessages(project: project, runs: 2, limit: 9) { _ in true }
        #expect(!messages.isEmpty && messages.allSatisfy { $0.run == SampleRuns.id(1) })
        // Each message stands once for its test, with the newest run, and no more are read than are wanted.
        #expect(messages.count == Set(messages.map { "\($0.test) \($0.message)" }).count)
        for limit in 0...messages.count {
            #expect(
                try store.failureMessages(project: project, runs: 2, limit: limit) { _ in true }
                    == Array(messages.prefix(limit)))
        }
        #expect(try store.failureMessages(project: project, runs: 2, limit: 9) { _ in false } == [])
        let history = try store.history(of: failed.id, project: project, runs: 2)
        #expect(history.map(\.run) == [SampleRuns.id(6), SampleRuns.id(5), SampleRuns.id(1)])
        #expect(history.map(\.isExact) == [false, false, true])
        // The tests of CI come before those that only laptops have.
        #expect(
            try store.tests(project: project).prefix(SampleRuns.failing().tests.count).map(\.id)
                == SampleRuns.failing().tests.map(\.id))
        #expect(try store.tests(project: project).count == SampleRuns.failing().tests.count + 5)
    }

    @Test func `no number of runs from laptops stands between a commit and what CI says of it`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        let commit = try #require(SampleRuns.passing().revision?.commit)
        try store.ingest(Self.delivered(SampleRuns.passing(1), isAttested: true))
        for number in 2...6 {
            var run = Self.delivered(SampleRuns.failing(number), isAttested: false)
            // Another commit that begins alike.
            if number > 4 { run.revision?.commit = "\(commit.dropLast(2))0\(number)" }
            try store.ingest(run)
        }
        #expect(try store.verdicts(on: commit, limit: 1).map(\.id) == [SampleRuns.id(1)])
        #expect(
            try store.verdicts(on: commit, limit: 3).map(\.id) == [
                SampleRuns.id(1), SampleRuns.id(4), SampleRuns.id(3),
            ])
        #expect(try store.commits(beginning: String(commit.prefix(8)), limit: 9) == [commit])
        #expect(try store.commits(beginning: "\(commit.dropLast(2))0", limit: 9).count == 2)
        _ = try store.distrust(token: "ci", at: SampleRuns.moment)
        #expect(try store.verdicts(on: commit, limit: 1).map(\.id) == [SampleRuns.id(4)])
        #expect(try store.commits(beginning: String(commit.prefix(8)), limit: 9).count == 3)
    }

    @Test func `the runs before one that answer for their tree are found behind any number of others`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        let project = SampleRuns.passing().project
        for number in 1...5 { try store.ingest(Self.delivered(SampleRuns.passing(number), isAttested: number < 3)) }
        try store.ingest(SampleRuns.passing(6))
        #expect(
            try store.trustedRuns(of: project, before: SampleRuns.id(6), limit: 1).map(\.id) == [SampleRuns.id(2)])
        #expect(try store.ownRuns(of: project, limit: 2).map(\.id) == [SampleRuns.id(6)])
        #expect(try store.ownRuns(of: "none", limit: 2) == [])
    }

    @Test func `trials of CI count where there are any, and else those of laptops`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        func ingest(_ number: Int, isAttested: Bool) throws {
            var run = Self.delivered(SampleRuns.passing(number), isAttested: isAttested)
            run.trial = SelectionTrial(
                base: SampleRuns.id(99), tests: 3, deselected: 1, time: .seconds(2), deselectedTime: .seconds(1),
                failures: 0, missed: 0)
            try store.ingest(run)
        }
        func trials() throws -> [RunID] {
            try store.selectionLedger(of: SampleRuns.passing().project, limit: 2).entries.map(\.run)
        }
        for number in 2...4 { try ingest(number, isAttested: false) }
        #expect(try trials() == [SampleRuns.id(4), SampleRuns.id(3)])
        try ingest(1, isAttested: true)
        #expect(try trials() == [SampleRuns.id(1)])
    }

    @Test func `a merged run of a laptop takes the place of no run of CI`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        let project = SampleRuns.passing().project
        var flaky = Self.delivered(SampleRuns.passing(1), isAttested: true)
        flaky.tests[0].attempts = [TestAttempt(outcome: .failed), TestAttempt(outcome: .passed)]
        try store.ingest(flaky)
        func executions() throws -> [Int] {
            try store.flakiest(project: project, since: .distantPast, limit: 9).map(\.executions)
        }
        #expect(try executions() == [1])
        var laptop = Self.delivered(SampleRuns.passing(2), isAttested: false)
        laptop.shards = [flaky.id]
        try store.ingest(laptop)
        var elsewhere = SampleRuns.passing(3)
        elsewhere.project = "other"
        elsewhere.shards = [flaky.id]
        try store.ingest(elsewhere)
        #expect(try executions() == [2])
    }

    @Test func `tests that vary only where laptops ran them come behind all others`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        func ingest(_ number: Int, _ test: Int, _ attempts: [Outcome], isAttested: Bool) throws {
            var run = Self.delivered(SampleRuns.passing(number), isAttested: isAttested)
            run.tests[test].outcome = attempts.last ?? .passed
            run.tests[test].attempts = attempts.map { TestAttempt(outcome: $0) }
            try store.ingest(run)
        }
        try ingest(1, 0, [.failed, .passed], isAttested: true)
        for number in 2...4 { try ingest(number, 1, [.failed, .passed], isAttested: false) }
        let found = try store.flakiest(project: SampleRuns.passing().project, since: .distantPast, limit: 9)
        #expect(found.map(\.id) == SampleRuns.passing().tests.prefix(2).map(\.id))
        #expect(found.map(\.disagreements) == [1, 3])
        // The run of CI skipped the second one.
        #expect(found.map(\.executions) == [4, 3])
        #expect(found.map(\.lastFailure) == [SampleRuns.id(1), SampleRuns.id(4)])
    }

    @Test func `a laptop takes no counts from the run that has them`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        try store.ingest(SampleRuns.passing(1))
        try store.ingest(Self.delivered(SampleRuns.passing(2), isAttested: false))
        #expect(try store.run(SampleRuns.id(1))?.run.coverage?.hasExecutionCounts == true)
        #expect(try store.run(SampleRuns.id(2))?.run.coverage?.hasExecutionCounts == false)
    }

    @Test func `what is trusted replaces what was not, and never the reverse`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        let run = SampleRuns.passing()
        #expect(try store.ingest(Self.delivered(run, isAttested: false)) == .stored)
        #expect(try store.ingest(Self.delivered(run, isAttested: false)) == .alreadyPresent)
        #expect(try store.ingest(Self.delivered(run, isAttested: true)) == .stored)
        #expect(try store.summary(of: run.id)?.trust == .ci)
        #expect(try store.ingest(Self.delivered(run, isAttested: false)) == .alreadyPresent)
        #expect(try store.summary(of: run.id)?.trust == .ci)
        #expect(try store.check().isEmpty)
        #expect(try store.projects().map(\.runs) == [1])
    }

    @Test func `a folder outside of git is nothing but a working copy where it is delivered`() throws {
        var run = Self.delivered(SampleRuns.passing(), isAttested: true)
        run.revision = nil
        #expect(run.trust == .workingCopy)
        run.delivery = nil
        #expect(run.trust == .local)
    }

    @Test func `a working copy stays one, whoever delivers it`() throws {
        var run = Self.delivered(SampleRuns.passing(), isAttested: true)
        run.revision?.tree = nil
        #expect(run.trust == .workingCopy)
        let place = try TemporaryStore()
        let store = try place.open()
        try store.ingest(run)
        #expect(try store.wholeRuns(project: run.project, branch: nil, limit: 9) == [])
    }

    @Test(arguments: [-1, 1])
    func `evidence of another version speaks for no commit, tree or branch, whoever collected it`(by: Int) throws {
        let place = try TemporaryStore()
        let store = try place.open()
        let project = SampleRuns.passing().project
        func run(_ number: Int, _ version: Int) -> TestRun {
            var run = SampleRuns.passing(number)
            run.inputs = RunInputs(
                evidenceVersion: version, platform: "p", checkout: "", environment: "", settings: "")
            return run
        }
        let current = RunInputs.currentEvidenceVersion
        try store.ingest(run(1, current))
        try store.ingest(run(2, current + by), decision: .failed)
        try store.ingest(Self.delivered(run(3, current + by), isAttested: true), decision: .failed)
        let runs = try store.runs(project: project, limit: 9)
        #expect(runs.map(\.trust) == [.otherVersion, .otherVersion, .local])
        #expect(runs.map(\.isWholeOfTree) == [false, false, true])
        #expect(runs.map(\.answersForTree) == [false, false, true])
        #expect(runs.map(\.isState) == [false, false, true])
        #expect(try store.wholeRuns(project: project, branch: "main", limit: 9).map(\.id) == [SampleRuns.id(1)])
        let commit = try #require(SampleRuns.passing().revision?.commit)
        #expect(try store.states(ofBranch: "main", project: project) == [commit: .passed])
        let attempts = try store.runsOfWorkingCopies(project: project, limit: 9).map(\.id)
        #expect(attempts == [SampleRuns.id(3), SampleRuns.id(2)])
        // As a rebuild does it.
        let stored = try #require(try store.run(SampleRuns.id(2)))
        #expect(stored.run.trust == .otherVersion && RunSummary(stored.run, stored.verdict).trust == .otherVersion)
    }

    @Test(arguments: [nil, "ci", "laptop"])
    func `a run of a commit that does not say what it depends on speaks for nothing`(token: String?) throws {
        let place = try TemporaryStore()
        let store = try place.open()
        var run = SampleRuns.passing(1)
        run.inputs = nil
        run.delivery = token.map {
            DeliveryRecord(token: $0, isAttested: $0 == "ci", receivedAt: SampleRuns.moment, address: nil)
        }
        try store.ingest(run)
        let stored = try #require(try store.runs(project: run.project, limit: 9).first)
        #expect(stored.trust == (token == "laptop" ? .laptop : .otherVersion))
        #expect(!stored.isState && !stored.isWholeOfTree && !stored.answersForTree)
        #expect(RunSummary(run, .sample(for: run)).trust == stored.trust)
        #expect(try store.wholeRuns(project: run.project, branch: "main", limit: 9) == [])
        #expect(try store.states(ofBranch: "main", project: run.project) == [:])
        // What another tool reported has none, nor has a folder outside of git.
        run.delivery = nil
        run.engine = .foreign
        #expect(run.trust == .local)
        (run.engine, run.revision) = (.direct, nil)
        #expect(run.trust == .local)
    }

    @Test func `what a distrusted token delivered speaks for nothing any more, and what others did does`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        let project = SampleRuns.passing().project
        var other = Self.delivered(SampleRuns.passing(1), isAttested: true)
        other.delivery?.token = "ci2"
        try store.ingest(other)
        try store.ingest(Self.delivered(SampleRuns.passing(2), isAttested: true))
        try store.ingest(Self.delivered(SampleRuns.passing(3), isAttested: false))
        let moment = SampleRuns.moment + 99
        #expect(try store.distrust(token: "ci", at: moment).map(\.id) == [SampleRuns.id(2)])
        #expect(try store.distrust(token: "ci", at: moment + 1).map(\.id) == [SampleRuns.id(2)])
        #expect(try store.distrust(token: "c", at: moment) == [])
        #expect(try store.runs(project: project, limit: 9).map(\.trust) == [.laptop, .distrusted, .ci])
        #expect(try store.wholeRuns(project: project, branch: "main", limit: 9).map(\.id) == [SampleRuns.id(1)])
        #expect(try store.run(SampleRuns.id(2))?.run.delivery?.distrustedAt == moment)
        #expect(try store.check().isEmpty)
        // The same bytes from where they are trusted count again.
        var again = Self.delivered(SampleRuns.passing(2), isAttested: true)
        again.delivery?.token = "ci2"
        #expect(try store.ingest(again) == .stored)
        #expect(try store.summary(of: again.id)?.trust == .ci)
    }

    @Test func `a distrusted token does not choose the default branch`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        let project = SampleRuns.passing().project
        var honest = Self.delivered(SampleRuns.passing(1), isAttested: true)
        honest.delivery?.token = "ci2"
        let forged = Self.delivered(SampleRuns.passing(2), isAttested: true)
        try Self.ingest(honest, comparedWith: "trunk", into: store)
        try Self.ingest(forged, comparedWith: "mine", into: store)
        #expect(try store.defaultBranch(of: project)?.name == "mine")
        _ = try store.distrust(token: "ci", at: SampleRuns.moment)
        #expect(try store.defaultBranch(of: project)?.name == "trunk")
    }

    @Test func `what CI says of the default branch is neither kept out nor replaced by others, however new`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        let project = SampleRuns.passing().project
        var copy = Self.delivered(SampleRuns.passing(9), isAttested: true)
        copy.revision?.isDirty = true
        let others = [copy, Self.delivered(SampleRuns.passing(8), isAttested: false)]
        for run in others { try Self.ingest(run, comparedWith: "mine", into: store) }
        #expect(try store.defaultBranch(of: project)?.name != "mine")
        let trusted = [1, 2].map { Self.delivered(SampleRuns.passing($0), isAttested: true) }
        try Self.ingest(trusted[0], comparedWith: "trunk", into: store)
        try Self.ingest(trusted[1], comparedWith: "release", into: store)
        #expect(try store.defaultBranch(of: project)?.name == "release")
        for number in [10, 11] {
            var run = others[number - 10]
            run.id = SampleRuns.id(number)
            run.startedAt = SampleRuns.passing(number).startedAt
            try Self.ingest(run, comparedWith: "mine", into: store)
        }
        #expect(try store.defaultBranch(of: project)?.name == "release")
    }

    @Test func `the full runs of a tree are those that are trusted, and those of one token`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        let tree = try #require(SampleRuns.passing().revision?.tree)
        let project = SampleRuns.passing().project
        var part = Self.delivered(SampleRuns.passing(5), isAttested: true)
        part.selection = Selection(filters: ["a"])
        var elsewhere = Self.delivered(SampleRuns.passing(6), isAttested: true)
        elsewhere.revision?.tree = String(repeating: "0", count: 40)
        try store.ingest(SampleRuns.passing(1))
        try store.ingest(Self.delivered(SampleRuns.passing(2), isAttested: true))
        try store.ingest(Self.delivered(SampleRuns.failing(3), isAttested: false))
        for run in [part, elsewhere] { try store.ingest(run) }
        func found(_ token: String, limit: Int = 50) throws -> [RunID] {
            try store.fullRuns(ofTree: tree, at: "", project: project, deliveredBy: token, limit: limit).map(
                \.summary.id)
        }
        #expect(try found("ci") == [SampleRuns.id(2), SampleRuns.id(1)])
        #expect(try found("laptop-3") == [SampleRuns.id(2), SampleRuns.id(1), SampleRuns.id(3)])
        // However many others there are, they take no place.
        #expect(try found("reader", limit: 1) == [SampleRuns.id(2)])
        #expect(try store.fullRuns(ofTree: tree, at: "", project: "other", deliveredBy: "ci") == [])
        #expect(try store.fullRuns(ofTree: tree, at: "App", project: project, deliveredBy: "ci") == [])
    }

    @Test func `no number of runs that speak for nothing hides one that speaks for its tree and its commit`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        let revision = try #require(SampleRuns.passing().revision)
        let (tree, commit) = (try #require(revision.tree), try #require(revision.commit))
        let project = SampleRuns.passing().project
        try store.ingest(Self.delivered(SampleRuns.passing(1), isAttested: true))
        var part = Self.delivered(SampleRuns.passing(2), isAttested: true)
        part.selection = Selection(filters: ["a"])
        try store.ingest(part)
        for number in 3...9 { try store.ingest(Self.delivered(SampleRuns.failing(number), isAttested: false)) }
        let (first, second) = ([SampleRuns.id(1)], [SampleRuns.id(1), SampleRuns.id(2), SampleRuns.id(9)])
        #expect(try store.runs(ofTree: tree, at: nil, project: project, limit: 1).map(\.id) == first)
        #expect(try store.runs(ofTree: tree, at: nil, project: project, limit: 3).map(\.id) == second)
        #expect(try store.runs(ofTree: tree, at: nil, project: nil, limit: 3).map(\.id) == second)
        #expect(try store.runs(commit: commit, limit: 3).map(\.id) == second)
    }

    @Test func `what makes a run unsure is known without reading it`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        var runs = [SampleRuns.passing(1), SampleRuns.unsteady(2), SampleRuns.undecided(3)]
        for number in 4...6 { runs.append(SampleRuns.passing(number)) }
        runs[3].steps[1].wasTimedOut = true
        runs[4].tests[0].outcome = .timedOut
        runs[4].tests[0].attempts[0].outcome = .timedOut
        runs[5].notes = [Note(.submoduleMissing, subject: "a", detail: "b")]
        for run in runs { try store.ingest(run) }
        let tree = try #require(runs[0].revision?.tree)
        let found = try store.fullRuns(ofTree: tree, at: "", project: runs[0].project, deliveredBy: "x").reversed()
        #expect(found.map(\.isFlaky) == [false, true, false, false, false, false])
        #expect(found.map(\.isIncomplete) == [false, false, true, false, false, true])
        #expect(found.map(\.isTimedOut) == [false, false, false, true, true, false])
    }
}
