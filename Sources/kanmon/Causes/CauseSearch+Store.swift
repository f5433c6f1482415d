import Gate
import Repository
import RunModel
import Storage
import TestRunning

extension CauseSearch {
    /// Takes what stored runs say of the tests; a store that cannot be read says nothing.
    mutating func readStore() async {
        if let base = finder.baseline?.run {
            for test in base.missing(among: tests.map(\.id)) {
                seen[test]?.base = FailureObservation.OnBase(isMissing: true)
            }
        }
        guard finder.home.hasStore, let store = try? RunStore.reading(finder.home.database) else { return }
        try? await readBase(store)
        try? readOtherTrees(store)
    }

    /// How the tests ended in runs of exactly the base's tree that depended on the same as this run.
    private mutating func readBase(_ store: RunStore) async throws {
        guard let base = finder.soleBase, let commit = ObjectID(base.commit), let own = failed.run.inputs,
            let tree = try await finder.repository.tree(of: commit)
        else { return }
        finder.repository.rest()
        let project = finder.baseline?.project ?? finder.project
        let runs = try store.treeRuns(
            ofTree: tree.hexadecimal, at: finder.subpath.folder, project: project, limit: 20)
        let alike = runs.filter { run in
            run.summary.isExact && !run.isIncomplete && run.summary.id != failed.run.id
                && run.inputs.map { $0.besidesTree == own.besidesTree } ?? false
        }
        for run in alike.prefix(FailureObservation.mostStored) {
            for result in try store.results(of: tests.map(\.id), in: run.summary.id) {
                guard result.outcome.wasExecuted, seen[result.id].map({ $0.stored.count < Self.most }) ?? false else {
                    continue
                }
                // One that passed after it had failed has done both.
                if result.isFlaky, let failure = result.firstFailedAttempt {
                    seen[result.id]?.stored.append(
                        FailureObservation.Stored(
                            run: run.summary.id, outcome: failure.outcome, failure: FailureSample(failure)))
                }
                guard seen[result.id].map({ $0.stored.count < Self.most }) ?? false else { continue }
                seen[result.id]?.stored.append(
                    FailureObservation.Stored(
                        run: run.summary.id, outcome: result.outcome, failure: FailureSample(result)))
            }
        }
    }

    private static var most: Int { FailureObservation.mostStored }

    /// Whether runs of another tree disagree on a test.
    private mutating func readOtherTrees(_ store: RunStore) throws {
        let own = failed.run.revision?.tree.map { Name($0) }
        let past = try store.past(of: tests.map(\.id), before: failed.run)
        for test in tests.map(\.id) {
            var (passed, failing): ([Name: RunID], [Name: RunID]) = ([:], [:])
            for execution in past.executions[test] ?? [] {
                guard let run = execution.run, let tree = run.tree.map({ Name($0) }), tree != own else { continue }
                if execution.outcome.isFailure {
                    failing[tree] = failing[tree] ?? run.id
                } else {
                    passed[tree] = passed[tree] ?? run.id
                }
                guard let pass = passed[tree], let fail = failing[tree] else { continue }
                if let failure = try store.results(of: [test], in: fail).first.flatMap({ FailureSample($0) }) {
                    seen[test]?.elsewhere = FailureObservation.Flake(passed: pass, failed: fail, failure: failure)
                }
                break
            }
        }
    }
}

extension RunInputs {
    /// What a run depends on besides its tree, which has the versions of dependencies in it.
    fileprivate var besidesTree: RunInputs {
        var inputs = self
        inputs.dependencies = nil
        return inputs
    }
}

extension TestResult {
    /// The first attempt that failed, as if it were the only one.
    fileprivate var firstFailedAttempt: TestResult? {
        guard let attempt = attempts.first(where: \.outcome.isFailure) else { return nil }
        var result = self
        (result.outcome, result.attempts) = (attempt.outcome, [attempt])
        return result
    }
}
