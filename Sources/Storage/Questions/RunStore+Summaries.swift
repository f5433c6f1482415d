public import Gate
public import RunModel

extension RunStore {
    /// Whether no run is stored.
    public var isEmpty: Bool {
        get throws(StorageError) {
            try read { connection in try connection.statement(.anyRun).first { _ in true } == nil }
        }
    }

    /// A page of runs, the newest first.
    ///
    /// - Parameters:
    ///   - project: Runs of this project only; of all when `nil`.
    ///   - id: The last run of the page before; the newest runs when `nil`.
    ///   - limit: How many at most.
    public func runs(
        project: String? = nil, before id: RunID? = nil, limit: Int
    ) throws(StorageError) -> [RunSummary] {
        try read { connection in
            let row = try project.map { try connection.project($0) }
            if case .some(.none) = row { return [] }
            let key = try id.map { try connection.key(of: $0, path: path) }
            switch (row ?? nil, key) {
            case (nil, nil):
                return try connection.statement(.summaries).all(limit, row: RunSummary.init)
            case (nil, let key?):
                return try connection.statement(.summariesBefore)
                    .all(key.startedAt, key.identity, limit, row: RunSummary.init)
            case (let project?, nil):
                return try connection.statement(.summariesOfProject).all(project, limit, row: RunSummary.init)
            case (let project?, let key?):
                return try connection.statement(.summariesOfProjectBefore)
                    .all(project, key.startedAt, key.identity, limit, row: RunSummary.init)
            }
        }
    }

    /// A page of the runs of some projects that a filter lets through.
    ///
    /// - Parameters:
    ///   - filter: Which runs.
    ///   - scope: The projects.
    ///   - id: The last run of the page before, which is in one of them; the first runs when `nil`.
    ///   - order: By time, verdict, coverage or duration; of equal runs the newest first. By coverage, runs without any are last.
    ///   - limit: How many at most.
    public func runs(
        _ filter: RunFilter = RunFilter(), in scope: ProjectScope, before id: RunID? = nil,
        order: ListOrder = .newestFirst, limit: Int
    ) throws(StorageError) -> [RunSummary] {
        try read { connection in
            let projects = try connection.projects(in: scope)
            let key = try id.map { try connection.key(of: $0, path: path) }
            // The last day ends where the next one begins.
            let end = filter.until?.next.start.nanosecondsSince1970 ?? .max
            let since = filter.since?.start.nanosecondsSince1970 ?? .min
            let branch = filter.branch.map { Bytes($0) }
            let decision = filter.decision?.rawValue
            guard order == .newestFirst else {
                let rows = Connection.list(projects)
                return try connection.statement(.summariesSorted)
                    .all(
                        order.key.rawValue, order.isDescending ? 1 : -1, rows, since, end, branch, decision,
                        filter.author, key?.identity, limit, row: RunSummary.init)
            }
            var place = (startedAt: end, identity: "")
            if let key, (key.startedAt, key.identity) < place { place = (key.startedAt, key.identity) }
            // Each project has its newest runs by its index; the newest of these are those of all.
            let keys = try projects.flatMap { project in
                try connection.statement(.keysOfProject)
                    .all(
                        project, place.startedAt, place.identity, branch, decision, filter.author, since, limit,
                        row: { (startedAt: $0.integer(0), run: try $0.runID(1)) })
            }
            return try keys.sorted { ($0.startedAt, $0.run) > ($1.startedAt, $1.run) }.prefix(limit)
                .compactMap { try connection.summary(of: $0.run) }
        }
    }

    /// Runs whose id begins or ends with `text`, the newest first; two show that it is ambiguous.
    ///
    /// - Parameter text: At least four lower-case hexadecimal digits or hyphens; at most twelve for an end. Anything
    ///   else finds nothing.
    public func runIDs(
        matching text: String, in scope: ProjectScope = .all, limit: Int = 2
    ) throws(StorageError) -> [RunID] {
        guard (4...36).contains(text.utf8.count), text.utf8.allSatisfy(Self.isHexadecimalOrHyphen) else { return [] }
        let end = String(text.reversed())
        return try read { connection in
            var found: Set<RunID> = []
            for project in try connection.projects(in: scope) {
                found.formUnion(
                    try connection.statement(.identitiesByPrefix).all(project, text, "\(text)~", limit) {
                        try $0.runID(0)
                    })
                found.formUnion(
                    try connection.statement(.identitiesBySuffix).all(project, end, "\(end)~", limit) {
                        try $0.runID(0)
                    })
            }
            return Array(found.sorted(by: >).prefix(limit))
        }
    }

    /// The runs of a project before one that answer for their tree, the newest first. However many others there are, they are not
    /// looked at.
    public func trustedRuns(of project: String, before id: RunID, limit: Int) throws(StorageError) -> [RunSummary] {
        try read { connection in
            guard let project = try connection.project(project) else { return [] }
            let key = try connection.key(of: id, path: path)
            return try connection.statement(.trustedSummariesBefore)
                .all(project, key.startedAt, key.identity, limit, row: RunSummary.init)
        }
    }

    /// The latest full run before a run that answers for its tree and executed any: on a branch, or else on any.
    ///
    /// - Parameters:
    ///   - branch: The branch; any when `nil`.
    ///   - runs: How many runs before it are looked at.
    public func stateBefore(
        _ id: RunID, of project: String, on branch: String?, among runs: Int
    ) throws(StorageError) -> RunSummary? {
        try read { connection in
            guard let project = try connection.project(project) else { return nil }
            let key = try connection.key(of: id, path: path)
            var found: RunSummary?
            // Only what may be returned is decoded whole.
            try connection.statement(.trustedSummariesBefore).step(project, key.startedAt, key.identity, runs) { row in
                guard row.isTestedState else { return true }
                let isOnBranch = row.isOn(branch.map { Name($0) })
                if found == nil || isOnBranch { found = try RunSummary(row) }
                return !isOnBranch
            }
            return found
        }
    }

    /// The latest runs of a project that were made or ingested where the store is, and not delivered.
    public func ownRuns(of project: String, limit: Int) throws(StorageError) -> [RunSummary] {
        try read { connection in
            guard let project = try connection.project(project) else { return [] }
            return try connection.statement(.ownSummariesOfProject).all(project, limit, row: RunSummary.init)
        }
    }

    /// The latest run of a project.
    public func latestRun(project: String) throws(StorageError) -> RunSummary? {
        try read { connection in
            guard let project = try connection.project(project) else { return nil }
            return try connection.statement(.summariesOfProject).first(project, 1, row: RunSummary.init)
        }
    }

    /// One run as a list shows it.
    public func summary(of id: RunID) throws(StorageError) -> RunSummary? {
        try read { connection in try connection.summary(of: id) }
    }
}

extension Connection {
    /// A run's row and its sort key.
    struct RunKey {
        var id: Int64
        var identity: String
        var project: Int64
        var startedAt: Int64
    }

    /// The row of a project.
    func project(_ name: String) throws -> Int64? {
        try statement(.projectByName).first(Bytes(name)) { $0.integer(0) }
    }

    /// The sort key of a run.
    func key(of id: RunID, path: String) throws -> RunKey {
        let key = try statement(.runKey).first(id.description) {
            RunKey(id: $0.integer(0), identity: id.description, project: $0.integer(1), startedAt: $0.integer(2))
        }
        guard let key else { throw StorageError.unknownRun(path: path, id: id) }
        return key
    }
}
