public import struct Foundation.Date

/// A run in progress, as its runner reports it. It is only shown; no verdict depends on it.
public struct LiveRun: Sendable, Hashable, Codable {
    /// The identity of the run.
    public var runID: RunID
    /// What the identity was made from, which proves to a server that the run is the sender's own; `nil` once that is known.
    public var seed: String?
    /// The project.
    public var project: String
    /// What is tested; `nil` outside of git.
    public var revision: Revision?
    /// When it began.
    public var startedAt: Date
    /// The folder of the evidence, which is renamed when it is complete; empty for a run of another machine.
    public var folder: String
    /// Whether it is a partial run.
    public var isPartial: Bool
    /// How long it will take; `nil` if unknown.
    public var expected: ExpectedTime?
    /// Its progress.
    public var progress = LiveProgress()

    /// Makes a run that has not begun a step.
    public init(
        runID: RunID, project: String, revision: Revision?, startedAt: Date, folder: String, isPartial: Bool
    ) {
        self.runID = runID
        self.project = project
        self.revision = revision
        self.startedAt = startedAt
        self.folder = folder
        self.isPartial = isPartial
    }
}

/// The progress of a run.
public struct LiveProgress: Sendable, Hashable, Codable {
    /// How many names of failed tests are kept.
    public static let mostFailures = 50

    /// The step that began last.
    public var step: RunStep.Kind?
    /// How many steps of the build are done, according to the build.
    public var built = 0
    /// How many steps the build has.
    public var toBuild = 0
    /// How many tests were found.
    public var discovered = 0
    /// How many tests have ended.
    public var ended = 0
    /// How many failed, in any attempt.
    public var failed = 0
    /// The names of those that failed first; untrusted text.
    public var failures: [String] = []
    /// The name of a test that is running; untrusted text.
    public var running: String?

    /// Nothing yet.
    public init() {}
}

/// A run under way, and whether it still is.
public struct LiveEntry: Sendable, Hashable {
    /// What the progress file of a run says of it.
    public enum LiveStatus: String, Sendable, Hashable {
        /// Its process holds its folder.
        case running
        /// Its evidence is complete, and it is being judged and stored.
        case judging
        /// Its process is gone, and it left no evidence.
        case gone
    }

    /// The run.
    public var run: LiveRun
    /// Whether it still runs.
    public var status: LiveStatus
    /// The machine that reports it; `nil` for a run of this machine.
    public var sender: LiveSender?

    package init(_ run: LiveRun, _ status: LiveStatus, from sender: LiveSender? = nil) {
        (self.run, self.status, self.sender) = (run, status, sender)
    }
}

/// Another machine that reports the progress of its run to a server.
public struct LiveSender: Sendable, Hashable {
    /// The name of the token that it uses.
    public var token: String
    /// The name of the machine, as it says of itself; `nil` if it has none.
    public var machine: String?

    package init(token: String, machine: String?) { (self.token, self.machine) = (token, machine) }
}
