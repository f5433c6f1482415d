import Foundation
import Gate
import RunModel
import TestSupport
import Testing

@testable import Storage

/// What runs say of commits, and which of these commits is the tip of a branch.
@Suite struct StateTests {
    private static let project = SampleRuns.passing().project
    private static let commits = (0..<10).map { String(repeating: "\($0)", count: 40) }

    private let place: TemporaryStore
    private let store: RunStore

    init() throws {
        place = try TemporaryStore()
        store = try place.open()
    }

    /// A run of a commit on a branch, as it was judged.
    private func judged(
        _ number: Int, of commit: Int, on branch: String = "main", after history: [(Int, [Int])] = [],
        _ decision: Decision = .passed, against base: Int? = nil, attempt: Attempt? = nil
    ) -> (TestRun, Verdict) {
        var run = decision == .failed ? SampleRuns.failing(number) : SampleRuns.passing(number)
        run.revision?.commit = Self.commits[commit]
        run.revision?.branch = branch
        run.revision?.attempt = attempt
        run.revision?.history = history.map { entry in
            CommitParents(commit: Self.commits[entry.0], parents: entry.1.map { Self.commits[$0] })
        }
        return (run, Self.verdict(on: run, decision, against: base))
    }

    private static func verdict(on run: TestRun, _ decision: Decision, against base: Int?) -> Verdict {
        var verdict = Verdict.sample(for: run, decision: decision)
        verdict.base = base.map {
            BaseReview(commit: BaseCommit(commit: commits[$0], kind: .parent, name: "main"))
        }
        return verdict
    }

    private func ingest(_ judged: (TestRun, Verdict)) throws {
        _ = try store.ingest(judged.0, verdict: judged.1, runDirectory: nil)
    }

    /// The states of a branch, its tip first, as numbers of commits.
    private func states(_ branch: String? = "main") throws -> [Int] {
        try store.wholeRuns(project: Self.project, branch: branch, limit: 99).map { run in
            Self.commits.firstIndex(of: run.revision?.commit ?? "") ?? -1
        }
    }

    private func tip(_ branch: String? = "main") throws -> Decision? {
        try store.wholeRuns(project: Self.project, branch: branch, limit: 1).first?.decision
    }

    @Test func `what a run says of one commit stays when it is asked about another`() throws {
        let (run, blocked) = judged(1, of: 2, .failed, against: 1)
        try ingest((run, blocked))
        var revision = try #require(run.revision)
        revision.commit = Self.commits[3]
        let passed = Self.verdict(on: run, .passed, against: 2)
        try store.add(passed, of: run.id, on: revision, at: SampleRuns.moment.addingTimeInterval(60))
        #expect(try store.ownVerdict(of: run.id) == blocked)
        #expect(try store.summary(of: run.id)?.decision == .failed)
        #expect(try store.verdict(of: run.id, on: Self.commits[2], against: Self.commits[1]) == blocked)
        #expect(try store.verdict(of: run.id, on: Self.commits[3], against: Self.commits[2]) == passed)
        #expect(try store.verdict(of: run.id, on: Self.commits[3], against: Self.commits[1]) == nil)
        #expect(
            try store.states(ofBranch: "main", project: Self.project) == [
                Self.commits[2]: .failed, Self.commits[3]: .passed,
            ])
        #expect(try states() == [3, 2])
        #expect(try store.check() == [])
        #expect(throws: Never.self) {
            try store.add(passed, of: SampleRuns.id(9), on: revision, at: SampleRuns.moment)
        }
    }

    @Test func `what a summary tells of a known tree is read from the verdict on its commit`() throws {
        let (run, blocked) = judged(1, of: 2, .failed, against: 1)
        try ingest((run, blocked))
        let day = CalendarDay(SampleRuns.moment)
        let entry = QuarantineEntry(test: "M.S/t", owner: "@qa", reason: "it drifts", expires: day)
        var passed = Self.verdict(on: run, .passed, against: 2)
        passed.quarantine = [QuarantineStatus(entry: entry)]
        var revision = try #require(run.revision)
        revision.commit = Self.commits[3]
        try store.add(passed, of: run.id, on: revision, at: SampleRuns.moment.addingTimeInterval(60))
        let told = try store.wholeRuns(project: Self.project, branch: "main", limit: 9)
        #expect(told.map(\.judgedCommit) == [Self.commits[3], nil])
        #expect(try told.map { try store.verdict(of: $0) } == [passed, blocked])
        #expect(try told.map { try store.quarantine(of: $0, endingBy: day) } == [[entry], []])
        #expect(try told.map { try store.mayHaveOwners($0) } == [true, false])
        #expect(try store.quarantine(of: Self.project).map(\.entry) == [entry])
        let runs = try told.map { try store.run($0) }
        #expect(runs.map { $0?.verdict } == [passed, blocked])
        #expect(runs.map { $0?.run.revision?.commit } == [Self.commits[3], Self.commits[2]])
        #expect(try store.run(told[0])?.run.tests.count == run.tests.count)
    }

    @Test func `what people wrote of a commit without a run of its own is known, but no branch that has it not`() throws
    {
        let (run, verdict) = judged(1, of: 2)
        try ingest((run, verdict))
        var revision = try #require(run.revision)
        (revision.branch, revision.author, revision.subject) = ("topic", "Bo", "amended")
        revision.commit = Self.commits[3]
        try store.add(verdict, of: run.id, on: revision, at: SampleRuns.moment.addingTimeInterval(60))
        (revision.branch, revision.subject, revision.attempt) = ("attempted", "refused", .push)
        revision.commit = Self.commits[4]
        let refused = Self.verdict(on: run, .failed, against: nil)
        try store.add(refused, of: run.id, on: revision, at: SampleRuns.moment.addingTimeInterval(120))
        var words: [RunSearchText] = []
        try store.forEachWords(project: Self.project, runs: 9) { text in
            words.append(text)
            return true
        }
        #expect(words.first == RunSearchText(run: run.id, branch: "main", subject: run.revision?.subject))
        #expect(
            Set(words.dropFirst()) == [
                RunSearchText(run: run.id, branch: "topic", author: "Bo", subject: "amended", commit: Self.commits[3]),
                RunSearchText(run: run.id, author: "Bo", subject: "refused", commit: Self.commits[4]),
            ])
    }

    @Test func `the same commit against another base is another verdict, and against the same one the later`() throws {
        let (run, blocked) = judged(1, of: 2, .failed, against: 1)
        try ingest((run, blocked))
        let against = Self.verdict(on: run, .passed, against: 0)
        try store.add(against, of: run.id, on: run.revision, at: SampleRuns.moment.addingTimeInterval(60))
        #expect(try store.ownVerdict(of: run.id) == blocked)
        #expect(try store.verdict(of: run.id, on: Self.commits[2], against: Self.commits[0]) == against)
        let again = Self.verdict(on: run, .undecided, against: 1)
        try store.add(again, of: run.id, on: run.revision, at: SampleRuns.moment.addingTimeInterval(120))
        #expect(try store.ownVerdict(of: run.id) == again)
        #expect(try store.summary(of: run.id)?.decision == .undecided)
        #expect(try store.check() == [])
    }

    @Test func `testing an older commit again does not make it the tip`() throws {
        try ingest(judged(1, of: 1))
        try ingest(judged(2, of: 2, .failed))
        try ingest(judged(3, of: 1))
        #expect(try states() == [2, 1, 1])
        #expect(try tip() == .failed)
        #expect(try states(nil) == [2, 1, 1])
        #expect(try store.branches(project: Self.project, limit: 9).map(\.decision) == [.failed])
    }

    @Test func `testing an ancestor of the tip for the first time does not make it the tip`() throws {
        try ingest(judged(1, of: 3, after: [(3, [2]), (2, [1])], .failed))
        try ingest(judged(2, of: 1, after: [(1, [0])]))
        #expect(try states() == [3, 1])
        try ingest(judged(3, of: 2, after: [(2, [1])]))
        #expect(try states() == [3, 2, 1])
    }

    @Test func `a descendant that was tested earlier, but came later, is the tip`() throws {
        // As two machines deliver them, of which one was slow.
        try ingest(judged(5, of: 1))
        try ingest(judged(4, of: 2, after: [(2, [1])], .failed))
        #expect(try states() == [2, 1])
    }

    @Test func `of two histories of a branch the one that was seen last has the tip`() throws {
        try ingest(judged(1, of: 1, on: "topic", after: [(1, [0])], .failed))
        try ingest(judged(2, of: 2, on: "topic", after: [(2, [0])]))
        #expect(try states("topic") == [2, 1])
    }

    @Test func `an undecided run of the tip is not skipped`() throws {
        try ingest(judged(1, of: 1))
        try ingest(judged(2, of: 1, .undecided))
        #expect(try tip() == .undecided)
    }

    @Test func `what was only attempted is no state of a branch, and is listed apart`() throws {
        try ingest(judged(1, of: 1))
        var (staged, refusal) = judged(2, of: 2, .failed, attempt: .staged)
        staged.revision?.commit = nil
        try ingest((staged, refusal))
        try ingest(judged(3, of: 3, .failed, attempt: .push))
        (staged, refusal) = judged(4, of: 4, attempt: .otherBase)
        try ingest((staged, refusal))
        (staged, refusal) = judged(5, of: 6, attempt: .otherBranch)
        try ingest((staged, refusal))
        (staged, refusal) = judged(6, of: 5, attempt: .otherBuild)
        try ingest((staged, refusal))
        #expect(try states() == [1])
        let attempts = try store.runsOfWorkingCopies(project: Self.project, limit: 9)
        #expect(
            attempts.map(\.doubt) == [
                "built in a named way", "not of the named branch", "against a named base", "push not let in", "staged",
            ])
        #expect(attempts.map(\.isOfBranch) == [false, false, false, false, false])
        #expect(try store.states(ofBranch: "main", project: Self.project) == [Self.commits[1]: .passed])
        let failed = SampleRuns.failing().tests.filter(\.outcome.isFailure).map(\.id)
        #expect(try store.regressions(of: failed, project: Self.project, branch: "main", runs: 9) == [])
        // One that was let in is the tip.
        try ingest(judged(7, of: 5, attempt: .push))
        #expect(try states() == [5, 1])
    }

    @Test func `a commit that an earlier run answers for is the tip, and goes with that run`() throws {
        let (first, verdict) = judged(1, of: 1)
        try ingest((first, verdict))
        try ingest(judged(2, of: 2, .failed))
        var revision = try #require(first.revision)
        revision.commit = Self.commits[3]
        revision.subject = "Revert"
        try store.add(verdict, of: first.id, on: revision, at: SampleRuns.moment.addingTimeInterval(60))
        let tip = try #require(try store.wholeRuns(project: Self.project, branch: "main", limit: 1).first)
        revision.history = nil
        #expect(tip.id == first.id && tip.revision == revision && tip.isOfKnownTree)
        #expect(try store.commits(beginning: "3333", limit: 9) == [Self.commits[3]])
        #expect(try store.verdicts(on: Self.commits[3], limit: 9).map(\.id) == [first.id])
        _ = try store.prune(keeping: Retention(newest: 1), isDryRun: false)
        #expect(try states() == [2])
        #expect(try store.check() == [])
    }

    @Test func `several commits that begin alike are all found`() throws {
        for (number, commit) in ["abcd1", "abcd2", "abce"].enumerated() {
            var (run, verdict) = judged(number, of: 1)
            run.revision?.commit = commit.padding(toLength: 40, withPad: "0", startingAt: 0)
            verdict.decision = .passed
            try ingest((run, verdict))
        }
        #expect(try store.commits(beginning: "abcd", limit: 9).map { $0.prefix(5) } == ["abcd1", "abcd2"])
        #expect(try store.commits(beginning: "abcd2", limit: 9).count == 1)
        #expect(try store.commits(beginning: "abc", limit: 9) == [])
        #expect(try store.commits(beginning: "ffff", limit: 9) == [])
    }

    @Test func `a commit that is recorded again writes no run again`() throws {
        var run = SampleRuns.passing(1)
        run.revision?.commit = nil
        run.revision?.attempt = .staged
        try store.ingest(run)
        let tree = try #require(run.revision?.tree)
        /// How many rows change when the commit is recorded.
        func written(_ number: Int, _ subject: String) throws -> Int? {
            let revision = Revision(
                commit: Self.commits[number], tree: tree, branch: "main", subject: subject, isDirty: false)
            return try store.write { connection -> Int? in
                let count = try connection.statement("SELECT total_changes()")
                let before = try count.first { $0.int(0) } ?? 0
                let project = try connection.project(Self.project) ?? 0
                try StagedRuns(connection, project: project).note(revision)
                return try count.first { $0.int(0) - before }
            }
        }
        #expect(try written(1, "A") == 1)
        #expect(try written(1, "A") == 0)
        #expect(try written(1, "B") == 1)
        #expect(try written(2, "B") == 1)
    }

    @Test func `a run of staged files learns which commit was made of them`() throws {
        func staged(_ number: Int) -> TestRun {
            var run = SampleRuns.passing(number)
            run.revision?.commit = nil
            run.revision?.subject = nil
            run.revision?.author = nil
            run.revision?.attempt = .staged
            return run
        }
        func made(_ run: TestRun) throws -> Revision? { try store.run(run.id)?.run.revision }
        let first = staged(1)
        let tree = try #require(first.revision?.tree)
        try store.ingest(first)
        #expect(try made(first) == first.revision)
        func commit(_ number: Int, tree: String) -> Revision {
            Revision(
                commit: Self.commits[number], tree: tree, branch: "main", subject: "A", author: "Ada", isDirty: false)
        }
        try store.note(commit: commit(1, tree: Self.commits[9]), project: Self.project)
        try store.note(commit: commit(1, tree: tree), project: "other")
        #expect(try made(first)?.madeCommit == nil)
        try store.note(commit: commit(1, tree: tree), project: Self.project)
        #expect(try made(first)?.madeCommit == Self.commits[1])
        #expect(try made(first)?.subject == "A")
        #expect(try made(first)?.author == "Ada")

        // It is shown, and answers for nothing more than before.
        #expect(try made(first)?.commit == nil)
        #expect(try store.summary(of: first.id)?.isOfBranch == false)
        #expect(try store.runs(commit: Self.commits[1], limit: 9) == [])
        #expect(try store.runs(stagedForCommit: Self.commits[1], limit: 9).map(\.id) == [first.id])
        #expect(try states() == [])

        // A run of the commit tells it, too; one that comes from a laptop tells nobody.
        var laptop = SampleRuns.passing(2)
        laptop.revision?.commit = Self.commits[2]
        laptop.delivery = DeliveryRecord(
            token: "laptop", isAttested: false, receivedAt: SampleRuns.moment, address: nil)
        try store.ingest(laptop)
        #expect(try made(first)?.madeCommit == Self.commits[1])
        try ingest(judged(3, of: 3))
        #expect(try made(first)?.madeCommit == Self.commits[3])

        // So does a verdict that is asked for; and what comes later is told what is known.
        try store.add(
            Verdict.sample(for: first, decision: .passed), of: first.id, on: commit(4, tree: tree),
            at: SampleRuns.moment.addingTimeInterval(60))
        #expect(try made(first)?.madeCommit == Self.commits[4])
        let second = staged(5)
        try store.ingest(second)
        #expect(try made(second)?.madeCommit == Self.commits[4])
        #expect(try store.check() == [])
    }
}
