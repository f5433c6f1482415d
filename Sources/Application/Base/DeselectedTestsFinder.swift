import Evidence
import Foundation
import Gate
package import Repository
package import RunModel
import Storage
import TestResults
import TestRunning

/// Finds the tests that need not run for a tree: by the newest run that has per-test coverage.
package struct DeselectedTestsFinder {
    let process: ProcessContext
    let home: Home
    let repository: GitRepository
    let subpath: PackageSubpath

    package init(process: ProcessContext, home: Home, repository: GitRepository, subpath: PackageSubpath) {
        self.process = process
        self.home = home
        self.repository = repository
        self.subpath = subpath
    }

    /// For how long a test that was flaky runs in any case.
    private static let flakyDays = 30

    /// The tests that a change does not affect, with the data by which that is known.
    package struct Finding {
        /// The tests that need not run.
        package let tests: DeselectedTests
        fileprivate let knowledge: DeselectedTests.Knowledge
        fileprivate let files: ChangedFiles
        fileprivate let changes: [FileChange]
        fileprivate let coverage: Coverage

        /// What those tests executed, to estimate coverage by; `nil` where nobody knows, or it is too much to keep.
        var lines: GivenFile? {
            DeselectedLines(knowledge, without: tests, files: files, changes: changes, coverage: coverage)
                .flatMap { try? KeptJSON.deselectedLines.givenFile($0) }
        }
    }

    /// What a tree leaves alone; `nil` where no run has per-test coverage of an exact tree that git still knows.
    package func find(for tree: ObjectID, project: String) async throws -> Finding? {
        guard home.hasStore else { return nil }
        let store = try RunStore.reading(home.database)
        guard let id = try store.latestRunWithTestMap(of: project, isExact: true),
            let summary = try store.summary(of: id),
            let base = summary.revision?.tree.flatMap({ ObjectID($0) }),
            try await repository.hasTree(base.hexadecimal),
            let (knowledge, coverage) = try await knowledge(of: summary, base, in: store)
        else { return nil }
        let paths = try await repository.changedPaths(from: base, to: tree)
        let files = ChangedFiles(paths: paths.map(\.text), package: subpath.folder)
        let changes = try await repository.changes(from: base, to: .tree(tree), package: subpath.folder)
        return Finding(
            tests: DeselectedTests(knowledge, files: files, changes: changes), knowledge: knowledge, files: files,
            changes: changes, coverage: coverage)
    }

    /// What is known of a run, and what it covered; `nil` where its evidence is gone, without which functions that were never called are unknown.
    ///
    /// - Parameter tree: That of the run.
    private func knowledge(
        of summary: RunSummary, _ tree: ObjectID, in store: RunStore
    ) async throws -> (DeselectedTests.Knowledge, Coverage)? {
        guard let facts = try store.facts(of: summary.id), let map = try store.testMap(of: summary.id),
            var coverage = try store.coverage(of: summary.id),
            let directory = summary.runDirectory.map({ RunDirectory(path: $0) }), !directory.hasOnlyManifest,
            let unexecuted = try UnexecutedFiles(in: directory)
        else { return nil }
        coverage.add(unexecuted)
        var uncalled: [Name: [SourceFunction]] = [:]
        for file in coverage.files { uncalled[Name(file.path)] = file.unexecuted?.functions }
        let since = process.now.addingTimeInterval(-Double(Self.flakyDays) * 86_400)
        let flaky = try store.flakiest(project: summary.project, since: since, limit: 10_000).map(\.id)
        let latest = try store.runs(project: summary.project, limit: 5).flatMap {
            try store.failures(of: $0.id).map(\.id)
        }
        let stopped = try store.failures(of: summary.id) + store.results(of: summary.id, ended: .skipped)
        let names = Set(try store.notes(of: summary.id).filter { $0.code == .orderDependent }.map { Name($0.subject) })
        let dependent = map.tests.filter { names.contains(Name($0.description)) }
        let (undeclared, inlined) = await readSources(facts.modules, in: tree)
        let knowledge = DeselectedTests.Knowledge(
            run: summary.id, map: map, uncalled: uncalled, modules: facts.modules,
            undeclared: undeclared,
            // What stopped a skipped test, such as a service that did not run, may be gone.
            unsteady: Set(flaky + latest + dependent + stopped.map(\.id)), inlined: inlined,
            toolchain: facts.toolchain, inputs: facts.inputs)
        return (knowledge, coverage)
    }

    /// What targets depend on by their sources alone, and which sources have functions that the compiler copies into their callers. What
    /// git does not have, such as a source in a submodule, may depend on anything and have such functions.
    private func readSources(
        _ modules: [Module], in tree: ObjectID
    ) async -> (undeclared: UndeclaredDependencies, inlined: Set<Name>) {
        var dependencies = UndeclaredDependencies(in: modules)
        var inlined: Set<Name> = []
        for module in modules {
            for path in module.sourcePaths {
                if let source = try? await repository.source(at: subpath.path(path), in: tree) {
                    dependencies.read(source, of: module.name)
                    if DeselectedTests.hasInlinedFunctions(source) { inlined.insert(Name(path)) }
                } else {
                    dependencies.readNothing(of: module.name)
                    inlined.insert(Name(path))
                }
            }
        }
        return (dependencies, inlined)
    }
}
