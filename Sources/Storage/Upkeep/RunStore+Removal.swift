import GRDB
public import Gate
public import RunModel

extension RunStore {
    /// Removes a project with all of its runs and everything that only they use, in one transaction.
    ///
    /// Run directories are not touched; the returned runs name them.
    ///
    /// - Returns: The runs, the newest first; none if there is no such project.
    public func remove(project name: String, isDryRun: Bool) throws(StorageError) -> [RunSummary] {
        if isDryRun { return try read { try Self.runs(of: name, $0) } }
        let pruning = try prune(
            isDryRun: false,
            choosing: { connection in
                // Also where no run of it is stored, so that none that has its name later is told of it.
                try connection.statement("DELETE FROM culprit WHERE project = ?1").execute(Bytes(name))
                return try Self.runs(of: name, connection)
            })
        return pruning.removed
    }

    private static func runs(of name: String, _ connection: Connection) throws -> [RunSummary] {
        guard let project = try connection.project(name) else { return [] }
        return try connection.statement(.summariesOfProject).all(project, Int.max, row: RunSummary.init)
    }

    /// Removes what is stored of one run, so that it can be stored again; on disk when it returns. What it shares with
    /// other runs stays until the next pruning.
    public func remove(run id: RunID) throws(StorageError) {
        try write { connection in
            let row = try connection.statement(.runKey).first(id.description, row: { $0.integer(0) })
            if let row { try Self.removeRows(of: row, connection) }
        }
    }

    /// Gives a project another name.
    ///
    /// - Returns: Whether there is such a project.
    /// - Throws: `StorageError.nameTaken` if another project has that name.
    public func rename(project name: String, to other: String) throws(StorageError) -> Bool {
        try write { connection in
            guard let project = try connection.project(name) else { return false }
            guard try connection.project(other) == nil else { throw StorageError.nameTaken(path: path, name: other) }
            try connection.statement("UPDATE project SET name = ?2 WHERE id = ?1").execute(project, Bytes(other))
            // What was found out of a project that had that name before is of none any more.
            try connection.statement("DELETE FROM culprit WHERE project = ?1").execute(Bytes(other))
            try connection.statement("UPDATE culprit SET project = ?2 WHERE project = ?1")
                .execute(Bytes(name), Bytes(other))
            return true
        }
    }
}
