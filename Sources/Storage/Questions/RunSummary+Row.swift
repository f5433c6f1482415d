import Gate
import RunModel

import struct Foundation.Date

extension Schema {
    /// The views that lists of runs are read from: each run as it was judged for itself, and all that was judged of each. They belong to the
    /// version of the tables.
    static let views = """
        CREATE VIEW run_summary AS
        SELECT
            run.id, run.identity, project.name AS project_name, run.package,
            run.commit_id, run.tree_id, run.branch, run.subject, run.is_dirty,
            run.started_at, run.duration, run.engine, run.decision, run.exit_status,
            run.passed, run.failed, run.crashed, run.timed_out, run.skipped, run.known_issue, run.not_run,
            run.lines_covered, run.lines_total, run.run_directory, run.is_partial,
            CASE exit_status WHEN 2 THEN
                (SELECT broken FROM verdict WHERE verdict.run = run.id AND is_own = 1)
            END AS broken,
            run.project, run.tail, run.is_exact, run.author, run.delivery, run.attempt, 1 AS is_own, run.is_of_branch,
            run.folder, run.began_at, run.made_commit,
            CASE WHEN run.failed > 0 THEN
                (SELECT allowed FROM verdict WHERE verdict.run = run.id AND is_own = 1)
            END AS allowed,
            run.recovered
        FROM run JOIN project ON project.id = run.project;

        CREATE VIEW state_summary AS
        SELECT
            run.id, run.identity, project.name AS project_name, run.package,
            nullif(verdict.commit_id, '') AS own_commit, run.tree_id, verdict.branch, verdict.subject, run.is_dirty,
            run.started_at, run.duration, run.engine, verdict.decision, verdict.exit_status,
            run.passed, run.failed, run.crashed, run.timed_out, run.skipped, run.known_issue, run.not_run,
            verdict.lines_covered, verdict.lines_total, run.run_directory, run.is_partial,
            CASE verdict.exit_status WHEN 2 THEN verdict.broken END AS broken,
            verdict.project, run.tail, verdict.is_exact, verdict.author, run.delivery,
            nullif(verdict.attempt, '') AS own_attempt, verdict.is_own,
            verdict.is_state, run.folder, run.began_at, run.made_commit, verdict.allowed, run.recovered, verdict.place,
            verdict.judged_at, verdict.id AS verdict, verdict.commit_id
        FROM verdict CROSS JOIN run ON run.id = verdict.run CROSS JOIN project ON project.id = verdict.project;
        """
}

/// The columns of the views `run_summary` and `state_summary`, in their order: reading a column by its number is what a page of
/// many rows can afford, and a test compares the names.
enum SummaryColumn: Int32, CaseIterable {
    case id, identity, projectName, package, commitId, treeId, branch, subject, isDirty, startedAt, duration, engine
    case decision, exitStatus, passed, failed, crashed, timedOut, skipped, knownIssue, notRun
    case linesCovered, linesTotal, runDirectory, isPartial, broken, project, tail, isExact, author, delivery, attempt
    case isOwn, isOfBranch, folder, beganAt, madeCommit, allowed, recovered

    /// Its name, which is that of the column of `run` where it is one.
    var name: String { "\(self)".map { $0.isUppercase ? "_\($0.lowercased())" : String($0) }.joined() }

    /// How each outcome is counted.
    static let outcomes: [(outcome: Outcome, column: SummaryColumn)] = [
        (.passed, .passed), (.failed, .failed), (.crashed, .crashed), (.timedOut, .timedOut), (.skipped, .skipped),
        (.knownIssue, .knownIssue), (.notRun, .notRun),
    ]
}

extension StatementRow {
    fileprivate func isNull(_ column: SummaryColumn) -> Bool { isNull(column.rawValue) }
    fileprivate func integer(_ column: SummaryColumn) -> Int64 { integer(column.rawValue) }
    fileprivate func int(_ column: SummaryColumn) -> Int { int(column.rawValue) }
    fileprivate func flag(_ column: SummaryColumn) -> Bool { flag(column.rawValue) }
    fileprivate func text(_ column: SummaryColumn) -> String { text(column.rawValue) }
    fileprivate func optionalText(_ column: SummaryColumn) -> String? { optionalText(column.rawValue) }

    fileprivate func value<Value: RawRepresentable<String>>(
        _ column: SummaryColumn, as type: Value.Type
    ) throws -> Value {
        try value(column.rawValue, as: type)
    }

    fileprivate func decoded<Value: Decodable>(_ column: SummaryColumn, as type: Value.Type) throws -> Value? {
        try optionalText(column).map { try StoredJSON.decode(type, from: $0) }
    }
}

extension StatementRow {
    /// Whether a row of the view `run_summary` is of a state that executed tests.
    var isTestedState: Bool {
        flag(.isOfBranch) && !flag(.isPartial)
            && SummaryColumn.outcomes.contains { $0.outcome.wasExecuted && int($0.column) > 0 }
    }

    /// Whether it is of a branch; of any when `nil`.
    func isOn(_ branch: Name?) -> Bool {
        guard let branch else { return true }
        return optionalText(.branch).map { Name($0) } == branch
    }
}

extension RunSummary {
    /// Reads a row of the view `run_summary` or `state_summary`.
    init(_ row: StatementRow) throws {
        guard let status = Int32(exactly: row.integer(.exitStatus)).flatMap(ExitStatus.init(rawValue:)) else {
            throw UnreadableContent("unknown exit status \(row.integer(.exitStatus))")
        }
        var outcomes = OutcomeTally()
        for (outcome, column) in SummaryColumn.outcomes { outcomes[outcome] = row.int(column) }
        self.init(
            try RunHead(row), decision: try row.value(.decision, as: Decision.self), exitStatus: status,
            outcomes: outcomes,
            lines: row.isNull(.linesTotal)
                ? nil : CoverageTally(covered: row.int(.linesCovered), total: row.int(.linesTotal)),
            runDirectory: row.optionalText(.runDirectory), isPartial: row.flag(.isPartial),
            broken: try row.decoded(.broken, as: [String: Int].self) ?? [:], allowedFailures: row.int(.allowed),
            delivery: try row.decoded(.delivery, as: DeliveryRecord.self))
        recovered = row.int(.recovered)
        isOfKnownTree = !row.flag(.isOwn)
        // What else the column says, revision and delivery say too.
        isCurrent = row.flag(.isExact) || !Trust(self.revision, delivery, isCurrent: true).speaksForBranch
    }
}

extension RunHead {
    fileprivate init(_ row: StatementRow) throws {
        self.init(
            id: try row.runID(SummaryColumn.identity.rawValue), project: row.text(.projectName),
            package: row.text(.package), revision: try Revision(row),
            startedAt: Date(nanosecondsSince1970: row.integer(.beganAt)),
            duration: .nanoseconds(row.integer(.duration)), engine: try row.value(.engine, as: Engine.self))
    }
}

extension Revision {
    fileprivate init?(_ row: StatementRow) throws {
        guard !row.isNull(.isDirty) else { return nil }
        self.init(
            commit: row.optionalText(.commitId), tree: row.optionalText(.treeId), folder: row.optionalText(.folder),
            branch: row.optionalText(.branch), subject: row.optionalText(.subject), author: row.optionalText(.author),
            isDirty: row.flag(.isDirty),
            attempt: row.isNull(.attempt) ? nil : try row.value(.attempt, as: Attempt.self))
        madeCommit = row.optionalText(.madeCommit)
    }
}

extension Connection {
    /// A run as a list shows it; `nil` when there is none of this id.
    func summary(of id: RunID) throws -> RunSummary? {
        try statement(.summary).first(id.description, row: RunSummary.init)
    }
}
