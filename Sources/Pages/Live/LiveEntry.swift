public import Foundation
public import RunModel

/// A run under way.
public struct LiveEntry: Sendable, Hashable {
    /// Whether it still runs.
    public enum Standing: String, Sendable, Hashable {
        /// Its process lives.
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
    /// Whether only a part of the tests was asked for.
    public var isPartial: Bool
    /// Whether it still runs.
    public var standing: Standing
    /// The step that began last.
    public var step: RunStep.Kind?
    /// How much is built, by the build's own count.
    public var built = 0
    /// Of how much.
    public var toBuild = 0
    /// How many tests were found.
    public var discovered = 0
    /// How many came to an end.
    public var ended = 0
    /// How many failed.
    public var failed = 0
    /// The names of those that failed first.
    public var failures: [String] = []
    /// The name of a test that is running.
    public var running: String?
    /// How long it will take; `nil` when nobody knows, or when this is no whole run.
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

    /// How many seconds are left; less than none when it takes longer than runs did, `nil` when nobody knows.
    public func left(at now: Date) -> Int? {
        guard standing == .running else { return nil }
        return expected.map { Int($0.duration.components.seconds) - elapsed(at: now) }
    }

    /// How far it is, in thousandths: by the time that runs take, else by what the step is made of.
    func permille(at now: Date) -> Int {
        if let seconds = expected?.duration.components.seconds, seconds > 0 {
            return min(990, elapsed(at: now) * 1000 / Int(seconds))
        }
        let (done, total) = step == .build ? (built, toBuild) : step == .test ? (ended, discovered) : (0, 0)
        return total > 0 ? min(990, done * 1000 / total) : 0
    }
}
