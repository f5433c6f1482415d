/// How a test case ended.
public enum Outcome: String, Sendable, Hashable, Codable, CaseIterable {
    /// It completed without an issue that counts.
    case passed
    /// It completed and recorded at least one issue that counts.
    case failed
    /// Its process ended while it was running: a signal, a trap, or `exit`.
    case crashed
    /// It was running when a time limit ended it.
    case timedOut = "timed-out"
    /// It was skipped or disabled by its own code.
    case skipped
    /// It failed only with issues that it announced.
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

    /// A fixed number below eight, for the store.
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

    /// The sign shown with the word, so that no meaning depends on color alone.
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

/// The number of test cases with each outcome.
public struct OutcomeTally: Sendable, Hashable {
    // Indexed by the number of the outcome; SIMD, because a page makes a tally for every suite.
    private var counts = SIMD8<Int>()

    /// An empty tally.
    public init() {}

    /// Counts the outcomes of results.
    public init(_ results: some Sequence<TestResult>) {
        for result in results { self[result.outcome] += 1 }
    }

    /// Counts outcomes.
    public init(_ outcomes: ArraySlice<Outcome>) {
        for outcome in outcomes { self[outcome] += 1 }
    }

    /// Counts outcomes.
    public init(_ outcomes: [Outcome]) { self.init(outcomes[...]) }

    /// The number of tests with this outcome.
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
