public import Foundation
public import Gate
public import RunModel
import Wording

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
    /// Whether it was asked to run only some of the tests.
    public var isPartial: Bool
    /// Which rules it breaks, each with how often; needed where all tests passed and the gate blocked.
    public var broken: [Violation.Kind: Int]

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
        lines: CoverageTally?,
        isPartial: Bool = false,
        broken: [Violation.Kind: Int] = [:]
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
        self.isPartial = isPartial
        self.broken = broken
    }

    /// A run as a list shows it.
    public init(_ run: TestRun, _ verdict: Verdict) {
        self.init(
            id: run.id, project: run.project, package: run.package, revision: run.revision, startedAt: run.startedAt,
            duration: run.duration, decision: verdict.decision, exitStatus: verdict.exitStatus, outcomes: run.outcomes,
            lines: run.coverage.map { $0.files.reduce(CoverageTally()) { $0 + $1.lineTally } },
            isPartial: run.isPartial, broken: verdict.violations.reduce(into: [:]) { $0[$1.kind, default: 0] += 1 }
        )
    }
}

extension RunListEntry {
    /// The verdict in two or three words; a run of a part of the tests says that it is one.
    var verdictWords: String {
        let words =
            switch exitStatus {
            case .passed: "Passed"
            case .testsFailed: Figures.counted(outcomes.failures, "test") + " failed"
            case .gateFailed: brokenWords
            case .buildFailed: "Build failed"
            case .undecided: "Undecided"
            case .noTests: "No tests ran"
            case .usage, .badInput, .internalError, .ioError, .badConfiguration: decision.word
            }
        return isPartial ? words + ", part" : words
    }

    /// What the gate blocked for: `2 floors missed`, `Patch under its floor, 1 flaky test`.
    private var brokenWords: String {
        let parts = Violation.Kind.allCases.compactMap { kind in broken[kind].map { kind.words($0) } }
        return parts.isEmpty ? "Blocked by the gate" : parts.joined(separator: ", ")
    }
}

extension Violation.Kind {
    /// So many violations of this kind, in as few words as a list has room for.
    fileprivate func words(_ number: Int) -> String {
        switch self {
        case .buildFailed: "Build failed"
        case .testFailed: Figures.counted(number, "test") + " failed"
        case .floorMissed: Figures.counted(number, "floor") + " missed"
        case .patch: "Patch under its floor"
        case .project: "Project under its floor"
        case .drop: "Project fell"
        case .file: Figures.counted(number, "file") + " under \(number == 1 ? "its floor" : "their floors")"
        case .tooFewTests: "Too few tests"
        case .testFlaky: Figures.counted(number, "flaky test")
        case .quarantineBroken: "Quarantine broken"
        case .budgetExceeded: Figures.counted(number, "test") + " over budget"
        case .gateChange: "Bar lowered"
        }
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
