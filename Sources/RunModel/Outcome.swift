/// How a test case ended.
public enum Outcome: String, Sendable, Hashable, Codable, CaseIterable {
    /// It ran to its end without an issue that counts.
    case passed
    /// It ran to its end and recorded at least one issue that counts.
    case failed
    /// Its process ended while it was running: a signal, a trap, or `exit`.
    case crashed
    /// It was running when a time limit ended it.
    case timedOut = "timed-out"
    /// It was skipped or disabled, by its own word.
    case skipped
    /// It failed only in the ways it had announced.
    case knownIssue = "known-issue"
    /// It was discovered, but there is no sign that it ever ran.
    case notRun = "not-run"

    /// Whether a test with this outcome fails the run.
    public var isFailure: Bool {
        switch self {
        case .failed, .crashed, .timedOut: true
        case .passed, .skipped, .knownIssue, .notRun: false
        }
    }

    /// Whether the test's code really ran.
    public var wasExecuted: Bool {
        switch self {
        case .passed, .failed, .crashed, .timedOut, .knownIssue: true
        case .skipped, .notRun: false
        }
    }

    /// The sign shown beside the word, so that no meaning hangs on color alone.
    public var sign: String {
        switch self {
        case .passed: "✓"
        case .failed, .crashed, .timedOut: "✕"
        case .skipped: "–"
        case .knownIssue: "~"
        case .notRun: "?"
        }
    }

    /// The words a person reads.
    public var label: String {
        switch self {
        case .passed: "passed"
        case .failed: "failed"
        case .crashed: "crashed"
        case .timedOut: "timed out"
        case .skipped: "skipped"
        case .knownIssue: "known issue"
        case .notRun: "not run"
        }
    }
}

/// How many test cases ended in which way.
public struct OutcomeTally: Sendable, Hashable {
    private var counts: [Outcome: Int] = [:]

    /// An empty tally.
    public init() {}

    /// Counts the outcomes of the results given.
    public init(_ results: some Sequence<TestResult>) {
        // Most end as the one before, and a number beside is cheaper than a place in a table.
        var (last, count) = (Outcome.passed, 0)
        for result in results {
            let outcome = result.outcome
            if outcome != last {
                self[last] += count
                (last, count) = (outcome, 0)
            }
            count += 1
        }
        self[last] += count
    }

    /// How many ended with `outcome`.
    public subscript(outcome: Outcome) -> Int {
        get { counts[outcome, default: 0] }
        set { counts[outcome] = newValue == 0 ? nil : newValue }
    }

    /// All test cases.
    public var total: Int { counts.values.reduce(0, +) }
    /// Those that fail the run: failed, crashed, timed out.
    public var failures: Int { counts.reduce(0) { $0 + ($1.key.isFailure ? $1.value : 0) } }
    /// Those whose code really ran.
    public var executed: Int { counts.reduce(0) { $0 + ($1.key.wasExecuted ? $1.value : 0) } }
}
