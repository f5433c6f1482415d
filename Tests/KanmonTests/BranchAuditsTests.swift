import Evidence
import Foundation
import Gate
import Pages
import RunModel
import Storage
import TestSupport
import Testing

@testable import kanmon

/// The commits of a branch, asked of a real repository beside a real store.
@Suite struct BranchAuditsTests {
    private let folder: TestFolder
    private let store: RunStore
    private let surroundings: Surroundings

    init() throws {
        folder = try TestFolder()
        store = try RunStore(path: "\(folder.path)/kanmon.sqlite")
        surroundings = folder.surroundings
    }

    /// A commit with a tree of its own.
    private func commit(_ subject: String) async throws -> (commit: String, tree: String) {
        try folder.write(subject, to: "work/file")
        try await folder.git("add", "file")
        try await folder.git("commit", "--quiet", "--message", subject)
        return (try await folder.git("rev-parse", "HEAD"), try await folder.git("rev-parse", "HEAD^{tree}"))
    }

    /// Stores a run of a tree, as if it had been made in the working directory.
    private func store(_ original: TestRun, tree: String, _ decision: Decision, root: String? = nil) throws {
        var run = original
        run.revision?.tree = tree
        let writer = try RunDirectory.Writer(creating: "\(folder.path)/runs/\(run.id)")
        let manifest = RunManifest(
            kanmonVersion: "0", runID: run.id, project: run.project, package: run.package,
            packageRoot: root ?? folder.work, revision: run.revision, startedAt: run.startedAt, duration: run.duration,
            engine: run.engine, toolchain: Toolchain(swiftVersion: "", llvmVersion: "", target: ""), arguments: [],
            steps: run.steps, modules: run.modules, artifacts: [], sources: [])
        let directory = try writer.finish(manifest)
        let verdict = Verdict(decision: decision, violations: [], gaps: [], modules: [], policy: Policy())
        _ = try store.ingest(run, verdict: verdict, runDirectory: directory.path)
    }

    private func audit(_ branch: String = "main") async throws -> CommitAudit? {
        try await BranchAudits(store, surroundings: surroundings).audit(
            project: SampleRuns.passing().project, branch: branch)
    }

    @Test func `commits without a passed verdict are listed, the newest first`() async throws {
        try await folder.git("init", "--quiet", "--initial-branch", "main")
        let good = try await commit("good")
        let bad = try await commit("bad")
        let unknown = try await commit("unknown\n\nbody")
        try store(SampleRuns.passing(1), tree: good.tree, .passed)
        try store(SampleRuns.passing(2), tree: bad.tree, .failed)
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

    @Test func `a project whose folder is gone, or was in no repository, cannot be asked`() async throws {
        try store(SampleRuns.passing(1), tree: "1", .passed, root: "\(folder.path)/gone")
        #expect(try await audit() == nil)
        try store(SampleRuns.passing(2), tree: "2", .passed)
        #expect(try await audit() == nil)
    }

    @Test func `an answer is reused for all requests within some seconds`() async throws {
        try await folder.git("init", "--quiet", "--initial-branch", "main")
        let good = try await commit("good")
        try store(SampleRuns.passing(1), tree: good.tree, .passed)
        let audits = BranchAudits(store, surroundings: surroundings, age: 3600)
        let project = SampleRuns.passing().project
        let first = try await audits.audit(project: project, branch: "main")
        _ = try await commit("more")
        #expect(first?.looked == 1)
        #expect(try await audits.audit(project: project, branch: "main") == first)
    }
}
