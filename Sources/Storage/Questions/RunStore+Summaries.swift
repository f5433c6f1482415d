public import Gate
public import RunModel

extension RunStore {
    /// Whether no run is stored.
    public var isEmpty: Bool {
        get throws(StorageError) {
            try read { connection in try connection.statement(.anyRun).first { _ in true } == nil }
        }
    }

    /// Every project with its latest run, ordered by the bytes of its name.
    public func projects() throws(StorageError) -> [ProjectSummary] {
        try read { connection in
            let rows = try connection.statement(.projects).all { (id: $0.integer(0), name: $0.text(1)) }
            return try rows.map { row in
                ProjectSummary(
                    name: row.name,
                    runs: try connection.statement(.runCount).first(row.id) { $0.int(0) } ?? 0,
                    latest: try connection.statement(.summariesOfProject).first(row.id, 1, row: RunSummary.init)
                )
            }
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

    /// A page of the runs that a filter lets through.
    ///
    /// - Parameters:
    ///   - filter: Which runs.
    ///   - project: Runs of this project only; of all when `nil`.
    ///   - id: The last run of the page before; the first runs when `nil`.
    ///   - order: By time, verdict, coverage or duration, and of those that are alike in that the newest first. Runs without
    ///     coverage are the last by it.
    ///   - limit: How many at most.
    public func runs(
        _ filter: RunFilter, project: String?, before id: RunID?, order: ListOrder = .newestFirst, limit: Int
    ) throws(StorageError) -> [RunSummary] {
        try read { connection in
            let row = try project.map { try connection.project($0) }
            if case .some(.none) = row { return [] }
            let key = try id.map { try connection.key(of: $0, path: path) }
            // The last day ends where the next one begins.
            let end = filter.until?.next.start.nanosecondsSince1970 ?? .max
            var place = (startedAt: end, identity: "")
            if let key, (key.startedAt, key.identity) < place { place = (key.startedAt, key.identity) }
            let since = filter.since?.start.nanosecondsSince1970 ?? .min
            let branch = filter.branch.map { Bytes($0) }
            let decision = filter.decision?.rawValue
            guard order == .newestFirst else {
                return try connection.statement(.summariesSorted)
                    .all(
                        order.key.rawValue, order.isDescending ? 1 : -1, row ?? nil, since, end, branch, decision,
                        filter.author, key?.identity, limit, row: RunSummary.init)
            }
            guard let project = row ?? nil else {
                return try connection.statement(.summariesFiltered)
                    .all(
                        place.startedAt, place.identity, branch, decision, filter.author, since, limit,
                        row: RunSummary.init)
            }
            return try connection.statement(.summariesOfProjectFiltered)
                .all(
                    project, place.startedAt, place.identity, branch, decision, filter.author, since, limit,
                    row: RunSummary.init)
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

    /// Runs whose id begins or ends with `text`, the newest first; two show that it is ambiguous.
    ///
    /// - Parameter text: At least four lower-case hexadecimal digits or hyphens; at most twelve for an end. Anything
    ///   else finds nothing.
    public func runIDs(matching text: String, limit: Int = 2) throws(StorageError) -> [RunID] {
        guard (4...36).contains(text.utf8.count), text.utf8.allSatisfy(Self.isHexadecimalOrHyphen) else { return [] }
        return try read { connection in
            var found = try connection.statement(.identitiesByPrefix)
                .all(text, "\(text)~", limit) { try $0.runID(0) }
            let end = String(text.reversed())
            for id in try connection.statement(.identitiesBySuffix).all(end, "\(end)~", limit, row: { try $0.runID(0) })
            where !found.contains(id) {
                found.append(id)
            }
            return Array(found.sorted(by: >).prefix(limit))
        }
    }

    /// Runs of the commit whose hash begins with `commit`, the newest first.
    ///
    /// - Parameter commit: At least four lower-case hexadecimal digits; anything else finds nothing.
    public func runs(commit: String, limit: Int) throws(StorageError) -> [RunSummary] {
        guard commit.utf8.count >= 4, commit.utf8.allSatisfy(Self.isHexadecimalOrHyphen) else { return [] }
        return try read { connection in
            try connection.statement(.summariesOfCommit).all(commit, "\(commit)~", limit, row: RunSummary.init)
        }
    }

    /// The commits that runs were made or judged for and whose hash begins with `start`, in order; more than one show that it is
    /// ambiguous.
    ///
    /// - Parameter start: At least four lower-case hexadecimal digits; anything else finds nothing.
    public func commits(beginning start: String, limit: Int) throws(StorageError) -> [String] {
        guard start.utf8.count >= 4, start.utf8.allSatisfy(Self.isHexadecimalOrHyphen) else { return [] }
        return try read { connection in
            try connection.statement(.commitsByPrefix).all(start, "\(start)~", limit) { $0.text(0) }
        }
    }

    /// What runs say of a commit, by its full hash, as it was judged, the newest first.
    public func verdicts(on commit: String, limit: Int) throws(StorageError) -> [RunSummary] {
        try read { connection in
            try connection.statement(.verdictsOfCommit).all(commit, limit, row: RunSummary.init)
        }
    }

    private static func isHexadecimalOrHyphen(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "-"): true
        default: false
        }
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
