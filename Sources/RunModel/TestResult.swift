/// Which library ran a test case.
public enum TestingLibrary: String, Sendable, Hashable, Codable, CaseIterable {
    /// XCTest.
    case xctest
    /// Swift Testing.
    case swiftTesting = "swift-testing"
    /// A runner of another kind; its report was ingested.
    case foreign
}

/// One thing a test recorded: an expectation that failed, an error thrown, a known issue, a warning, that it cancels itself.
public struct Issue: Sendable, Hashable, Codable {
    /// The message as recorded; untrusted text.
    public var message: String
    /// Where, if the library said so.
    public var location: SourceLocation?
    /// Whether the test announced it (`withKnownIssue`, `XCTExpectFailure`).
    public var isKnown: Bool
    /// Whether it is only a warning, which fails nothing.
    public var isWarning: Bool
    /// Whether it says why the test cancelled itself for an argument, which fails nothing and passes nothing.
    public var isCancellation: Bool
    /// The argument of a parameterized test for which it was recorded.
    public var argument: String?

    /// Makes an issue from its parts.
    public init(
        message: String,
        location: SourceLocation? = nil,
        isKnown: Bool = false,
        isWarning: Bool = false,
        isCancellation: Bool = false,
        argument: String? = nil
    ) {
        self.message = message
        self.location = location
        self.isKnown = isKnown
        self.isWarning = isWarning
        self.isCancellation = isCancellation
        self.argument = argument
    }

    /// Whether it fails the test.
    public var isFailure: Bool { !isKnown && !isWarning && !isCancellation }
}

/// One execution of a test case within a run.
public struct TestAttempt: Sendable, Hashable, Codable {
    /// How this execution ended.
    public var outcome: Outcome
    /// How long it took; `nil` if no source says.
    public var duration: Duration?
    /// What it recorded, in the order of recording.
    public var issues: [Issue]
    /// What it printed, where it ran alone; untrusted text, kept head and tail.
    public var output: String?

    /// Makes an attempt from its parts.
    public init(outcome: Outcome, duration: Duration? = nil, issues: [Issue] = [], output: String? = nil) {
        self.outcome = outcome
        self.duration = duration
        self.issues = issues
        self.output = output
    }
}

/// The result of one test case in one run.
public struct TestResult: Sendable, Hashable, Codable {
    /// Which test case.
    public var id: TestID
    /// Which library ran it.
    public var library: TestingLibrary
    /// The name given for readers (`@Test("…")`), where there is one.
    public var displayName: String?
    /// The names given for readers to its suites (`@Suite("…")`), joined by `/`: a suite without one has its own; `nil`
    /// where none of them has one.
    public var suiteDisplayName: String?
    /// Its tags and those of its suites (`.tags(.slow)`), as Swift Testing writes them: `.slow`; untrusted text.
    public var tags: [String]
    /// Where the test is declared, where known.
    public var location: SourceLocation?
    /// The arguments of a parameterized test, in order; empty otherwise.
    public var arguments: [String]
    /// Every execution in order; empty when the test did not run or was skipped before it began.
    public var attempts: [TestAttempt]
    /// How the test ended, all attempts considered.
    public var outcome: Outcome
    /// Why it was skipped, where it said so.
    public var skipReason: String?
    /// The files that it attached, over all attempts, ordered by name.
    public var attachments: [TestAttachment]

    /// Makes a result from its parts.
    public init(
        id: TestID,
        library: TestingLibrary,
        outcome: Outcome,
        displayName: String? = nil,
        suiteDisplayName: String? = nil,
        tags: [String] = [],
        location: SourceLocation? = nil,
        arguments: [String] = [],
        attempts: [TestAttempt] = [],
        skipReason: String? = nil,
        attachments: [TestAttachment] = []
    ) {
        self.id = id
        self.library = library
        self.outcome = outcome
        self.displayName = displayName
        self.suiteDisplayName = suiteDisplayName
        self.tags = tags
        self.location = location
        self.arguments = arguments
        self.attempts = attempts
        self.skipReason = skipReason
        self.attachments = attachments
    }

    /// Whether it failed and then did not, on the same tree.
    public var isFlaky: Bool {
        outcome.wasExecuted && !outcome.isFailure && attempts.contains { $0.outcome.isFailure }
    }

    /// The duration of the last attempt.
    public var duration: Duration? { attempts.last?.duration }
    /// The issues of the last attempt that ended as the test did: a retry that skipped itself hides no failure.
    public var issues: [Issue] { (attempts.last { $0.outcome == outcome } ?? attempts.last)?.issues ?? [] }
    /// The arguments for which it cancelled itself in its last attempt, with its reasons: `2 (not supported)`; `nil` for none.
    public var wordsOnCancelledArguments: String? {
        let words = (attempts.last?.issues ?? []).filter(\.isCancellation).map { issue in
            let argument = issue.argument ?? "an argument"
            return issue.message.isEmpty ? argument : "\(argument) (\(issue.message))"
        }
        return words.isEmpty ? nil : "cancelled for " + words.joined(separator: ", ")
    }
    /// The first issue that fails the test, the one worth showing first.
    public var firstFailure: Issue? { issues.first(where: \.isFailure) }
}

extension [TestResult] {
    /// The sum of the durations of the last attempts.
    public var totalDuration: Duration {
        var total = Duration.zero
        for result in self { total += result.duration ?? .zero }
        return total
    }
}

/// A warning and the test that recorded it.
public struct TestWarning: Sendable, Hashable {
    /// The test.
    public var test: TestID
    /// The warning.
    public var issue: Issue
}
