public import Foundation
public import RunModel

/// A run in progress.
public struct LiveEntry: Sendable, Hashable {
    /// The state of its process.
    public enum Standing: String, Sendable, Hashable {
        /// Its process exists.
        case running
        /// Its evidence is complete, and it is being judged.
        case judging
        /// Its process is gone, and it left no evidence.
        case gone
    }

    /// The run.
    public var id: RunID
    /// The project.
    public var project: String
    /// What is tested; `nil` outside of git.
    public var revision: Revision?
    /// When it began.
    public var startedAt: Date
    /// Whether it is a partial run.
    public var isPartial: Bool
    /// The state of its process.
    public var standing: Standing
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
    /// How many tests failed.
    public var failed = 0
    /// The names of the first failed tests.
    public var failures: [String] = []
    /// The name of a test that is running.
    public var running: String?
    /// How long it will take; `nil` if unknown, or for a partial run.
    public var expected: ExpectedTime?

    /// Makes an entry of a run that has not begun a step.
    public init(
        id: RunID, project: String, revision: Revision?, startedAt: Date, isPartial: Bool, standing: Standing
    ) {
        self.id = id
        self.project = project
        self.revision = revision
        self.startedAt = startedAt
        self.isPartial = isPartial
        self.standing = standing
    }

    /// How long it has been running, in seconds.
    public func elapsed(at now: Date) -> Int {
        max(0, Int(exactly: now.timeIntervalSince(startedAt).rounded(.down)) ?? 0)
    }

    /// How many seconds are left; negative if it takes longer than earlier runs, `nil` if unknown.
    public func left(at now: Date) -> Int? {
        guard standing == .running else { return nil }
        return expected.map { Int($0.duration.components.seconds) - elapsed(at: now) }
    }

    /// The progress in thousandths: by the expected time, else by the counts of the step.
    func permille(at now: Date) -> Int {
        if let seconds = expected?.duration.components.seconds, seconds > 0 {
            return min(990, elapsed(at: now) * 1000 / Int(seconds))
        }
        let (done, total) = step == .build ? (built, toBuild) : step == .test ? (ended, discovered) : (0, 0)
        return total > 0 ? min(990, done * 1000 / total) : 0
    }
}
