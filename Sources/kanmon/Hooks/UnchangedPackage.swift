import Gate
import Repository
import RunModel
import Storage

/// Finds out that nothing a package is built from has changed since a commit for which it passed.
///
/// Only for a hook that guards several packages of a repository: what changed lies in the folders of the others, and this one does not
/// depend on them. That its tests read files there cannot be known, so nothing is stored for the commit: whoever judges it for
/// good runs them.
struct UnchangedPackage: Sendable {
    let judge: TreeJudge
    /// The folders of the other packages that the hook guards.
    let others: [String]

    /// So many commits before are looked at.
    private static let most = 20

    /// A commit for which the package passed, and its run.
    struct Passed: Sendable {
        let commit: String
        let run: RunID
    }

    /// The nearest commit before, along first parents, for which the package passed and from which a tree differs in other packages
    /// alone; `nil` where there is none, or that is not certain.
    func passed(before tree: ObjectID, from start: String) async throws -> Passed? {
        let home = judge.checkpoint.home
        guard !others.isEmpty, home.hasStore, try await judge.repository.commit(at: start) != nil else { return nil }
        let (_, project) = try await judge.context(of: tree)
        let store = try RunStore.reading(home.database)
        for entry in try await judge.repository.commits(in: start, limit: Self.most, isFirstParent: true) {
            // The tree itself is known or is not.
            if entry.commit.hexadecimal == start { continue }
            let commit = entry.commit
            let paths = try await judge.repository.changedPaths(from: commit, to: tree)
            let folders = Set(paths.map { path in path.text.flatMap(self.folder) })
            if paths.isEmpty || folders.contains(nil) { return nil }
            let verdict = try store.verdicts(on: commit.hexadecimal, in: .named([project]), limit: 1).first
            guard let verdict else { continue }
            guard verdict.decision == .passed, verdict.isWholeOfTree,
                let run = try store.run(verdict.id, RunPart(tests: .none, files: .none))?.run,
                !folders.contains(where: { $0.map { depends(run, on: $0) } ?? true })
            else { return nil }
            return Passed(commit: commit.hexadecimal, run: verdict.id)
        }
        return nil
    }

    /// The other package in whose folder a path lies.
    private func folder(of path: String) -> String? { others.first { Self.lies(path, in: $0) } }

    /// Whether a run's package has code of its own or of a dependency there, or a folder around it.
    private func depends(_ run: TestRun, on folder: String) -> Bool {
        let own = judge.subpath.folder
        if Self.lies(own, in: folder) || Name(own) == Name(folder) { return true }
        return run.localPackages.contains { package in
            guard let path = Self.resolved(package.path, from: own) else { return true }
            return Name(path) == Name(folder) || Self.lies(path, in: folder) || Self.lies(folder, in: path)
        }
    }

    /// A path relative to a folder as one relative to the top; `nil` for one outside of the repository.
    private static func resolved(_ path: String, from folder: String) -> String? {
        var parts = folder.split(separator: "/")
        for part in path.split(separator: "/") where part != "." {
            if part != ".." {
                parts.append(part)
            } else if parts.popLast() == nil {
                return nil
            }
        }
        return parts.joined(separator: "/")
    }

    private static func lies(_ path: String, in folder: String) -> Bool {
        folder.isEmpty || path.utf8.starts(with: "\(folder)/".utf8)
    }
}
