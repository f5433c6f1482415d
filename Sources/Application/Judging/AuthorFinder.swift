import Gate
import Repository
import RunModel
import TestRunning

/// Finds who changed the lines last at which tests failed that nobody owns. Nothing is judged by it: what git cannot tell is missing.
package struct AuthorFinder: Sendable {
    let repository: GitRepository
    /// Where the package lies below the top of the repository.
    let subpath: PackageSubpath
    /// The package's folder as it is tested, absolute.
    let root: String
    /// What is tested.
    let revision: Revision?
    /// Who owns which file.
    let owners: CodeOwnersFile?
    /// Whose quarantine names owners, too.
    let policy: Policy

    /// What is not known after this time is not waited for.
    private static let limit = Duration.seconds(5)

    /// The authors as a file for the run directory; none where nobody is found.
    func files(of run: TestRun) async -> [GivenFile] {
        let unowned = run.unownedFailures(by: owners, policy)
        guard !unowned.isEmpty else { return [] }
        let entries: [FailureAuthors.Entry] = await withTaskGroup(of: [FailureAuthors.Entry].self) { group in
            group.addTask { await self.find(unowned) }
            group.addTask {
                try? await Task.sleep(for: Self.limit)
                return []
            }
            var found: [FailureAuthors.Entry] = []
            // Whoever ends first ends the other.
            for await part in group {
                found += part
                group.cancelAll()
            }
            return found
        }
        guard !entries.isEmpty, let file = try? KeptJSON.authors.givenFile(FailureAuthors(entries)) else { return [] }
        return [file]
    }

    private func find(_ unowned: [(test: TestID, place: SourceLocation)]) async -> [FailureAuthors.Entry] {
        let files: AuthoredFiles =
            if let revision, revision.isExact, let commit = revision.commit.flatMap({ ObjectID($0) }) {
                .commit(commit)
            } else {
                .folder(subpath.top(of: root))
            }
        var authors: [Name: [Int: String]] = [:]
        for (path, places) in Dictionary(grouping: unowned, by: { Name($0.place.path) }) {
            if Task.isCancelled { break }
            authors[path] = try? await repository.authors(
                of: Set(places.map { $0.place.line }), in: subpath.path(path.text), of: files)
        }
        return unowned.compactMap { test, place in
            authors[Name(place.path)]?[place.line].map { FailureAuthors.Entry(test: test, name: $0) }
        }
    }
}
