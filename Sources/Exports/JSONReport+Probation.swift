import Gate
public import RunModel

extension JSONReport {
    /// New and changed tests that were repeated, and what came of it; also what `kanmon stress --json` prints.
    public struct ProbationRow: Sendable, Hashable, Encodable {
        struct Count: Hashable, Encodable {
            let way: String
            let passed: Int
            let failed: Int
            let crashed: Int
            let timedOut: Int
            let skipped: Int
            let notEnded: Int
        }

        struct FirstFailure: Hashable, Encodable {
            let way: String
            let repetition: Int
            let outcome: String
            let message: String
            let location: Location?
            let waiting: [String]
            let replay: String?
            let comesAgain: Bool
        }

        struct Test: Hashable, Encodable {
            let module: String
            let suite: String
            let name: String
            let reason: String?
            let uses: String?
            let repetitions: Int
            let failures: Int
            let narrowRepetitions: Int
            let narrowFailures: Int
            let failsInLessThanPermille: Int?
            let counts: [Count]
            let firstFailure: FirstFailure?
            let sentence: String

            init(_ entry: Probation.Entry, seed: UInt64, commit: String?) {
                module = entry.test.module
                suite = entry.test.suite
                name = entry.test.name
                reason = entry.reason?.code
                if case .uses(let name)? = entry.reason { uses = name } else { uses = nil }
                let (usual, narrow) = (entry.usual, entry.narrow)
                (repetitions, failures) = (usual.executions, usual.failures)
                (narrowRepetitions, narrowFailures) = (narrow.executions, narrow.failures)
                failsInLessThanPermille =
                    usual.executions > 0
                    ? FailureBound.permille(failures: usual.failures, of: usual.executions) : nil
                counts = entry.counts.map { count in
                    Count(
                        way: count.way.rawValue, passed: count.tally.passed, failed: count.tally.failed,
                        crashed: count.tally.crashed, timedOut: count.tally.timedOut, skipped: count.tally.skipped,
                        notEnded: count.tally.unended)
                }
                firstFailure = entry.firstFailure.map { failure in
                    let issue = failure.sample.issues.first
                    return FirstFailure(
                        way: failure.way.rawValue, repetition: failure.repetition,
                        outcome: failure.sample.outcome.rawValue, message: issue?.message ?? "",
                        location: issue?.location.map { Location($0) }, waiting: failure.waiting.map(\.description),
                        replay: entry.replay(seed: seed, commit: commit), comesAgain: entry.comesAgain)
                }
                sentence = entry.sentence(seed: seed)
            }
        }

        let runs: Int
        let budgetNanoseconds: Int64
        let seed: UInt64
        let complete: Bool
        let unlisted: Int
        let obstacle: String?
        let tests: [Test]

        /// Makes the row of a probation.
        ///
        /// - Parameter commit: What `kanmon stress --commit` takes to repeat the tests; `nil` for the working copy.
        public init(_ probation: Probation, commit: String?) {
            runs = probation.runs
            budgetNanoseconds = probation.budget.nanosecondCount
            seed = probation.seed
            complete = !probation.isCutShort && probation.unlisted == 0 && probation.obstacle == nil
            unlisted = probation.unlisted
            obstacle = probation.obstacle
            tests = probation.entries.map { Test($0, seed: probation.seed, commit: commit) }
        }
    }
}

extension Probation.Reason {
    /// A word for programs: `new`, `changed`, `uses`, `file`.
    fileprivate var code: String {
        switch self {
        case .new: "new"
        case .changed: "changed"
        case .uses: "uses"
        case .file: "file"
        }
    }
}
