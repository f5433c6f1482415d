import Gate
package import Repository
package import RunModel
import Storage

/// Finds the changed lines of a run with git, and the coverage of the run's tree and its base in the store.
package struct ChangeFinder: Sendable {
    let repository: GitRepository
    let home: Home
    /// The project whose runs count.
    let project: String
    /// Where the package lies below the top of the work tree.
    let subpath: PackageSubpath

    package init(repository: GitRepository, home: Home, project: String, subpath: PackageSubpath) {
        self.repository = repository
        self.home = home
        self.project = project
        self.subpath = subpath
    }

    /// Compares the tested files with the base: those of a tree, or of the work tree.
    ///
    /// - Parameters:
    ///   - baseProject: Where the base's runs are kept, if that is another project.
    ///   - isOfAll: Whether files of all languages are compared, as reports of other tools need it; see `narrowed(to:)`.
    package func compare(
        _ revision: Revision?, with base: BaseCommit, of baseProject: String? = nil, isOfAll: Bool = false
    ) async throws -> (comparison: ChangeComparison?, notes: [Note]) {
        let tree = revision?.tree.flatMap { ObjectID($0) }
        guard let commit = ObjectID(base.commit), let baseTree = try await repository.tree(of: commit) else {
            throw Problem(.ioError, "failed to ask git: \(base.commit) has no tree")
        }
        let target: GitRepository.DiffTarget = tree.map { .tree($0) } ?? .workingCopy
        var comparison = ChangeComparison(
            base: base, changes: try await repository.changes(from: commit, to: target, package: subpath.folder),
            compared: try await repository.sources(of: target, package: subpath.folder, isOfAll: isOfAll))
        guard home.hasStore else { return (comparison, []) }
        do throws(StorageError) {
            let store = try RunStore.reading(home.database)
            for name in ProjectName.names(of: baseProject ?? project, for: commit) where comparison.coverage == nil {
                comparison.coverage = try store.knownCoverage(
                    ofTree: baseTree.hexadecimal, at: subpath.folder, project: name)
            }
            if let tree {
                comparison.sameTree = try store.knownCoverage(
                    ofTree: tree.hexadecimal, at: subpath.folder, project: project)
            }
            return (comparison, [])
        } catch {
            // The verdict is given without it, with a note; a rule that needs it is a gap.
            return (comparison, [Note(.baseRunMissing, detail: "failed to \(error)")])
        }
    }
}
