public import Gate
public import RunModel

public import struct Foundation.Date

/// A run as a list shows it, read from a single row.
public struct RunSummary: Sendable, Hashable {
    /// The identity of the run.
    public var id: RunID
    /// The project it belongs to.
    public var project: String
    /// The name of the package.
    public var package: String
    /// What was tested; `nil` outside of git.
    public var revision: Revision?
    /// When it began.
    public var startedAt: Date
    /// From its beginning to the end of its last step.
    public var duration: Duration
    /// How the tests were started.
    public var engine: Engine
    /// What the gate said.
    public var decision: Decision
    /// The exit status that told it.
    public var exitStatus: ExitStatus
    /// How many test cases ended in which way.
    public var outcomes: OutcomeTally
    /// Distinct lines of all measured modules, as they were judged; `nil` without coverage.
    public var lines: CoverageTally?
    /// Where the evidence was when the run was stored.
    public var runDirectory: String?
    /// Whether it was asked to run only some of the tests.
    public var isPartial: Bool
}

/// A project and its latest run.
public struct ProjectSummary: Sendable, Hashable {
    /// The name of the project.
    public var name: String
    /// How many runs of it are stored.
    public var runs: Int
    /// The run that began last; `nil` when none is left.
    public var latest: RunSummary?
}

extension RunSummary {
    /// Reads a row of the view `run_summary`.
    init(_ row: StatementRow) throws {
        id = try row.runID(1)
        project = row.text(2)
        package = row.text(3)
        revision =
            row.isNull(8)
            ? nil
            : Revision(
                commit: row.optionalText(4), tree: row.optionalText(5), branch: row.optionalText(6),
                subject: row.optionalText(7), isDirty: row.flag(8)
            )
        startedAt = Date(nanosecondsSince1970: row.integer(9))
        duration = .nanoseconds(row.integer(10))
        engine = try row.value(11, as: Engine.self)
        decision = try row.value(12, as: Decision.self)
        guard let status = Int32(exactly: row.integer(13)).flatMap(ExitStatus.init(rawValue:)) else {
            throw UnreadableContent("unknown exit status \(row.integer(13))")
        }
        exitStatus = status
        outcomes = OutcomeTally()
        let columns: [(Outcome, Int32)] = [
            (.passed, 14), (.failed, 15), (.crashed, 16), (.timedOut, 17), (.skipped, 18), (.knownIssue, 19),
            (.notRun, 20),
        ]
        for (outcome, column) in columns { outcomes[outcome] = row.int(column) }
        lines = row.isNull(22) ? nil : CoverageTally(covered: row.int(21), total: row.int(22))
        runDirectory = row.optionalText(23)
        isPartial = row.flag(24)
    }
}
