import Foundation
import Gate
import Repository
import RunModel
import SettingsFile
import Storage
import TestRunning
import Wording

/// The pre-commit hook: runs the tests that a commit can break, within its time budget.
///
/// A commit that passes without a full run is provisional; a push needs a full run.
package struct CommitHook: Sendable {
    let judge: TreeJudge

    package init(judge: TreeJudge) { self.judge = judge }

    private var repository: GitRepository { judge.repository }

    /// Judges the staged tree; returns if the commit may be made.
    package func run() async throws {
        let staged = try await repository.stagedTree()
        var subject = TreeJudge.Subject(tree: staged.tree, revision: staged.revision, head: .staged(staged.tree))
        let (settings, project) = try await judge.context(of: staged.tree)
        subject.budget = settings.hookBudget.value
        if settings.hookTests.value != .all, let change = try await change(to: staged.tree) {
            if try await isForPeopleOnly(change, in: staged.tree) {
                if let answer = try await judge.known(subject) { return try conclude(answer, of: subject) }
                return tell("the change affects no test, and none was run")
            }
            if settings.hookTests.value == .executing {
                try await judge.deselect(in: &subject, project: project)
            }
            if subject.tests.deselected == nil { subject.tests.changedFiles = change }
        }
        do {
            let answer = try await judge.judge(subject)
            try conclude(answer, of: subject)
        } catch is BudgetSpent {
            tell("the budget of \(words(subject.budget)) is over, and no test has run yet")
        } catch let error as ShadowTreeError {
            guard case .busy(let owner) = error, subject.budget != nil else { throw error }
            tell(
                "the budget of \(words(subject.budget)) is over, and \(owner?.description ?? "another run") is still running"
            )
        }
    }

    /// Tells runs of the tree of the commit that was just made which commit that is. Nothing is judged by it, so the commit, which is
    /// made, waits for another writer for a second at most, and settings that nobody can use are told where they judge.
    package func noteCommit() async throws {
        let home = judge.checkpoint.home
        guard home.hasStore, let (commit, revision) = try await repository.revision(of: "HEAD"),
            let tree = revision.tree.flatMap({ ObjectID($0) }), let (_, project) = try? await judge.context(of: tree)
        else { return }
        do {
            let store = try RunStore(path: home.database, timeout: .seconds(1))
            for name in ProjectName.names(of: project, for: commit) { try store.note(commit: revision, project: name) }
        } catch {
            // A push or an audit of the commit tells it again.
        }
    }

    /// The changes of the commit; `nil` for the first commit.
    private func change(to tree: ObjectID) async throws -> ChangedFiles? {
        guard let head = try await repository.commit(at: "HEAD") else { return nil }
        let names = try await repository.changedPaths(from: head, to: tree)
        return ChangedFiles(paths: names.map(\.text), package: judge.subpath.folder)
    }

    /// Whether only texts changed that no test reads. What lies in a folder that a manifest names may be a resource of a target.
    private func isForPeopleOnly(_ change: ChangedFiles, in tree: ObjectID) async throws -> Bool {
        guard change.isForPeopleOnly else { return false }
        let nested = change.paths.compactMap { $0.flatMap(change.inPackage) }.filter { $0.contains("/") }
        if nested.isEmpty { return true }
        guard let folders = try await repository.manifestFolders(of: judge.subpath, in: tree) else { return false }
        return !nested.contains { path in folders.contains { path.hasPrefix($0) } }
    }

    private func conclude(_ answer: TreeJudge.Answer, of subject: TreeJudge.Subject) throws {
        guard case .ran(let watched) = answer, watched.signal == nil, watched.isProvisional else {
            try judge.show(answer, of: subject)
            try answer.conclude()
            if case .ran(let watched) = answer, watched.judgement.run.isPartial {
                tell("the tests that the commit can break passed")
            }
            return
        }
        let run = watched.judgement.run
        let outcomes = run.outcomes
        let count =
            outcomes.total == 0
            ? "no test has run yet"
            : "\(Figures.grouped(outcomes.executed)) of \(Figures.counted(outcomes.total, "test")) ran, none failed"
        tell("\(words(subject.budget)) are over: \(count)")
    }

    private func words(_ budget: Duration?) -> String { budget?.timeLimitDescription ?? "the time" }

    private func tell(_ reason: String) {
        StandardStreams.tell("kanmon: provisional: \(reason); the push needs a full run")
    }
}

extension InterruptibleJudgement {
    /// Whether the budget ended the run and nothing had failed by then.
    fileprivate var isProvisional: Bool {
        let run = judgement.run
        return hasSpentBudget && run.gaps.contains { $0.code == .interrupted }
            && !run.gaps.contains { [.beforeFailed, .buildSystemFailed, .submoduleMissing].contains($0.code) }
            && !run.buildFailed
            && !run.diagnostics.contains { $0.severity == .error }
            && !run.tests.contains { $0.outcome.isFailure }
    }
}

extension GitRepository {
    /// The folders that the manifests of a package name in a tree, each with a slash at its end; `nil` if one is computed, or a manifest
    /// is no file of the tree.
    func manifestFolders(of subpath: PackageSubpath, in tree: ObjectID) async throws -> [String]? {
        var folders: [String] = []
        for name in try await names(in: tree, of: subpath.folder).compactMap(\.text)
        where PackageManifest.isName(name) {
            guard let manifest = try await file(at: subpath.path(name), in: tree),
                let named = PackageManifest.literalFolders(in: String(decoding: manifest, as: UTF8.self))
            else { return nil }
            folders += named
        }
        return folders
    }
}
