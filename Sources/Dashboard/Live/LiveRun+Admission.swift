import Foundation
import RunModel

extension LiveRun {
    /// The longest name or sentence that is kept, in bytes.
    static let longestText = 1024
    /// The longest time that a run may have taken, or is expected to take, in seconds: a week.
    private static let longestTime = 7 * 86_400.0
    /// The highest count.
    private static let mostCounted = 100_000_000

    /// The same run as a machine may tell of it: no folder of this machine is read for it, texts are cut, and times and counts lie
    /// within what the pages can compute with.
    func admitted(at moment: Date) -> LiveRun {
        var run = LiveRun(
            runID: runID, project: project, revision: revision.map(Self.cut),
            startedAt: min(max(startedAt, moment.addingTimeInterval(-Self.longestTime)), moment), folder: "",
            isPartial: isPartial)
        run.expected = expected.flatMap { expected in
            let seconds = expected.duration / .seconds(1)
            return (1...Self.longestTime).contains(seconds) && (1...1000).contains(expected.runs) ? expected : nil
        }
        run.progress = progress
        let counts: [WritableKeyPath<LiveProgress, Int>] = [\.built, \.toBuild, \.discovered, \.ended, \.failed]
        for count in counts {
            run.progress[keyPath: count] = min(max(progress[keyPath: count], 0), Self.mostCounted)
        }
        run.progress.failures = progress.failures.prefix(LiveProgress.mostFailures).map(Self.cut)
        run.progress.running = progress.running.map(Self.cut)
        return run
    }

    private static func cut(_ revision: Revision) -> Revision {
        Revision(
            commit: revision.commit.map(cut), tree: revision.tree.map(cut), branch: revision.branch.map(cut),
            subject: revision.subject.map(cut), author: revision.author.map(cut), isDirty: revision.isDirty)
    }

    private static func cut(_ text: String) -> String { text.cut(toBytes: longestText) }
}
