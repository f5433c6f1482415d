import Gate
import Repository
import RunModel
import SettingsFile
import TestRunning

/// Finds out why tests of a run failed: by what is stored, by repeating them here, and by running them on the base's tree.
///
/// It is asked only where a test failed, within a budget, before the run directory is finished. Nothing is judged by what it
/// finds, unless the settings let failures pass that the base's stored run has, too.
package struct CauseFinder: Sendable {
    let process: ProcessContext
    let home: Home
    let repository: GitRepository
    /// Where the package lies below the top of the repository.
    let subpath: PackageSubpath
    let project: String
    /// The package's folder as it is tested, absolute, with links resolved.
    let root: String
    /// Whether the tested tree is checked out in a folder of Kanmon's own, as the base is.
    let isLaidOut: Bool
    /// How the run is made, and how long this may take.
    let settings: Settings
    /// What the run is compared with; `nil` if nobody looked for it.
    let baseline: Baseline?
    /// How the files of the package differ from the base, as git told it; `nil` if nobody compared them.
    let changes: [FileChange]?
    /// When whoever waits for the run does not wait any more; `nil` for never.
    var deadline: SuspendingClock.Instant?

    /// The shortest and the longest time that it takes by itself: in less, no base is built that has changed.
    private static let usual = (least: Duration.seconds(15), most: Duration.seconds(60))

    /// What was seen as a file for the run directory; none where nothing was looked for.
    func files(of failed: FailedRun) async -> [GivenFile] {
        // What is merged of shards has no causes, as nobody has seen all of its tests together.
        guard failed.run.selection.shard == nil else { return [] }
        let budget = budget(for: failed.run)
        let tests = tests(of: failed.run, within: budget)
        guard budget > .zero, !tests.isEmpty else { return [] }
        var search = CauseSearch(self, failed, tests, budget: budget)
        var seen = await search.observations()
        // Whoever ends the run does not wait for causes.
        guard !Task.isCancelled else { return [] }
        while true {
            if let file = try? KeptJSON.causes.givenFile(seen) { return [file] }
            // Beyond what is read back, the first ones are kept.
            guard seen.tests.count > 1 else { return [] }
            seen.tests.removeLast(seen.tests.count / 2)
        }
    }

    private func budget(for run: TestRun) -> Duration {
        let tests = run.steps.filter { $0.kind == .test }.reduce(Duration.zero) { $0 + $1.duration }
        let budget = settings.causesBudget.value ?? min(max(tests, Self.usual.least), Self.usual.most)
        // A moment is left to judge the run.
        return deadline.map { min(budget, $0 - SuspendingClock.now - .seconds(1)) } ?? budget
    }

    /// The tests to look at: one of each group that failed for one reason first, and what takes long last.
    ///
    /// One in quarantine is known to fail, and one that hung would hang again for longer than there is time.
    private func tests(of run: TestRun, within budget: Duration) -> [TestResult] {
        let known = Set(settings.policy.quarantine.map { Name($0.test) })
        let repeated = Set(FailureGroup.all(in: run).flatMap { $0.tests.dropFirst() })
        let failures = run.failures.filter { test in
            !known.contains(Name(test.id.description))
                && (test.outcome != .timedOut || settings.testTimeout.value * 3 <= budget)
        }
        func rank(_ test: TestResult) -> (Int, Duration) {
            (repeated.contains(test.id) ? 1 : 0, test.duration ?? .zero)
        }
        return Array(failures.sorted { rank($0) < rank($1) }.prefix(FailureObservations.most))
    }
}
