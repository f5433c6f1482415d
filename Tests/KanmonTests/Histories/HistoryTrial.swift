import Foundation
import Gate
import RunModel
import Storage
import TestSupport
import Testing

/// Plays a random history against a real store and the real gate, and compares every answer with the model.
struct HistoryTrial {
    let seed: UInt64
    let store: RunStore
    private let history: RandomHistory
    private let ground: any HistoryGround
    private var model: HistoryModel
    private var runs: [RunID] = []
    /// What every run said on its day.
    private var own: [RunID: Verdict] = [:]
    private var clock = 0
    private(set) var faults: [String] = []

    init(_ history: RandomHistory, seed: UInt64, on ground: some HistoryGround, in store: RunStore) {
        self.seed = seed
        self.store = store
        self.history = history
        self.ground = ground
        model = HistoryModel(history, seed: seed)
    }

    private func project(_ package: Int) -> String { ground.project(package) }
    private func name(_ commit: Int) -> String { ground.name(commit) }
    private func number(_ name: String) -> Int { history.commits.indices.first { self.name($0) == name } ?? -1 }
    private var moment: Date { SampleRuns.moment.addingTimeInterval(Double(clock)) }

    private mutating func expect<Value: Equatable>(_ what: String, _ found: Value, _ expected: Value) {
        if found != expected { faults.append("seed \(seed), step \(clock): \(what) is \(found), not \(expected)") }
    }

    mutating func play() async throws {
        for test in history.tests {
            clock += 1
            try await play(test)
            guard faults.isEmpty else { return }
        }
        for package in 0..<2 { try await compare(package) }
        for (run, verdict) in own { expect("the verdict of \(run.short)", try store.ownVerdict(of: run), verdict) }
    }

    // MARK: What the program does

    private mutating func play(_ test: RandomHistory.Test) async throws {
        let (commit, package) = (test.commit, test.package)
        let expected = model.bases(of: commit, main: test.main, package)
        let comparison = try await ground.comparison(of: commit, main: test.main, package)
        expect("the base of commit \(commit)", Set(comparison.bases.map(number)), expected)
        var revision = Revision(
            commit: name(commit), tree: ground.tree(commit), folder: "\(package)", branch: test.branch,
            isDirty: false,
            history: history.history(of: commit).sorted(by: >).prefix(CommitParents.most).map {
                CommitParents(commit: name($0), parents: history.commits[$0].parents.map(name))
            })
        let answering =
            try store.reusableRun(
                ofTree: ground.tree(commit), project: project(package), inputs: inputs(package),
                since: .distantPast, until: Date(timeIntervalSince1970: 4_000_000_000))
        expect(
            "the run that answers for commit \(commit)", answering?.id,
            model.known(ground.tree(commit), package).map { runs[$0] })
        if [.ci, .local].contains(test.kind), !test.isFresh {
            let answer = try await ground.answer(
                on: commit, main: test.main, package, as: revision, like: inputs(package), at: moment)
            if let answering, let stored = try store.run(answering.id) {
                return try take(answer, of: stored, test, revision, comparison, expected)
            }
            if case .known(let run, _) = answer { expect("the run that answers for commit \(commit)", run, nil) }
        }
        let fails = RandomHistory.fails(history.commits[commit].content, package)
        var run = sample(isUnsure: test.isUnsure, fails: fails)
        run.id = RunID(milliseconds: UInt64(1_767_323_045_000 + clock * 1000), random: (seed, UInt64(clock)))
        run.project = project(package)
        run.startedAt = moment
        run.inputs = inputs(package)
        switch test.kind {
        case .ci: run.delivery = DeliveryRecord(token: "ci", isAttested: true, receivedAt: moment, address: nil)
        case .laptop: run.delivery = DeliveryRecord(token: "lap", isAttested: false, receivedAt: moment, address: nil)
        case .workingCopy: (revision.tree, revision.isDirty) = (nil, true)
        case .staged: (revision.commit, revision.attempt) = (nil, .staged)
        case .refusedPush: revision.attempt = .push
        case .shard: run.selection.shard = Shard(index: 1, count: 2)
        case .otherBase: revision.attempt = .otherBase
        case .local: break
        }
        run.revision = revision
        let verdict = try Verdict(judging: run, by: comparison.policy, against: comparison.baseline)
        _ = try store.ingest(run, verdict: verdict, runDirectory: nil)
        own[run.id] = verdict
        runs.append(run.id)
        let isTrusted = ![.laptop, .workingCopy].contains(test.kind)
        let made = model.make(
            HistoryModel.Made(
                tree: ground.tree(commit), package: package, speaks: isTrusted && test.kind != .shard,
                isTrusted: isTrusted, isUnsure: test.isUnsure, fails: fails))
        say(verdict, test, expected, run: made)
    }

    /// Takes what the program says of a commit by a run that answers for it; where it says nothing, as nobody can be asked, that run is
    /// judged again here.
    private mutating func take(
        _ answer: HistoryAnswer, of stored: JudgedRun, _ test: RandomHistory.Test, _ revision: Revision,
        _ comparison: HistoryComparison, _ bases: Set<Int>
    ) throws {
        let id = stored.run.id
        guard let run = runs.firstIndex(of: id) else { return }
        let verdict: Verdict
        switch answer {
        case .known(let told, let said):
            expect("the run that the program answers with for commit \(test.commit)", told, id)
            verdict = said
        case .unknown:
            faults.append("seed \(seed), step \(clock): the program does not answer for commit \(test.commit)")
            return
        case .nobody:
            verdict = try Verdict(judging: stored.run, by: comparison.policy, against: comparison.baseline)
            try store.add(verdict, of: id, on: revision, at: moment)
        }
        if stored.run.revision?.commit == revision.commit, stored.run.revision?.branch == test.branch,
            stored.run.revision?.attempt == nil, own[id]?.baseKey == verdict.baseKey
        {
            let kept = try store.ownVerdict(of: id)
            expect("what run \(run) says of its own commit", kept?.decision, verdict.decision)
            own[id] = kept
        }
        say(verdict, test, bases, run: run)
    }

    /// A run of the same tests, whatever became of them: beside that of a base, none is to look as if it had gone.
    private func sample(isUnsure: Bool, fails: Bool) -> TestRun {
        if isUnsure { return SampleRuns.undecided(clock) }
        var run = SampleRuns.passing(clock)
        guard fails else { return run }
        run.tests[0].outcome = .failed
        run.tests[0].attempts = [TestAttempt(outcome: .failed, issues: [Issue(message: "x == 1")])]
        return run
    }

    private func inputs(_ package: Int) -> RunInputs {
        RunInputs(
            toolchain: SampleRuns.passing().toolchain, package: "\(package)", platform: "p", dependencies: [],
            checkout: "", environment: "", settings: "")
    }

    private mutating func say(_ verdict: Verdict, _ test: RandomHistory.Test, _ bases: Set<Int>, run: Int) {
        if test.kind != .shard {
            expect(
                "the verdict on commit \(test.commit)", verdict.decision,
                model.decision(
                    test.commit, against: bases, test.package, isUnsure: model.made[run].isUnsure,
                    fails: model.made[run].fails))
        }
        let isState =
            [.ci, .local].contains(test.kind) || (test.kind == .refusedPush && verdict.decision == .passed)
        model.say(
            HistoryModel.Said(
                commit: test.commit, branch: test.branch, package: test.package, decision: verdict.decision, run: run,
                isState: isState))
    }

    // MARK: What is shown

    private mutating func compare(_ package: Int) async throws {
        let project = project(package)
        // Badge, metrics, the first page and `latest` all go by the first of these.
        let tip = try store.wholeRuns(project: project, branch: "main", limit: 1).first
        let expected = model.tip(package)
        expect("the tip of main", tip?.revision?.commit.map(number), expected?.commit)
        expect("the state of main", tip?.decision, expected?.decision)
        expect("the latest run", tip?.id, expected.map { runs[$0.run] })
        if let tip, let commit = tip.revision?.commit {
            expect("the page of the latest run", try store.run(tip.id, for: commit)?.verdict.decision, tip.decision)
            expect("the verdict of the latest run", try store.verdict(of: tip)?.decision, tip.decision)
        }
        for branch in Set(history.tests.map(\.branch)) {
            let states = try store.states(ofBranch: branch, project: project)
            let known = model.states(branch, package)
            expect(
                "what is known of \(branch)", states,
                Dictionary(uniqueKeysWithValues: known.map { (name($0.key), $0.value) }))
        }
        for commit in history.commits.indices { try await compare(commit, package, project) }
        let attempts = try store.runsOfWorkingCopies(project: project, limit: 999).map(\.id)
        let words = model.said.filter { !$0.isState && $0.package == package }.map { runs[$0.run] }
        let shards = try Set(words.filter { try store.summary(of: $0)?.isPartial == true })
        expect("what was attempted", Set(attempts), Set(words).subtracting(shards))
    }

    /// The page of a commit, that of its tree, and what an audit says of it.
    private mutating func compare(_ commit: Int, _ package: Int, _ project: String) async throws {
        let words = model.said.filter { word in
            word.commit == commit && word.package == package
                && own[runs[word.run]] != nil && !isStaged(word)
        }
        let shown = try store.verdicts(on: name(commit), in: .named([project]), limit: 99)
        // However late anybody else speaks.
        let last = words.last { model.made[$0.run].isTrusted } ?? words.last
        expect("the page of commit \(commit)", shown.first?.decision, last?.decision)
        let tree = ground.tree(commit)
        let newest = model.newest(tree, package)
        let found = try store.runs(ofTree: tree, at: "\(package)", project: project, limit: 99)
            .first(where: \.isWholeOfTree)
        expect("the page of the tree of commit \(commit)", found?.id, newest.map { runs[$0] })
        guard let main = history.tests.last?.main else { return }
        let bases = model.bases(of: commit, main: main, package)
        let expected = newest.map { run in
            model.decision(
                commit, against: bases, package, isUnsure: model.made[run].isUnsure, fails: model.made[run].fails)
        }
        if let audit = try await ground.audit(of: commit, main: main, package) {
            expect(
                "the audit of commit \(commit)", audit,
                HistoryAudit(run: newest.map { runs[$0].description }, decision: expected?.rawValue))
        }
        guard let found, let stored = try store.run(found.id) else { return }
        let comparison = try await ground.comparison(of: commit, main: main, package)
        expect("the base of commit \(commit) at last", Set(comparison.bases.map(number)), bases)
        let key = BaseCommit.key(of: comparison.bases.map { BaseCommit(commit: $0, kind: .passed, name: "") })
        // What a hook would say of it, and what was said already.
        let judged = try Verdict(judging: stored.run, by: comparison.policy, against: comparison.baseline).decision
        expect("commit \(commit), judged again", judged, expected)
        if let said = try store.verdict(of: found.id, on: name(commit), against: key)?.decision {
            expect("what is stored of commit \(commit)", said, expected)
        }
    }

    private func isStaged(_ word: HistoryModel.Said) -> Bool {
        guard let summary = try? store.summary(of: runs[word.run]) else { return true }
        return summary.revision?.commit == nil && !word.isState
    }
}

/// Random histories: merges, weakening, waivers, reverts, reruns, two packages, shards, working copies, laptops and CI.
@Suite struct HistoryTests {
    private func check(_ seeds: Range<UInt64>) async throws {
        let folder = try TemporaryFolder()
        let store = try RunStore(path: "\(folder.path)/kanmon.sqlite")
        for seed in seeds {
            let history = RandomHistory(seed: seed)
            try await check(history, seed, on: PlainHistory(history: history, seed: seed, store: store), in: store)
        }
    }

    private func check(
        _ history: RandomHistory, _ seed: UInt64, on ground: some HistoryGround, in store: RunStore
    ) async throws {
        var trial = HistoryTrial(history, seed: seed, on: ground, in: store)
        try await trial.play()
        try #require(trial.faults == [])
    }

    @Test func `what is said of a history is what a plain model says`() async throws { try await check(0..<150) }

    /// `KANMON_HISTORIES` names another number.
    @Test(.slow, arguments: 0..<4)
    func `what is said of thousands of histories is what a plain model says`(part: UInt64) async throws {
        let count = ProcessInfo.processInfo.environment["KANMON_HISTORIES"].flatMap { UInt64($0) } ?? 400
        try await check(1000 + part * count / 4..<1000 + (part + 1) * count / 4)
    }

    /// Here the bases are those that git finds, and the audits those of the program.
    @Test(.slow, .timeLimit(.minutes(20)), arguments: 0..<4)
    func `what is said of histories in real repositories is what a plain model says`(part: UInt64) async throws {
        for seed in part * 9..<(part + 1) * 9 {
            let history = RandomHistory(seed: seed)
            let ground = try await RepositoryHistory(history)
            try await check(history, seed, on: ground, in: ground.store)
        }
    }
}
