public import RunModel

/// What lets a gate change pass for a time: a trailer in the message of a commit.
///
/// `Kanmon-Waiver: <module or code> until=YYYY-MM-DD <reason>`
public struct Waiver: Sendable, Hashable, Codable {
    /// The module or the code of the gate change that it is for; untrusted text.
    public var subject: String
    /// The last day on which it holds, in UTC.
    public var until: CalendarDay
    /// Why; untrusted text.
    public var reason: String
    /// The commit that brings it, full hexadecimal.
    public var commit: String
    /// The line of that commit's message, counted from 1.
    public var line: Int

    package init(subject: String, until: CalendarDay, reason: String, commit: String, line: Int) {
        self.subject = subject
        self.until = until
        self.reason = reason
        self.commit = commit
        self.line = line
    }

    /// The longest time for which a waiver holds, in days from the day of the run: no waiver holds for ever.
    public static let longest = 366

    /// The longest subject and reason, in bytes: each change that a waiver lets pass tells of it.
    public static let longestText = 1024

    /// Whether its last day is so far away from the day of a run that it does not hold.
    func isTooLong(on day: CalendarDay) -> Bool { until > day.adding(days: Self.longest) }

    /// Whether it is for this change: it names the change's code, or what the change is about.
    func covers(_ change: GateChange) -> Bool {
        Name(subject) == Name(change.code.rawValue)
            || (!change.subject.isEmpty && Name(subject) == Name(change.subject))
    }
}

/// A line that was meant as a waiver, and is malformed.
public struct WaiverFault: Sendable, Hashable, Codable {
    /// What is wrong with it.
    public enum Problem: String, Sendable, Hashable, Codable, CaseIterable {
        case subjectMissing = "subject-missing"
        case dayMissing = "day-missing"
        case dayWrong = "day-wrong"
        case reasonMissing = "reason-missing"
    }

    /// The line as it was written; untrusted text.
    public var text: String
    /// What is wrong with it.
    public var problem: Problem
    /// The commit, full hexadecimal.
    public var commit: String
    /// The line of that commit's message, counted from 1.
    public var line: Int
}

/// What became of a waiver in a verdict.
public struct WaiverStatus: Sendable, Hashable, Codable {
    /// Whether it was needed and holds.
    public enum State: String, Sendable, Hashable, Codable, CaseIterable {
        /// A gate change passes because of it.
        case used
        /// It came with an earlier change, which is in the base by now, and has not expired.
        case standing
        /// Its last day is over.
        case expired
        /// Its last day is further away than a waiver may hold.
        case tooLong = "too-long"
        /// There is no gate change that it is for.
        case unused
    }

    /// The waiver.
    public var waiver: Waiver
    /// What became of it.
    public var state: State
    /// The nearest name or code, where its subject is neither.
    public var suggestion: String?

    package init(_ waiver: Waiver, _ state: State, suggestion: String? = nil) {
        (self.waiver, self.state, self.suggestion) = (waiver, state, suggestion)
    }
}
