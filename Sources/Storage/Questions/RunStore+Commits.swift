public import Gate
import RunModel

extension RunStore {
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

    /// Whether a byte may be in the hash of a commit or the id of a run.
    static func isHexadecimalOrHyphen(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "-"): true
        default: false
        }
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
