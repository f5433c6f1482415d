import Foundation
import Gate
import RunModel
import Storage
import TestSupport
import Testing

@testable import Repository

/// Plays a random history against a real store and the real gate, and compares every answer with the model.
struct HistoryTrial {
    let seed: UInt64
    let store: RunStore
    private let history: RandomHistory
    private var model: HistoryModel
    private var runs: [RunID] = []
    /// What every run said on its day.
    private var own: [RunID: Verdict] = [:]
    private var clock = 0
    private(set) var faults: [String] = []

    init(seed: UInt64, in store: RunStore) {
        self.seed = seed
        self.store = store
        history = RandomHistory(seed: seed)
        model = HistoryModel(history, seed: seed)
    }

    private func project(_ package: Int) -> String { "history-\(seed)/\(package)" }
    private func name(_ commit: Int) -> String { history.name(commit, seed) }
    private var moment: Date { SampleRuns.moment.addingTimeInterval(Double(clock)) }

    private mutating func expect<Value: Equatable>(_ what: String, _ found: Value, _ expected: Value) {
        if found != expected { faults.append("seed \(seed), step \(clock): \(what) is \(found), not \(expected)") }
    }

    mutating func play() throws {
        for test in history.tests {
            clock += 1
            try play(test)
            guard faults.isEmpty else { return }
        }
        for package in 0..<2 { try compare(package) }
        for (run, verdict) in own { expect("the verdict of \(run.short)", try store.verdict(of: run), verdict) }
    }

    // MARK: What the program does

    /// The bases of a commit, on `main` as the program finds them.
    private func bases(of commit: Int, main: Int, _ package: Int) throws -> [String] {
        guard history.history(of: main).contains(commit) else {
            return model.bases(of: commit, main: main, package).map(name)
        }
        let known = try store.states(ofBranch: "main", project: project(package))
        let states = BranchStates(
            passed: Set(known.filter { $0.value == .passed }.keys), judged: Set(known.keys))
        let all = history.history(of: commit)
        let ancestry = Ancestry(
            parents: Dictionary(uniqueKeysWithValues: all.map { (name($0), history.commits[$0].parents.map(name)) }),
            cut: [])
        guard case .found(let base, let others) = ancestry.base(of: name(commit), on: "main", knowing: { states })
        else { return [] }
        return ([base] + others).map(\.commit)
    }

    private func settings(_ commit: Int, _ package: Int) -> GateSettings {
        var policy = Policy()
        policy.defaultFloors = Floors(line: Percentage(thousandths: history.commits[commit].floors[package] * 1000))
        return GateSettings(policy: policy)
    }

    private func number(_ name: String) -> Int { history.commits.indices.first { self.name($0) == name } ?? -1 }

    private func baseline(_ commit: Int, _ bases: [String], _ package: Int) -> Baseline? {
        let all = bases.map { base in
            let since = history.history(of: commit).subtracting(history.history(of: number(base)))
            var waivers = WaiverReading()
            for entry in since.sorted() where history.commits[entry].waives {
                waivers.read(
                    message: "m\n\nKanmon-Waiver: default-floor-lowered until=2026-02-01 why", of: name(entry))
            }
            return Baseline(
                commit: BaseCommit(commit: base, kind: .passed, name: "main"),
                settings: settings(number(base), package), head: settings(commit, package), waivers: waivers)
        }
        guard var first = all.first else { return nil }
        if all.count > 1 { first.others = all.dropFirst().map { Baseline.OtherBase($0) } }
        return first
    }

    private mutating func play(_ test: RandomHistory.Test) throws {
        let (commit, package) = (test.commit, test.package)
        let expected = model.bases(of: commit, main: test.main, package)
        let bases = try bases(of: commit, main: test.main, package)
        expect("the base of commit \(commit)", Set(bases.map(number)), expected)
        var revision = Revision(
            commit: name(commit), tree: history.tree(commit, seed), branch: test.branch, isDirty: false,
            history: history.history(of: commit).sorted(by: >).prefix(CommitParents.most).map {
                CommitParents(commit: name($0), parents: history.commits[$0].parents.map(name))
            })
        let baseline = baseline(commit, bases, package)
        let answering =
            try store.reusableRun(
                ofTree: history.tree(commit, seed), project: project(package), inputs: inputs(package),
                since: .distantPast, until: Date(timeIntervalSince1970: 4_000_000_000))
        expect(
            "the run that answers for commit \(commit)", answering?.id,
            model.known(history.tree(commit, seed), package).map { runs[$0] })
        if [.ci, .local].contains(test.kind), !test.isFresh, let answering,
            let stored = try store.run(answering.id), let run = runs.firstIndex(of: answering.id)
        {
            let verdict = try Verdict(
                judging: stored.run, by: settings(commit, package).policy, against: baseline)
            try store.add(verdict, of: answering.id, on: revision, at: moment)
            if stored.run.revision?.commit == name(commit), stored.run.revision?.branch == test.branch,
                stored.run.revision?.attempt == nil,
                own[answering.id]?.baseKey == verdict.baseKey
            {
                own[answering.id] = verdict
            }
            return say(verdict, test, expected, run: run)
        }
        let fails = RandomHistory.fails(history.commits[commit].content, package)
        var run =
            test.isUnsure ? SampleRuns.undecided(clock) : fails ? SampleRuns.failing(clock) : SampleRuns.passing(clock)
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
        let verdict = try Verdict(judging: run, by: settings(commit, package).policy, against: baseline)
        _ = try store.ingest(run, verdict: verdict, runDirectory: nil)
        own[run.id] = verdict
        runs.append(run.id)
        let isTrusted = ![.laptop, .workingCopy].contains(test.kind)
        let made = model.make(
            HistoryModel.Made(
                tree: history.tree(commit, seed), package: package, speaks: isTrusted && test.kind != .shard,
                isTrusted: isTrusted, isUnsure: test.isUnsure, fails: fails))
        say(verdict, test, expected, run: made)
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

    private mutating func compare(_ package: Int) throws {
        let project = project(package)
        // Badge, metrics, the first page and `latest` all go by the first of these.
        let tip = try store.wholeRuns(project: project, branch: "main", limit: 1).first
        let expected = model.tip(package)
        expect("the tip of main", tip?.revision?.commit.map(number), expected?.commit)
        expect("the state of main", tip?.decision, expected?.decision)
        expect("the latest run", tip?.id, expected.map { runs[$0.run] })
        if let tip, let commit = tip.revision?.commit {
            expect("the page of the latest run", try store.run(tip.id, for: commit)?.verdict.decision, tip.decision)
        }
        for branch in Set(history.tests.map(\.branch)) {
            let states = try store.states(ofBranch: branch, project: project)
            let known = model.states(branch, package)
            expect(
                "what is known of \(branch)", states,
                Dictionary(uniqueKeysWithValues: known.map { (name($0.key), $0.value) }))
        }
        for commit in history.commits.indices { try compare(commit, package, project) }
        let attempts = try store.runsOfWorkingCopies(project: project, limit: 999).map(\.id)
        let words = model.said.filter { !$0.isState && $0.package == package }.map { runs[$0.run] }
        let shards = try Set(words.filter { try store.summary(of: $0)?.isPartial == true })
        expect("what was attempted", Set(attempts), Set(words).subtracting(shards))
    }

    /// The page of a commit, that of its tree, and what an audit says of it.
    private mutating func compare(_ commit: Int, _ package: Int, _ project: String) throws {
        let words = model.said.filter { word in
            word.commit == commit && word.package == package
                && own[runs[word.run]] != nil && !isStaged(word)
        }
        let shown = try store.verdicts(on: name(commit), in: .named([project]), limit: 99)
        // However late anybody else speaks.
        let last = words.last { model.made[$0.run].isTrusted } ?? words.last
        expect("the page of commit \(commit)", shown.first?.decision, last?.decision)
        let tree = history.tree(commit, seed)
        let newest = model.newest(tree, package)
        let found = try store.runs(ofTree: tree, at: nil, project: project, limit: 99).first(where: \.isWholeOfTree)
        expect("the page of the tree of commit \(commit)", found?.id, newest.map { runs[$0] })
        guard let found, let newest, let main = history.tests.last?.main,
            history.history(of: main).contains(commit)
        else { return }
        let bases = try bases(of: commit, main: main, package)
        let key = BaseCommit.key(of: bases.map { BaseCommit(commit: $0, kind: .passed, name: "") })
        let said = try store.verdict(of: found.id, on: name(commit), against: key)?.decision
        let judged = try store.run(found.id).map {
            try Verdict(
                judging: $0.run, by: settings(commit, package).policy, against: baseline(commit, bases, package)
            ).decision
        }
        let expected = model.decision(
            commit, against: model.bases(of: commit, main: main, package), package,
            isUnsure: model.made[newest].isUnsure,
            fails: model.made[newest].fails)
        expect("the audit of commit \(commit)", said ?? judged, expected)
        expect("the audit of commit \(commit), judged again", judged, expected)
    }

    private func isStaged(_ word: HistoryModel.Said) -> Bool {
        guard let summary = try? store.summary(of: runs[word.run]) else { return true }
        return summary.revision?.commit == nil && !word.isState
    }
}

/// Random histories: merges, weakening, waivers, reverts, reruns, two packages, shards, working copies, laptops and CI.
@Suite struct HistoryTests {
    private func check(_ seeds: Range<UInt64>) throws {
        let folder = try TemporaryFolder()
        let store = try RunStore(path: "\(folder.path)/kanmon.sqlite")
        for seed in seeds {
            var trial = HistoryTrial(seed: seed, in: store)
            try trial.play()
            #expect(trial.faults == [])
            guard trial.faults.isEmpty else { return }
        }
    }

    @Test func `what is said of a history is what a plain model says`() throws { try check(0..<150) }

    /// `KANMON_HISTORIES` names another number.
    @Test(.slow, arguments: 0..<4)
    func `what is said of thousands of histories is what a plain model says`(part: UInt64) throws {
        let count = ProcessInfo.processInfo.environment["KANMON_HISTORIES"].flatMap { UInt64($0) } ?? 400
        try check(1000 + part * count / 4..<1000 + (part + 1) * count / 4)
    }
}
