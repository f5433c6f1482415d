/// The branch that changes of a project are made for.
public struct ProjectBranch: Sendable, Hashable {
    /// Its name.
    public var name: String
    /// Whether a full run of it is stored.
    public var hasRuns: Bool
}

extension RunStore {
    /// The branch that changes of a project are made for; `nil` if unknown.
    ///
    /// It is the one that the gate compared the newest run with that answers for its branch. If none was compared with a branch, it is the
    /// first of the usual names with a full run.
    public func defaultBranch(of project: String) throws(StorageError) -> ProjectBranch? {
        try read { connection in try connection.defaultBranch(of: project) }
    }

    /// The default branch of a project; `nil` when no full run is on it, so that those of every branch count.
    public func testedBranch(of project: String) throws(StorageError) -> String? {
        try defaultBranch(of: project).flatMap { $0.hasRuns ? $0.name : nil }
    }
}

extension Connection {
    /// The usual names of a default branch, the best first.
    private static let usualBranches = ["main", "master", "trunk"]

    /// The branch that changes of a project are made for; `nil` if unknown.
    fileprivate func defaultBranch(of project: String) throws -> ProjectBranch? {
        let found = try statement(.defaultBranch).first(Bytes(project)) { row in
            (project: row.integer(0), branch: row.optionalText(1))
        }
        guard let found else { return nil }
        if let name = found.branch {
            return ProjectBranch(name: name, hasRuns: try hasRuns(of: found.project, on: name))
        }
        for name in Self.usualBranches {
            if try hasRuns(of: found.project, on: name) { return ProjectBranch(name: name, hasRuns: true) }
        }
        return nil
    }

    /// The default branch of a project; `nil` when no full run is on it.
    func testedBranch(of project: String) throws -> String? {
        try defaultBranch(of: project).flatMap { $0.hasRuns ? $0.name : nil }
    }

    /// Whether a full run of a branch is stored.
    fileprivate func hasRuns(of project: Int64, on branch: String) throws -> Bool {
        try statement(.anyWholeRunOfBranch).first(project, Bytes(branch)) { _ in true } ?? false
    }
}
