import Gate
package import Repository
import RunModel
import SettingsFile
package import Storage

/// Finds out whether commits have passed, each compared with its own base.
package struct CommitAudits: Sendable {
    let judge: TreeJudge
    /// The history; `nil` if there is none yet.
    let store: RunStore?
    /// The project whose runs count; `nil` for that which each commit names.
    var project: String?

    package init(judge: TreeJudge, store: RunStore?, project: String? = nil) {
        (self.judge, self.store, self.project) = (judge, store, project)
    }

    /// How many runs of one tree are looked at.
    private static let mostRuns = 50

    /// What the newest whole run of a commit's tree says of the commit.
    ///
    /// If that run is undecided, no older one replaces it. What it says of another commit, or against another base, is
    /// nothing that it says of this one: then it is judged again, and nothing is stored. No failure of the base is let through here, where
    /// nobody asks for a branch: what passed by that alone has not passed.
    package func entry(of commit: ListedCommit) async throws -> Audit.Entry {
        let (settings, named): (Settings, String)
        do {
            (settings, named) = try await judge.context(of: commit.tree)
        } catch {
            // A commit with invalid settings cannot have passed; the other commits are still checked.
            guard let fault = Audit.fault(of: error) else { throw error }
            return Audit.Entry(commit, fault: fault)
        }
        // The name of the project may change between commits.
        let project = project ?? named
        guard let store,
            let run = try store.runs(
                of: commit.commit, tree: commit.tree, at: judge.subpath.folder, project: project, limit: Self.mostRuns
            ).first(where: \.isWholeOfTree)
        else { return Audit.Entry(commit) }
        try await note(commit, madeOf: run)
        let finder = BaselineFinder(
            process: judge.process, home: judge.checkpoint.home, repository: judge.repository,
            subpath: judge.subpath, project: project, swiftOverride: settings.swift.value)
        let question = KnownRuns.Question(
            tree: commit.tree.hexadecimal, project: project, inputs: nil, settings: settings, finder: finder,
            head: .commit(commit.commit, tree: commit.tree))
        let base = try await finder.base(question.head)
        // What was said where nothing was compared says nothing where the base cannot be found.
        if !base.search.isUnknown,
            let verdict = try store.verdict(of: run.id, on: commit.commit.hexadecimal, against: base.search.key),
            verdict.allowedFailures.isEmpty
        {
            return Audit.Entry(commit, run: run.id, decision: verdict.decision)
        }
        guard let stored = try store.run(run.id) else { return Audit.Entry(commit) }
        do {
            let verdict = try await KnownRuns(process: judge.process, home: judge.checkpoint.home)
                .judge(stored, question, base, store)
            return Audit.Entry(commit, run: run.id, decision: verdict.decision)
        } catch let error as PolicyError {
            return Audit.Entry(commit, fault: "\(error)")
        }
    }

    /// Tells a run of staged files which commit was made of them, where nothing told it before. It is shown, and decides nothing: a
    /// store that cannot be written keeps nobody from looking, and where verdicts are only looked up nothing is written.
    private func note(_ commit: ListedCommit, madeOf run: RunSummary) async throws {
        let home = judge.checkpoint.home
        guard home.otherDatabase == nil, run.revision?.attempt == .staged, run.revision?.shownCommit == nil,
            let (_, revision) = try await judge.repository.revision(of: commit.commit.hexadecimal)
        else { return }
        try? RunStore(path: home.database, timeout: .seconds(1)).note(commit: revision, project: run.project)
    }
}
