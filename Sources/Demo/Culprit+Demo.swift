import Foundation
public import Gate
public import RunModel

extension Culprit {
    /// What a search would have found that began with the newest of some runs: of the first test that fails in it, and passed in an earlier
    /// one. `nil` where there is none.
    ///
    /// - Parameter runs: Full runs of exact trees of one branch of a made-up history, the oldest first.
    public init?(searchingIn runs: [TestRun]) {
        guard let latest = runs.last, let test = latest.failures.first?.id, let bad = latest.revision?.commit,
            let last = runs.lastIndex(where: { run in
                run.tests.contains { $0.id == test && $0.outcome == .passed }
            }), let good = runs[last].revision?.commit
        else { return nil }
        // Each change of such a history has a run.
        let first = runs[last + 1]
        guard let revision = first.revision, let commit = revision.commit else { return nil }
        self.init(
            test: test, good: good, bad: bad,
            suspects: [
                Suspect(
                    commit: commit, subject: revision.subject ?? "", author: revision.author ?? "",
                    committedAt: first.startedAt.addingTimeInterval(-600))
            ],
            probability: 0.9993, runs: 9, builds: 4, duration: .seconds(125),
            foundAt: DemoHistory.now.addingTimeInterval(-3_600))
    }
}
