/// How often a test ended in which way while it was repeated.
public struct TrialTally: Sendable, Hashable, Codable {
    /// It passed, or failed only as it announced.
    public var passed: Int
    /// It recorded a failure.
    public var failed: Int
    /// Its process ended while it was running.
    public var crashed: Int
    /// A time limit for tests ended it.
    public var timedOut: Int
    /// It was skipped or disabled by its own code.
    public var skipped: Int
    /// Its process ended, by the doing of another test or before it began, and nothing is known of it.
    public var unended: Int

    /// Makes a tally from its parts; without arguments an empty one.
    public init(
        passed: Int = 0, failed: Int = 0, crashed: Int = 0, timedOut: Int = 0, skipped: Int = 0, unended: Int = 0
    ) {
        (self.passed, self.failed, self.crashed) = (passed, failed, crashed)
        (self.timedOut, self.skipped, self.unended) = (timedOut, skipped, unended)
    }

    /// How often it failed in any way.
    public var failures: Int { failed + crashed + timedOut }
    /// How often it passed or failed: what can be counted on.
    public var executions: Int { passed + failures }

    /// Adds one execution.
    public mutating func count(_ outcome: Outcome) {
        switch outcome {
        case .passed, .knownIssue: passed += 1
        case .failed: failed += 1
        case .crashed: crashed += 1
        case .timedOut: timedOut += 1
        case .skipped: skipped += 1
        case .notRun: unended += 1
        }
    }

    /// Both tallies in one.
    public static func + (left: TrialTally, right: TrialTally) -> TrialTally {
        TrialTally(
            passed: left.passed + right.passed, failed: left.failed + right.failed,
            crashed: left.crashed + right.crashed, timedOut: left.timedOut + right.timedOut,
            skipped: left.skipped + right.skipped, unended: left.unended + right.unended)
    }
}

/// How a test failed once, so that failures can be compared.
public struct FailureSample: Sendable, Hashable, Codable {
    /// How the test ended.
    public var outcome: Outcome
    /// The first things that failed it, in the order of recording, each message cut, with a checksum of all of it then; untrusted text.
    public var issues: [Issue]
    /// How many things failed it in all.
    public var count: Int

    /// How many issues are kept at most.
    public static let mostIssues = 10
    /// How many bytes of a message, and of an argument, are kept at most.
    public static let longestMessage = 2_000

    package init(outcome: Outcome, issues: [Issue], count: Int? = nil) {
        (self.outcome, self.issues, self.count) = (outcome, issues, count ?? issues.count)
    }

    /// How a test ended; `nil` for one that did not fail.
    public init?(_ result: TestResult) {
        guard result.outcome.isFailure else { return nil }
        let failing = result.issues.filter(\.isFailure)
        // An argument tells issues apart: one that is cut would not.
        let whole = failing.prefix(Self.mostIssues).filter { ($0.argument?.utf8.count ?? 0) <= Self.longestMessage }
        let kept = whole.map { issue in
            var issue = issue
            if issue.message.utf8.count > Self.longestMessage {
                let beginning = String(decoding: issue.message.utf8.prefix(Self.longestMessage), as: UTF8.self)
                issue.message = "\(beginning)… \(StableHash(issue.message).hexadecimal)"
            }
            return issue
        }
        self.init(outcome: result.outcome, issues: kept, count: failing.count)
    }
}
