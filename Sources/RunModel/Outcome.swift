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

    /// A number of its own below eight, which stores keep and which never changes.
    public var number: Int {
        switch self {
        case .passed: 0
        case .failed: 1
        case .crashed: 2
        case .timedOut: 3
        case .skipped: 4
        case .knownIssue: 5
        case .notRun: 6
        }
    }

    /// The sign shown beside the word, so that no meaning depends on color alone.
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
    // One for each outcome, by its number; a page makes a tally for every suite.
    private var counts = SIMD8<Int>()

    /// An empty tally.
    public init() {}

    /// Counts the outcomes of the results given.
    public init(_ results: some Sequence<TestResult>) {
        for result in results { self[result.outcome] += 1 }
    }

    /// Counts the outcomes given.
    public init(_ outcomes: ArraySlice<Outcome>) {
        for outcome in outcomes { self[outcome] += 1 }
    }

    /// Counts the outcomes given.
    public init(_ outcomes: [Outcome]) { self.init(outcomes[...]) }

    /// How many ended with `outcome`.
    public subscript(outcome: Outcome) -> Int {
        get { counts[outcome.number] }
        set { counts[outcome.number] = newValue }
    }

    /// All test cases.
    public var total: Int { counts.wrappedSum() }
    /// Those that fail the run: failed, crashed, timed out.
    public var failures: Int { count(\.isFailure) }
    /// Those whose code really ran.
    public var executed: Int { count(\.wasExecuted) }

    private func count(_ isCounted: (Outcome) -> Bool) -> Int {
        Outcome.allCases.reduce(0) { $0 + (isCounted($1) ? self[$1] : 0) }
    }
}
