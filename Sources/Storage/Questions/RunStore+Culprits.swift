public import Gate
public import RunModel

/// How a test ended in a stored run of a tree.
public struct TreeExecution: Sendable, Hashable {
    /// The tree, full hexadecimal.
    public var tree: String
    /// How the test ended.
    public var outcome: Outcome
    /// Whether it failed before it passed.
    public var hasRecovered: Bool
    /// What the run depended on besides the tree; `nil` if unknown.
    public var inputs: RunInputs?
}

/// What a search has found in a project.
public struct ProjectCulprit: Sendable, Hashable {
    /// What was found.
    public var culprit: Culprit
    /// The name of the project.
    public var project: String

    package init(_ culprit: Culprit, project: String) { (self.culprit, self.project) = (culprit, project) }
}

extension RunStore {
    /// How many answers of searches are looked at for one test.
    static let mostCulpritsOfTest = 20
    /// How many are kept for a project; beyond that the oldest are forgotten.
    static let mostCulprits = 1_000

    /// Keeps what searches have found. An answer replaces that of an earlier search for the same test between the same commits. All is on
    /// disk when this returns.
    ///
    /// - Parameter found: The oldest first.
    public func add(_ found: [ProjectCulprit]) throws(StorageError) {
        guard !found.isEmpty else { return }
        try write { connection in
            for entry in found { try connection.add(entry.culprit, project: entry.project) }
            for project in Set(found.map { Name($0.project) }) {
                try connection.statement(
                    """
                    DELETE FROM culprit WHERE id IN (
                        SELECT id FROM culprit WHERE project = ?1 ORDER BY found_at DESC, id DESC LIMIT -1 OFFSET ?2
                    )
                    """
                ).execute(Bytes(project.text), Self.mostCulprits)
            }
        }
    }

    /// What searches have found in a project, the newest first, also where they could name no commit.
    public func culprits(project: String, limit: Int) throws(StorageError) -> [Culprit] {
        try read { connection in
            try connection.statement(.culprits).all(Bytes(project), limit, row: Connection.readCulprit)
        }
    }

    /// The answers of searches that name a commit, the newest first; none for an empty name.
    public func culprits(commit: String, project: String, limit: Int) throws(StorageError) -> [Culprit] {
        // Where no single commit is named, none is stored either.
        guard !commit.isEmpty else { return [] }
        return try read { connection in
            try connection.statement(.culpritsOfCommit).all(Bytes(project), commit, limit, row: Connection.readCulprit)
        }
    }

    /// How a test ended in the latest full runs of exact trees, the newest first; runs that did not execute it are left out.
    ///
    /// - Parameter runs: How many runs are looked at.
    public func executions(
        of test: TestID, project: String, runs: Int
    ) throws(StorageError) -> [TreeExecution] {
        try read { connection in
            guard let project = try connection.project(project), let row = try connection.row(of: test, in: project)
            else { return [] }
            let found = try connection.statement(.runsOfTrees).all(project, runs) { row in
                (row: row.integer(0), tree: row.text(1), inputs: row.optionalInteger(2))
            }
            let reading = ResultReading(connection)
            var inputs: [Int64: RunInputs] = [:]
            return try found.compactMap { run in
                guard let ending = try reading.endings(of: [row], in: run.row)[0] else { return nil }
                let result = try PackedResult(ending.byte)
                guard result.outcome.wasExecuted else { return nil }
                if let content = run.inputs, inputs[content] == nil {
                    inputs[content] = try connection.decoded(RunInputs.self, from: content)
                }
                return TreeExecution(
                    tree: run.tree, outcome: result.outcome,
                    hasRecovered: !result.outcome.isFailure && result.attempts == .listed,
                    inputs: run.inputs.flatMap { inputs[$0] })
            }
        }
    }
}

extension Connection {
    fileprivate func add(_ culprit: Culprit, project: String) throws {
        try statement(
            """
            INSERT OR REPLACE INTO culprit (project, test, good, bad, commit_id, found_at, body)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
            """
        ).execute(
            Bytes(project), Bytes(culprit.test.description), culprit.good, culprit.bad,
            culprit.commit?.commit ?? "", culprit.foundAt.nanosecondsSince1970 ?? 0, try StoredJSON.encode(culprit))
    }

    /// A search's answer in the first column.
    static func readCulprit(_ row: StatementRow) throws -> Culprit {
        try StoredJSON.decode(Culprit.self, from: row.text(0))
    }

    /// What searches have found of a test, the newest first.
    func culprits(of test: TestID, project: String) throws -> [Culprit] {
        try statement(.culpritsOfTest).all(
            Bytes(project), Bytes(test.description), RunStore.mostCulpritsOfTest, row: Self.readCulprit)
    }
}
