public import Foundation
public import Gate
public import RunModel

/// One run as a list shows it.
public struct RunListEntry: Sendable, Hashable {
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
    /// From its beginning to its end.
    public var duration: Duration
    /// How it was judged.
    public var decision: Decision
    /// The exit status that told the verdict.
    public var exitStatus: ExitStatus
    /// How many tests ended in which way.
    public var outcomes: OutcomeTally
    /// Lines covered of all; `nil` when no coverage was recorded.
    public var lines: CoverageTally?

    /// Makes an entry from its parts.
    public init(
        id: RunID,
        project: String,
        package: String,
        revision: Revision?,
        startedAt: Date,
        duration: Duration,
        decision: Decision,
        exitStatus: ExitStatus,
        outcomes: OutcomeTally,
        lines: CoverageTally?
    ) {
        self.id = id
        self.project = project
        self.package = package
        self.revision = revision
        self.startedAt = startedAt
        self.duration = duration
        self.decision = decision
        self.exitStatus = exitStatus
        self.outcomes = outcomes
        self.lines = lines
    }

    /// A run as a list shows it.
    public init(_ run: TestRun, _ verdict: Verdict) {
        self.init(
            id: run.id, project: run.project, package: run.package, revision: run.revision, startedAt: run.startedAt,
            duration: run.duration, decision: verdict.decision, exitStatus: verdict.exitStatus, outcomes: run.outcomes,
            lines: run.coverage.map { $0.files.reduce(CoverageTally()) { $0 + $1.lineTally } }
        )
    }
}

/// One project and how many runs of it are stored.
public struct ProjectListEntry: Sendable, Hashable {
    /// The project.
    public var name: String
    /// How many runs are stored.
    public var runs: Int

    /// Makes an entry from its parts.
    public init(name: String, runs: Int) {
        self.name = name
        self.runs = runs
    }
}
