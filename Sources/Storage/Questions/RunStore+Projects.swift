public import Gate
public import RunModel

extension RunStore {
    /// The names of all projects, by their bytes.
    public func projectNames() throws(StorageError) -> [String] {
        try read { connection in try connection.statement(.projects).all { $0.text(1) } }
    }

    /// Whether there is a project of this name; it counts nothing.
    public func hasProject(_ name: String) throws(StorageError) -> Bool {
        try read { connection in try connection.project(name) != nil }
    }

    /// A project by its name; `nil` if there is none.
    public func project(named name: String) throws(StorageError) -> ProjectSummary? {
        try read { connection in
            try connection.project(name).map { try connection.summary(ofProject: $0, name: name) }
        }
    }

    /// Every project with its latest run, ordered by the bytes of its name.
    public func projects() throws(StorageError) -> [ProjectSummary] {
        try read { connection in
            try connection.statement(.projects).all { (id: $0.integer(0), name: $0.text(1)) }
                .map { try connection.summary(ofProject: $0.id, name: $0.name) }
        }
    }

    /// To how many projects runs were delivered with a token, and whether a project is one of them.
    public func projects(
        ofSender token: String, with project: String
    ) throws(StorageError) -> (count: Int, isOneOfThem: Bool) {
        try read { connection in
            try connection.statement(.projectsOfSender).first(token, Bytes(project)) { ($0.int(0), $0.flag(1)) }
                ?? (0, false)
        }
    }

    /// The project of a run; `nil` if there is none of this id. It takes as long for one project as for thousands.
    public func project(of run: RunID) throws(StorageError) -> String? {
        try read { connection in try connection.statement(.projectOfRun).first(run.description) { $0.text(0) } }
    }

    /// The latest full run of every branch of a project, the newest first.
    ///
    /// - Parameter limit: How many branches at most, those with the newest runs.
    public func branches(project: String, limit: Int) throws(StorageError) -> [RunSummary] {
        try read { connection in
            guard let project = try connection.project(project) else { return [] }
            let names = try connection.statement(.branches).all(project, limit) { $0.bytes(0) }
            let latest = try names.compactMap { name in
                try connection.statement(.wholeRunsOfBranch).first(project, Bytes(name), 1, row: RunSummary.init)
            }
            return latest.sorted { ($0.startedAt, $0.id) > ($1.startedAt, $1.id) }
        }
    }

    /// The latest runs of working copies, the newest first.
    public func runsOfWorkingCopies(project: String, limit: Int) throws(StorageError) -> [RunSummary] {
        try read { connection in
            guard let project = try connection.project(project) else { return [] }
            return try connection.statement(.runsOfWorkingCopies).all(project, limit, row: RunSummary.init)
        }
    }

    /// The latest full runs that answer for their commits (`RunSummary.isExact`), the newest first: of one branch, or
    /// of the project if `nil`.
    public func wholeRuns(project: String, branch: String?, limit: Int) throws(StorageError) -> [RunSummary] {
        try read { connection in
            guard let project = try connection.project(project) else { return [] }
            guard let branch else {
                return try connection.statement(.wholeRunsOfProject).all(project, limit, row: RunSummary.init)
            }
            return try connection.statement(.wholeRunsOfBranch)
                .all(project, Bytes(branch), limit, row: RunSummary.init)
        }
    }

    /// The line coverage of every measured module in those runs: of one branch, or of the project if `nil`.
    public func modules(project: String, branch: String?, runs: Int) throws(StorageError) -> [ModuleInRun] {
        try read { connection in
            guard let project = try connection.project(project) else { return [] }
            let rows = try connection.modules(project, branch: branch, runs: runs)
            // Runs share them, so they are read once.
            var known: [Int64: [ModuleCoverage]] = [:]
            return try rows.flatMap { row in
                let statuses = try known[row.statuses] ?? VerdictStorage(connection).statuses(row.statuses)
                known[row.statuses] = statuses
                return try ModuleTallies.decode(row.tallies, of: statuses).filter { $0.notMeasurable == nil }
                    .map { ModuleInRun(run: row.run, module: $0.module, lines: $0.lines, floor: $0.floors.line) }
            }
        }
    }

    /// The latest full run of a project that has coverage, and the files in it, ordered by path.
    public func files(project: String, most: Int = .max) throws(StorageError) -> (run: RunID, paths: [String])? {
        try read { connection in
            guard let project = try connection.project(project),
                let latest = try connection.statement(.latestRunWithCoverage).first(
                    project, row: { (key: $0.integer(0), id: try $0.runID(1)) })
            else { return nil }
            return (latest.id, try RunReading(connection).paths(latest.key, most: most))
        }
    }
}

extension Connection {
    fileprivate func summary(ofProject id: Int64, name: String) throws -> ProjectSummary {
        ProjectSummary(
            name: name, runs: try statement(.runCount).first(id) { $0.int(0) } ?? 0,
            latest: try statement(.summariesOfProject).first(id, 1, row: RunSummary.init))
    }

    /// The modules of the latest full runs, in the order of the run ids.
    fileprivate func modules(
        _ project: Int64, branch: String?, runs: Int
    ) throws -> [(run: RunID, statuses: Int64, tallies: [UInt8])] {
        let read = { (row: StatementRow) in
            (run: try row.runID(0), statuses: row.integer(1), tallies: row.bytes(2))
        }
        guard let branch else { return try statement(.modulesOfProject).all(project, runs, row: read) }
        return try statement(.modulesOfBranch).all(project, Bytes(branch), runs, row: read)
    }
}
