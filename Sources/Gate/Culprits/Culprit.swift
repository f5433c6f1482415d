public import RunModel

public import struct Foundation.Date

/// What a search for the commit that broke a test has found.
public struct Culprit: Sendable, Hashable, Codable {
    /// A commit that broke the test, or may have.
    public struct Suspect: Sendable, Hashable, Codable {
        /// The commit, full hexadecimal.
        public var commit: String
        /// The first line of its message; untrusted text.
        public var subject: String
        /// The name of its author; untrusted text.
        public var author: String
        /// When it was made, by its own word.
        public var committedAt: Date

        package init(commit: String, subject: String, author: String, committedAt: Date) {
            (self.commit, self.subject, self.author, self.committedAt) = (commit, subject, author, committedAt)
        }
    }

    /// Which test.
    public var test: TestID
    /// The commit where it passed, full hexadecimal.
    public var good: String
    /// The commit where it failed, full hexadecimal.
    public var bad: String
    /// The commit that broke it. Several, the oldest first, where all but the last of them cannot be tested; where no commit can be
    /// named, the most probable so far, if there is one.
    public var suspects: [Suspect]
    /// How probable it is that it is one of these, from 0 to 1.
    public var probability: Double
    /// The commit that brought it into the branch, if that is a merge of it, full hexadecimal.
    public var merge: String?
    /// Why no commit can be named; `nil` if one is.
    public var reason: CulpritSearch.Reason?
    /// How often the test ran.
    public var runs: Int
    /// How many commits were built.
    public var builds: Int
    /// How long it took.
    public var duration: Duration
    /// When it was found out.
    public var foundAt: Date

    package init(
        test: TestID, good: String, bad: String, suspects: [Suspect], probability: Double, merge: String? = nil,
        reason: CulpritSearch.Reason? = nil, runs: Int, builds: Int, duration: Duration, foundAt: Date
    ) {
        (self.test, self.good, self.bad) = (test, good, bad)
        (self.suspects, self.probability, self.merge, self.reason) = (suspects, probability, merge, reason)
        (self.runs, self.builds, self.duration, self.foundAt) = (runs, builds, duration, foundAt)
    }

    /// The commit that broke the test, if it is a single one.
    public var commit: Suspect? { reason == nil && suspects.count == 1 ? suspects[0] : nil }

    /// The probability in thousandths, rounded down; never 1,000, as nothing here is certain.
    private var thousandths: Int { Int(max(0, min(0.999, probability)) * 1000) }

    /// The probability as a decimal, such as `0.999`.
    public var probabilityText: String {
        let digits = String(thousandths)
        return "0." + String(repeating: "0", count: 3 - digits.utf8.count) + digits
    }

    /// The probability in percent, such as `99.9 %`.
    public var percentage: String { "\(thousandths / 10).\(thousandths % 10) %" }

    /// Whether it says what broke a test that passed on a commit and has failed since.
    ///
    /// What was found on one branch says nothing of another one that left it before: so the failures have to be those between which the
    /// search was made, too.
    ///
    /// - Parameters:
    ///   - commit: The commit on which it passed last; `nil` if unknown.
    ///   - failed: The commits on which it has failed since.
    public func answers(_ test: TestID, lastPassedOn commit: String?, failedOn failed: Set<String>) -> Bool {
        guard reason == nil, !suspects.isEmpty, self.test == test, commit == good else { return false }
        return failed.contains(bad) || suspects.contains { failed.contains($0.commit) }
    }
}
