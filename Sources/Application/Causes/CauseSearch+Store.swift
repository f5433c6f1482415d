import CodeCoverage
import Evidence
import Gate
import Repository
import RunModel
import Storage
import TestRunning

extension CauseSearch {
    /// Takes what stored runs say of the tests; a store that cannot be read says nothing.
    mutating func readStore() async {
        guard let base = finder.soleBase.flatMap({ ObjectID($0.commit) }), let inputs = failed.run.inputs,
            finder.home.hasStore, let store = try? RunStore.reading(finder.home.database)
        else { return }
        defer { finder.repository.rest() }
        // With variables that the change itself sets, no run before it was like this one, whatever a shell had set then.
        guard (try? await finder.hasVariables(of: base)) == true else { return }
        try? await readBase(store, base, inputs)
        try? await readEarlierTrees(store, before: base, inputs)
    }

    /// The runs of exactly the tree of a commit that are whole and depended on the same as this run, but perhaps for variables.
    ///
    /// Where the tree pins the versions of dependencies, they may be others: they are a part of it.
    private func runs(
        of tree: String, at commit: ObjectID, in store: RunStore, project: String, like inputs: RunInputs
    ) async throws -> [TreeRun] {
        let place = finder.subpath.path("Package.resolved")
        let pinsVersions = try await finder.repository.hasFile(at: place, in: commit)
        let runs = try store.treeRuns(ofTree: tree, at: finder.subpath.folder, project: project, limit: 20)
        return runs.filter { run in
            guard run.summary.isExact, !run.isIncomplete, run.summary.id != failed.run.id, let own = run.inputs,
                own.dependencies != nil, inputs.dependencies != nil
            else { return false }
            return own.besidesVariables == inputs.besidesVariables
                && (pinsVersions || own.dependencies == inputs.dependencies)
        }
    }

    /// What is kept of a full run of the package in the folder in which it lies in this run; `nil` of any other, and
    /// where nobody knows.
    private func manifest(ofRunHere run: TreeRun) -> RunManifest? {
        guard !run.summary.isPartial, let path = run.summary.runDirectory,
            let manifest = try? RunDirectory(path: path).manifest(),
            Name(manifest.packageRoot) == Name(finder.root)
        else { return nil }
        return manifest
    }

    // MARK: The base's tree

    /// How the tests ended in runs of the base's tree, which of them it does not have, and what they execute of the change.
    private mutating func readBase(_ store: RunStore, _ base: ObjectID, _ inputs: RunInputs) async throws {
        guard let tree = try await finder.repository.tree(of: base) else { return }
        let project = finder.baseline?.project ?? finder.project
        let found = try await runs(of: tree.hexadecimal, at: base, in: store, project: project, like: inputs)
        let alike = found.filter { $0.hasVariables(of: inputs) }.prefix(FailureObservation.mostStored)
        for run in alike {
            let results = try store.results(of: tests.map(\.id), in: run.summary.id)
            let isHere = manifest(ofRunHere: run) != nil
            for result in results { take(result, of: run.summary.id, isHere: isHere) }
            if !run.summary.isPartial { try takeMissing(Set(results.map(\.id)), from: run.summary.id, in: store) }
        }
        let others = found.filter { !$0.hasVariables(of: inputs) }.prefix(FailureObservation.mostStored)
        for run in others { try takePasses(of: run, in: store) }
        try takeRecorded(by: Array(alike), in: store)
    }

    private mutating func take(_ result: TestResult, of run: RunID, isHere: Bool) {
        guard result.outcome.wasExecuted else { return }
        // One that passed after it had failed has done both; that it passed must not be what is left out.
        let failed = result.isFlaky ? result.firstFailedAttempt : nil
        for ending in [result, failed].compactMap({ $0 }) {
            guard let stored = seen[result.id]?.stored, stored.count < FailureObservation.mostStored else { return }
            seen[result.id]?.stored.append(
                FailureObservation.Stored(
                    run: run, outcome: ending.outcome, failure: FailureSample(ending), isHere: isHere))
        }
    }

    /// Takes which tests a full run of the base does not have.
    private mutating func takeMissing(_ known: Set<TestID>, from run: RunID, in store: RunStore) throws {
        let absent = tests.filter { !known.contains($0.id) }
        for (module, own) in Dictionary(grouping: absent, by: { Name($0.id.module) }) {
            guard let found = try store.tests(of: run, target: module.text)?.tests else { continue }
            for test in own.absent(from: found) { seen[test]?.base = FailureObservation.OnBase(isMissing: true) }
        }
    }

    /// Takes which tests passed in a run that differs from this one in variables, where it is known which.
    private mutating func takePasses(of run: TreeRun, in store: RunStore) throws {
        guard let manifest = manifest(ofRunHere: run) else { return }
        let variables = variables(otherThanIn: manifest)
        guard !variables.isEmpty else { return }
        for result in try store.results(of: tests.map(\.id), in: run.summary.id) {
            guard [Outcome.passed, .knownIssue].contains(result.outcome), !result.isFlaky,
                seen[result.id]?.otherwise == nil
            else { continue }
            seen[result.id]?.otherwise = FailureObservation.PassOtherwise(run: run.summary.id, variables: variables)
        }
    }

    /// The names of the first variables that are other ones than in a run; none where that is not known.
    private func variables(otherThanIn manifest: RunManifest) -> [String] {
        guard let own = failed.run.variables, let others = manifest.variables else { return [] }
        let names = Set(own.keys).union(others.keys).filter { name in
            own[name] != others[name] && name.utf8.count <= FailureObservation.longestVariable
        }
        return Array(names.sorted { Name($0) < Name($1) }.prefix(FailureObservation.mostVariables))
    }

    /// Takes what the tests execute of the change by the per-test coverage of runs; the first map that has a test speaks.
    private mutating func takeRecorded(by runs: [TreeRun], in store: RunStore) throws {
        guard let changes = finder.changes, !changes.isEmpty else { return }
        for run in runs where seen.values.contains(where: { $0.recorded == nil }) {
            guard let map = try store.testMap(of: run.summary.id) else { continue }
            var names: FunctionNames?
            let recorded = FailureObservation.Recorded.all(
                of: tests, in: failed.run, by: map, changes: changes
            ) { symbol in
                // A large file, of which often nothing is asked.
                let known = names ?? run.functionNames
                names = known
                return known[symbol]
            }
            for (test, found) in recorded where seen[test]?.recorded == nil {
                var found = found
                // A test that was not chosen may execute it.
                if run.summary.isPartial { found.isUnexecuted = nil }
                seen[test]?.recorded = found
            }
        }
    }

    // MARK: Earlier trees

    /// Whether runs of a tree from before the change, alike and in this folder, disagree on a test.
    private mutating func readEarlierTrees(
        _ store: RunStore, before base: ObjectID, _ inputs: RunInputs
    ) async throws {
        let past = try store.past(of: tests.map(\.id), before: failed.run)
        var known: [Name: Set<RunID>] = [:]
        for test in tests.map(\.id) {
            let byTree = Dictionary(grouping: past.executions[test] ?? []) { Name($0.run?.tree ?? "") }
            for (tree, executions) in byTree.sorted(by: { $0.key < $1.key }) {
                guard executions.contains(where: \.outcome.isFailure),
                    executions.contains(where: { !$0.outcome.isFailure })
                else { continue }
                let runs: Set<RunID>
                if let found = known[tree] {
                    runs = found
                } else {
                    runs = try await speaking(
                        for: tree.text, executions.compactMap { $0.run?.commit }, store, before: base, inputs)
                    known[tree] = runs
                }
                let own = executions.filter { execution in execution.run.map { runs.contains($0.id) } ?? false }
                guard let passed = own.first(where: { !$0.outcome.isFailure })?.run?.id,
                    let failing = own.first(where: \.outcome.isFailure)?.run?.id,
                    let failure = try store.results(of: [test], in: failing).first.flatMap({ FailureSample($0) })
                else { continue }
                seen[test]?.elsewhere = FailureObservation.Flake(passed: passed, failed: failing, failure: failure)
                break
            }
        }
    }

    /// The runs that speak for a tree from before the change; none for any other tree, because an attempt of the change
    /// is no evidence about the base.
    ///
    /// - Parameter commits: Those of the runs of the tree.
    private func speaking(
        for tree: String, _ commits: [String], _ store: RunStore, before base: ObjectID, _ inputs: RunInputs
    ) async throws -> Set<RunID> {
        for commit in Set(commits).sorted().compactMap({ ObjectID($0) }) {
            guard let common = try? await finder.repository.mergeBase(commit, base), common == commit else { continue }
            let found = try await runs(of: tree, at: commit, in: store, project: finder.project, like: inputs)
            let here = found.filter { $0.hasVariables(of: inputs) && manifest(ofRunHere: $0) != nil }
            return Set(here.map(\.summary.id))
        }
        return []
    }
}

extension RunInputs {
    /// What a run depends on besides its tree, the versions of dependencies, and variables.
    fileprivate var besidesVariables: RunInputs {
        var inputs = self
        (inputs.dependencies, inputs.environment, inputs.places) = (nil, "", "")
        return inputs
    }
}

extension TreeRun {
    /// Whether its tests saw the same variables.
    fileprivate func hasVariables(of other: RunInputs) -> Bool {
        inputs?.environment == other.environment && inputs?.places == other.places
    }

    /// What people call its functions; nobody knows where its directory is gone.
    fileprivate var functionNames: FunctionNames {
        summary.runDirectory.map { FunctionNames(in: RunDirectory(path: $0)) } ?? FunctionNames()
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
