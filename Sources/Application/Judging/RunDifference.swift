import Foundation
package import Gate
import Repository
package import RunModel
package import Storage

/// How the later of two stored runs covers the lines that changed since the earlier one.
package struct RunDifference: Sendable {
    let process: ProcessContext
    /// The folder of the package, whose repository is asked.
    let packagePath: String

    package init(process: ProcessContext, packagePath: String) {
        (self.process, self.packagePath) = (process, packagePath)
    }

    /// What changed; `nil` where the later run says nothing of the lines, or where git here lacks the files of one of them.
    package func status(of after: RunID, since before: RunID, in store: RunStore) async throws -> ChangeStatus? {
        guard let later = try store.run(after), later.run.coverage != nil, !later.run.isPartial else { return nil }
        if let change = later.verdict.change, change.baseRun == before { return change }
        guard let earlier = try store.summary(of: before),
            let comparison = try await comparison(of: later.run, since: earlier, in: store)
        else { return nil }
        // Rules compare with the base of a run, not against whatever run somebody names.
        return try Verdict(
            judging: later.run, by: later.verdict.policy.withoutBase, history: later.verdict.lineHistory,
            changed: comparison
        ).change
    }

    private func comparison(
        of later: TestRun, since earlier: RunSummary, in store: RunStore
    ) async throws -> ChangeComparison? {
        let root = process.real(packagePath)
        guard let (old, new) = trees(of: earlier, later),
            let repository = try await GitRepository.discover(
                at: root, environment: GitEnvironment(process.environment)),
            try await repository.hasTree(old.hexadecimal), try await repository.hasTree(new.hexadecimal)
        else { return nil }
        let subpath = try await repository.packageSubpath(of: root)
        return ChangeComparison(
            base: BaseCommit(
                commit: earlier.revision?.commit ?? old.hexadecimal, kind: .named, name: "run \(earlier.id.short)"),
            changes: try await repository.changes(from: old, to: .tree(new), package: subpath.folder),
            compared: try await repository.sources(
                of: .tree(new), package: subpath.folder, isOfAll: later.engine == .foreign),
            coverage: try Self.coverage(of: earlier, in: store)
        )
        .narrowed(to: later)
    }

    /// What a run covered; `nil` of one that ran some of the tests only, or lacks evidence.
    private static func coverage(of run: RunSummary, in store: RunStore) throws -> KnownCoverage? {
        guard !run.isPartial, try store.gaps(of: run.id).isEmpty, let facts = try store.facts(of: run.id) else {
            return nil
        }
        return try store.coverage(of: run.id).map { coverage in
            KnownCoverage(
                runs: [run.id], swiftVersion: facts.toolchain?.swiftVersion,
                files: coverage.files.map { KnownLines($0) })
        }
    }

    /// The exact files of both; `nil` where a run was of a working copy.
    private func trees(of earlier: RunSummary, _ later: TestRun) -> (ObjectID, ObjectID)? {
        guard let old = earlier.revision?.tree.flatMap({ ObjectID($0) }),
            let new = later.revision?.tree.flatMap({ ObjectID($0) })
        else { return nil }
        return (old, new)
    }
}
