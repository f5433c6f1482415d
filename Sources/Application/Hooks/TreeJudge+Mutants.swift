import Exports
import Foundation
import Gate
import Mutation
import Repository
import RunModel
import SettingsFile
import Storage
import TestRunning

extension TreeJudge {
    /// Tries the mutants of what a tree changes since its base, in a copy of it.
    ///
    /// - Parameter budget: How long the tests may take.
    /// - Returns: What came of them, and the signal that ended it early, if one did.
    package func mutate(_ subject: Subject, budget: Duration) async throws -> (report: MutationText, signal: Int32?) {
        let (settings, project) = try await context(of: subject.tree)
        let base = try await base(of: subject, project, settings)
        let changes = try await repository.changes(from: base, to: .tree(subject.tree), package: subpath.folder)
        let changed = Dictionary(
            changes.compactMap { change in change.path.map { (Name($0), change.changes.map(\.head)) } },
            uniquingKeysWith: +)
        let (run, tests) = try await mutantTests(for: subject.tree, project: project)
        let shadow = try await ShadowTree.open(
            in: repository, for: .mutants, owner: lockOwner, timeout: .seconds(3600)
        ) { holder in
            StandardStreams.tell("kanmon: waiting for \(holder?.description ?? "other mutants")")
        }
        let laidOut = try await shadow.materialize(subject.tree)
        repository.rest()
        for difference in laidOut.differences.map(\.description) + laidOut.gaps.map(\.detail) {
            StandardStreams.tell("kanmon: the tree is not laid out exactly: \(TerminalText.safe(difference))")
        }
        let package = TestedPackage(
            root: process.real(subpath.folder(in: laidOut.path)), project: project, revision: subject.revision,
            repositoryCeiling: process.real(shadow.home))
        let mutation = MutationRequest(
            changed: changed, tests: tests, budget: budget, switchFile: process.real(shadow.home) + "/mutant")
        let (report, signal) = try await InterruptibleRun(process: process).mutate(
            Checkpoint.Subject(package: package, settings: settings), mutation, at: checkpoint)
        shadow.close()
        return (
            MutationText(
                report: report, run: run, isOfSameTree: tests.isExact, budget: budget, isInterrupted: signal != nil),
            signal
        )
    }

    /// The tree of the commit that the change is compared with.
    private func base(of subject: Subject, _ project: String, _ settings: Settings) async throws -> ObjectID {
        let finder = BaselineFinder(
            process: process, home: checkpoint.home, repository: repository, subpath: subpath,
            project: project, swiftOverride: settings.swift.value)
        let search = try await finder.base(subject.head, named: subject.base).search
        switch search {
        case .found(let base, _):
            if let commit = ObjectID(base.commit), let tree = try await repository.tree(of: commit) { return tree }
            throw Problem(.ioError, "failed to ask git: \(base.commit) has no tree")
        case .none(let reason), .undetermined(let reason):
            throw Problem(.usage, "there is nothing to compare with: \(reason)", hint: "name a revision with --base")
        case .unknown(let reason):
            throw Problem(
                .usage, "there is nothing to compare with: \(reason)", hint: "fetch the base with its history")
        }
    }

    /// Which tests execute what, by the newest run with per-test coverage of an exact tree that git still knows.
    private func mutantTests(for tree: ObjectID, project: String) async throws -> (run: RunID, tests: MutantTests) {
        let hint = "kanmon run --map --commit HEAD"
        guard checkpoint.home.hasStore else { throw Problem(.usage, "no run has per-test coverage", hint: hint) }
        let store = try RunStore.reading(checkpoint.home.database)
        guard let id = try store.latestRunWithTestMap(of: project, isExact: true), let map = try store.testMap(of: id),
            let then = try store.summary(of: id)?.revision?.tree.flatMap({ ObjectID($0) })
        else { throw Problem(.usage, "no run of a commit of \(project) has per-test coverage", hint: hint) }
        guard try await repository.hasTree(then.hexadecimal) else {
            throw Problem(
                .usage, "the tree of the newest run with per-test coverage, \(id.short), is not in this clone",
                hint: hint)
        }
        let changes = try await repository.changes(from: then, to: .tree(tree), package: subpath.folder)
        let durations = try store.latestDurations(project: project)
        return (id, MutantTests(map: map, changes: changes, isExact: then == tree, durations: durations))
    }
}
