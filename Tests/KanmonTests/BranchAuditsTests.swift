import Dashboard
import Evidence
import Foundation
import Gate
import Pages
import RunModel
import Storage
import TestSupport
import Testing

@testable import Application

/// The commits of a branch, asked of a real repository beside a real store.
@Suite struct BranchAuditsTests {
    private let folder: TestFolder
    private let store: RunStore
    private let process: ProcessContext

    init() throws {
        folder = try TestFolder()
        store = try RunStore(path: "\(folder.path)/kanmon.sqlite")
        process = folder.process
    }

    /// A commit with a tree of its own.
    private func commit(_ subject: String) async throws -> (commit: String, tree: String) {
        try folder.write(subject, to: "work/file")
        try await folder.git("add", "file")
        try await folder.git("commit", "--quiet", "--message", subject)
        return (try await folder.git("rev-parse", "HEAD"), try await folder.git("rev-parse", "HEAD^{tree}"))
    }

    /// Stores a run of a tree, as if it had been made in the working directory.
    private func store(
        _ original: TestRun, of tested: (commit: String, tree: String), _ decision: Decision,
        against base: String? = nil,
        root: String? = nil
    ) throws {
        var run = original
        run.revision?.commit = tested.commit
        run.revision?.tree = tested.tree
        let writer = try RunDirectory.Writer(creating: "\(folder.path)/runs/\(run.id)")
        let manifest = RunManifest(
            run.head, run.facts,
            RunManifest.Contents(kanmonVersion: "0", packageRoot: root ?? folder.work, arguments: []))
        let directory = try writer.finish(manifest)
        let verdict = Verdict(
            decision: decision, violations: [], gaps: [], modules: [], policy: Policy(),
            base: base.map { BaseReview(commit: BaseCommit(commit: $0, kind: .parent, name: "main")) })
        _ = try store.ingest(run, verdict: verdict, runDirectory: directory.path)
    }

    private func audit(_ branch: String = "main") async throws -> CommitAudit? {
        try await BranchAudits(store, process: process).audit(
            project: SampleRuns.passing().project, branch: branch)
    }

    @Test func `a run that was delivered names no folder in which git is started`() async throws {
        try await folder.git("init", "--quiet", "--initial-branch", "main")
        let tested = try await commit("one")
        var run = SampleRuns.passing(1)
        run.delivery = DeliveryRecord(token: "l", isAttested: true, receivedAt: SampleRuns.moment, address: nil)
        try store(run, of: tested, .passed)
        #expect(try await audit() == nil)
        try store(SampleRuns.passing(2), of: tested, .passed)
        // The answer of before is cached.
        let audits = BranchAudits(store, process: process)
        #expect(try await audits.audit(project: run.project, branch: "main")?.looked == 1)
    }

    @Test func `commits without a passed verdict are listed, the newest first`() async throws {
        try await folder.git("init", "--quiet", "--initial-branch", "main")
        let good = try await commit("good")
        let bad = try await commit("bad")
        let unknown = try await commit("unknown\n\nbody")
        try store(SampleRuns.passing(1), of: good, .passed)
        try store(SampleRuns.passing(2), of: bad, .failed, against: good.commit)
        #expect(
            try await audit()
                == CommitAudit(
                    branch: "main", looked: 3,
                    entries: [
                        .init(commit: unknown.commit, subject: "unknown", run: nil, decision: nil),
                        .init(commit: bad.commit, subject: "bad", run: SampleRuns.id(2), decision: .failed),
                    ]))
        #expect(try await audit("elsewhere") == nil)
        // What the remote has goes before what lies here.
        try await folder.git("update-ref", "refs/remotes/origin/main", good.commit)
        #expect(try await audit() == CommitAudit(branch: "origin/main", looked: 1, entries: []))
    }

    @Test func `a run whose evidence is of another version says nothing of its commit`() async throws {
        try await folder.git("init", "--quiet", "--initial-branch", "main")
        let tested = try await commit("one")
        func run(_ number: Int, _ version: Int) -> TestRun {
            var run = SampleRuns.passing(number)
            run.inputs = RunInputs(
                evidenceVersion: version, platform: "p", checkout: "", environment: "", settings: "")
            return run
        }
        try store(run(1, RunInputs.currentEvidenceVersion - 1), of: tested, .passed)
        let unknown = CommitAudit.Entry(commit: tested.commit, subject: "one", run: nil, decision: nil)
        #expect(try await audit()?.entries == [unknown])
        try store(run(2, RunInputs.currentEvidenceVersion), of: tested, .passed)
        #expect(try await audit()?.entries == [])
        // One that says nothing hides none that does.
        try store(run(3, RunInputs.currentEvidenceVersion - 1), of: tested, .failed)
        #expect(try await audit()?.entries == [])
    }

    @Test func `what was said without a base says nothing where the base cannot be found`() async throws {
        try await folder.git("init", "--quiet", "--initial-branch", "main")
        _ = try await commit("first")
        let tip = try await commit("tip")
        try store(SampleRuns.passing(1), of: tip, .passed)
        // As in a clone with one commit.
        try folder.write("\(tip.commit)\n", to: "work/.git/shallow")
        #expect(try await audit()?.entries.map(\.decision) == [.undecided])
    }

    @Test func `a commit is judged by its own base, whatever is said of others with the same tree`() async throws {
        try await folder.git("init", "--quiet", "--initial-branch", "main")
        try folder.write("// swift-tools-version: 6.0\n", to: "work/Package.swift")
        func commit(floor: Int, _ subject: String) async throws -> (commit: String, tree: String) {
            try folder.write("coverage:\n  modules: { default: { line: \(floor) } }\n", to: "work/.kanmon.yml")
            try await folder.git("add", "--all")
            try await folder.git("commit", "--quiet", "--allow-empty", "--message", subject)
            return (try await folder.git("rev-parse", "HEAD"), try await folder.git("rev-parse", "HEAD^{tree}"))
        }
        let strict = try await commit(floor: 70, "strict")
        let weak = try await commit(floor: 10, "weak")
        let top = try await commit(floor: 10, "on top")
        #expect(weak.tree == top.tree)
        try store(SampleRuns.passing(1), of: strict, .passed)
        try store(SampleRuns.passing(2), of: weak, .failed, against: strict.commit)
        func uncleared() async throws -> [CommitAudit.Entry]? { try await audit()?.entries }
        let blocked = CommitAudit.Entry(commit: weak.commit, subject: "weak", run: SampleRuns.id(2), decision: .failed)
        // Nobody judged it; it has the base that the blocked one has.
        let on = CommitAudit.Entry(commit: top.commit, subject: "on top", run: SampleRuns.id(2), decision: .failed)
        #expect(try await uncleared() == [on, blocked])
        let waived = try await commit(
            floor: 10, "waived\n\nKanmon-Waiver: default-floor-lowered until=2026-02-01 for a while")
        #expect(waived.tree == weak.tree)
        #expect(try await uncleared() == [on, blocked])
        // A newer run that is not sure hides the older one.
        try store(SampleRuns.undecided(3), of: strict, .undecided)
        let unsure = CommitAudit.Entry(
            commit: strict.commit, subject: "strict", run: SampleRuns.id(3), decision: .undecided)
        #expect(try await uncleared()?.last == unsure)
    }

    @Test func `a project whose folder is gone, or was in no repository, cannot be asked`() async throws {
        try store(SampleRuns.passing(1), of: ("1", "1"), .passed, root: "\(folder.path)/gone")
        #expect(try await audit() == nil)
        try store(SampleRuns.passing(2), of: ("2", "2"), .passed)
        #expect(try await audit() == nil)
    }

    @Test func `an answer is reused for all requests within some seconds`() async throws {
        try await folder.git("init", "--quiet", "--initial-branch", "main")
        let good = try await commit("good")
        try store(SampleRuns.passing(1), of: good, .passed)
        let audits = BranchAudits(store, process: process, age: 3600)
        let project = SampleRuns.passing().project
        let first = try await audits.audit(project: project, branch: "main")
        _ = try await commit("more")
        #expect(first?.looked == 1)
        #expect(try await audits.audit(project: project, branch: "main") == first)
    }

    @Test func `an answer that several wait for is found though the first of them has gone`() async throws {
        let runs: RunStore = store
        let answers = CoalescingCache<Int, Int>(age: 3600, most: 9)
        let found = try await RunStore.reading(until: { true }) {
            try await answers.find(1, now: .distantPast) { try runs.projects().count }
        }
        #expect(found == 0)
    }

    @Test func `an answer is looked for where whoever wants it works, and not among the tasks of all`() async throws {
        let threads = WorkThreads("tests", 1)
        let answers = CoalescingCache<Int, Bool>(age: 3600, most: 9)
        let isThere = try await threads.run {
            try await answers.find(1, now: .distantPast) {
                withUnsafeCurrentTask { $0?.unownedTaskExecutor } != nil
            }
        }
        #expect(isThere)
    }
}
