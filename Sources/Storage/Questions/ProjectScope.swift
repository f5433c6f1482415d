public import Gate
public import RunModel

/// The projects that a question is about. Projects that a reader may not see are left out of the question, not of its answer, so that
/// neither the time nor the size of the answer reveals them.
public enum ProjectScope: Sendable, Hashable {
    /// Every project.
    case all
    /// The projects of these names; a name that no project has adds none.
    case named([String])
}

extension Connection {
    /// The rows of the projects.
    func projects(in scope: ProjectScope) throws -> [Int64] {
        switch scope {
        case .all: try statement(.projects).all { $0.integer(0) }
        case .named(let names): try names.compactMap { try project($0) }
        }
    }

    /// Rows in the form in which a statement takes many of them: a JSON array.
    static func list(_ rows: [Int64]) -> String { "[\(rows.map(String.init).joined(separator: ","))]" }
}

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

    /// Runs of the commit whose hash begins with `commit`: the trusted before others, then full runs before partial ones, then the
    /// newest first.
    ///
    /// - Parameter commit: At least four lower-case hexadecimal digits; anything else finds nothing.
    public func runs(
        commit: String, in scope: ProjectScope = .all, limit: Int
    ) throws(StorageError) -> [RunSummary] {
        try runs(.summariesOfCommit, commit, in: scope, limit)
    }

    private func runs(
        _ query: SearchQuery, _ commit: String, in scope: ProjectScope, _ limit: Int
    ) throws(StorageError) -> [RunSummary] {
        guard commit.utf8.count >= 4, commit.utf8.allSatisfy(Self.isHexadecimalOrHyphen) else { return [] }
        return try read { connection in
            let found = try connection.projects(in: scope).flatMap { project in
                try connection.statement(query)
                    .all(commit, "\(commit)~", project, limit, row: RunSummary.init)
            }
            return Array(found.sorted { $0.answers(before: $1) }.prefix(limit))
        }
    }

    /// Runs of staged files from which a commit was made whose hash begins with `commit`, in the order of `runs(commit:)`.
    ///
    /// - Parameter commit: At least four lower-case hexadecimal digits; anything else finds nothing.
    public func runs(
        stagedForCommit commit: String, in scope: ProjectScope = .all, limit: Int
    ) throws(StorageError) -> [RunSummary] {
        try runs(.summariesOfMadeCommit, commit, in: scope, limit)
    }

    /// The commits of runs and verdicts whose hash begins with `start`, in order; more than one shows that it is ambiguous. Commits of
    /// trusted runs come first: only if there are none do those of a person's machine count.
    ///
    /// - Parameter start: At least four lower-case hexadecimal digits; anything else finds nothing.
    public func commits(
        beginning start: String, in scope: ProjectScope = .all, limit: Int
    ) throws(StorageError) -> [String] {
        guard start.utf8.count >= 4, start.utf8.allSatisfy(Self.isHexadecimalOrHyphen) else { return [] }
        return try read { connection in
            for query in [SearchQuery.trustedCommitsByPrefix, .commitsByPrefix] {
                let names = try connection.projects(in: scope).flatMap { project in
                    try connection.statement(query).all(start, "\(start)~", limit, project) { $0.text(0) }
                }
                if !names.isEmpty { return Array(Set(names).sorted().prefix(limit)) }
            }
            return []
        }
    }

    /// The verdicts of runs on a commit, by its full hash: those of runs that answer for their tree before all others, each by project
    /// and the newest first.
    public func verdicts(
        on commit: String, in scope: ProjectScope = .all, limit: Int
    ) throws(StorageError) -> [RunSummary] {
        try read { connection in
            var found: [RunSummary] = []
            for query in [StateQuery.trustedVerdictsOfCommit, .otherVerdictsOfCommit] {
                for project in try connection.projects(in: scope) where found.count < limit {
                    found += try connection.statement(query)
                        .all(commit, project, limit - found.count, row: RunSummary.init)
                }
            }
            return found
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
    fileprivate func summary(ofProject id: Int64, name: String) throws -> ProjectSummary {
        ProjectSummary(
            name: name, runs: try statement(.runCount).first(id) { $0.int(0) } ?? 0,
            latest: try statement(.summariesOfProject).first(id, 1, row: RunSummary.init))
    }
}

extension RunSummary {
    /// Whether it answers for its commit rather than another run: the trusted before the untrusted, the whole before the partial.
    fileprivate func answers(before other: RunSummary) -> Bool {
        if isExact != other.isExact { return isExact }
        if isPartial != other.isPartial { return other.isPartial }
        return (self.startedAt, self.id) > (other.startedAt, other.id)
    }
}
