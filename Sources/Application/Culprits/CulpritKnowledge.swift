import Foundation
import Gate
import Repository
import RunModel
import Storage

/// What is known of a test before it is run: how it ended on which tree, and what it executes.
struct CulpritKnowledge: Sendable {
    /// How many stored runs are looked at.
    private static let mostRuns = 500
    /// How many commits before the good end are looked at to tell how flaky the test is.
    private static let mostBefore = 500
    /// What more commits than this touch is not looked at: that would take longer than to build some of them.
    private static let mostCompared = 200

    private let judge: TreeJudge
    /// By the hexadecimal of the tree.
    private let executions: [String: [TreeExecution]]
    private let guess: CommitWeights
    /// The tree of the run whose per-test coverage is the guess; `nil` without one.
    private let mapped: ObjectID?

    init(of test: TestID, project: String, in store: RunStore, _ judge: TreeJudge) async throws {
        self.judge = judge
        executions = Dictionary(
            grouping: try store.executions(of: test, project: project, runs: Self.mostRuns), by: \.tree)
        var (map, tree): (TestMap?, ObjectID?)
        if let id = try store.latestRunWithTestMap(of: project, isExact: true),
            let found = try store.summary(of: id)?.revision?.tree.flatMap({ ObjectID($0) }),
            try await judge.repository.hasTree(found.hexadecimal)
        {
            (map, tree) = (try store.testMap(of: id), found)
        }
        guess = CommitWeights(test, by: map)
        mapped = tree
    }

    /// How the test ended on a tree in any stored run; `nil` where it did not run.
    func stored(of tree: ObjectID) -> TreeOutcomes? {
        executions[tree.hexadecimal].map { Self.outcomes($0) }
    }

    /// How it ended in stored runs that depended on the same as one would now; these cost nothing.
    func outcomes(of tree: ObjectID) async throws -> TreeOutcomes {
        guard let found = executions[tree.hexadecimal] else { return TreeOutcomes() }
        // What a run would depend on now need not be known: then it is run.
        guard let (settings, _) = try? await judge.context(of: tree),
            let now = try? await TreeInputs(
                process: judge.process, home: judge.checkpoint.home, repository: judge.repository
            ).inputs(of: tree, subpath: judge.subpath, settings: settings), now.isWhole
        else { return TreeOutcomes() }
        return Self.outcomes(found.filter { $0.inputs == now })
    }

    /// How often the test failed and passed on the commits before a line, where nothing was broken.
    func past(before line: [LineCommit]) async throws -> (failures: Int, passes: Int) {
        guard let good = line.first, !executions.isEmpty else { return (0, 0) }
        let before = try await judge.repository.line(to: good.commit, limit: Self.mostBefore)
        let trees = Set(before.map(\.tree)).subtracting(line.map(\.tree))
        let outcomes = trees.compactMap { executions[$0.hexadecimal] }.map { Self.outcomes($0) }
            .reduce(TreeOutcomes(), +)
        return (outcomes.failures, outcomes.passes)
    }

    /// How likely each commit of a line but the first is to be the culprit, by what it touches.
    func weights(of line: [LineCommit]) async throws -> [Double] {
        guard line.count <= Self.mostCompared else {
            return Array(repeating: CommitWeights.related, count: line.count - 1)
        }
        var weights: [Double] = []
        for (before, commit) in zip(line, line.dropFirst()) {
            weights.append(try await weight(of: commit, since: before))
        }
        return weights
    }

    private func weight(of commit: LineCommit, since before: LineCommit) async throws -> Double {
        let (repository, folder) = (judge.repository, judge.subpath.folder)
        let paths = try await repository.changedPaths(from: before.tree, to: commit.tree)
        let files = ChangedFiles(paths: paths.map(\.text), package: folder)
        guard let mapped, guess.asksForLines(of: files) else { return guess.weight(of: files) }
        let changes = try await repository.changes(from: before.tree, to: .tree(commit.tree), package: folder)
        let drift =
            mapped == commit.tree
            ? [] : try await repository.changes(from: mapped, to: .tree(commit.tree), package: folder)
        return guess.weight(of: files, changes: changes, drift: drift)
    }

    /// A failure that a retry hid is one, too.
    private static func outcomes(_ executions: [TreeExecution]) -> TreeOutcomes {
        TreeOutcomes(
            failures: executions.count { $0.outcome.isFailure || $0.hasRecovered },
            passes: executions.count { !$0.outcome.isFailure })
    }
}
