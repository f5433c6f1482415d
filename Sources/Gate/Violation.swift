public import RunModel

/// A rule that a run violates, with everything that reports and pages show of it.
public struct Violation: Sendable, Hashable, Codable {
    /// What a violation is about.
    public enum Subject: Sendable, Hashable, Codable {
        case build
        case tests
        case test(TestID)
        /// An entry of the quarantine, by the test that it names; untrusted text.
        case quarantine(String)
        /// A module, by its manifest name.
        case module(String)
        /// The lines that a change adds.
        case change
        case project
        /// A file, relative to the package.
        case file(String)
        /// What a gate change is about; untrusted text.
        case settings(String)
    }

    /// What a tool said, and where.
    public struct Message: Sendable, Hashable, Codable {
        /// Untrusted text.
        public var text: String
        /// Where it points to.
        public var location: SourceLocation?
    }

    /// The stable code of the rule, such as `minimum-tests`.
    public var rule: String
    /// What it is about.
    public var subject: Subject
    /// What it is about in words: a test, a module, the build; may hold untrusted text.
    public var title: String
    /// What is wrong, such as `line coverage 78.4 % < 80 %: 1,204 of 1,535 lines.`; may hold untrusted text.
    public var reason: String
    /// What to do, such as `Cover any 24 of these 61 lines:`; `nil` where the reason says it all.
    public var hint: String?
    /// What was found: `78.4 %`; may hold untrusted text.
    public var observed: String?
    /// What the rule demands: `80 %`; may hold untrusted text.
    public var required: String?
    /// The coverage that is missed, for a rule on coverage.
    public var coverage: MissedCoverage?
    /// What the compiler or the test said.
    public var message: Message?
    /// Which gate change it is.
    public var change: GateChangeCode?

    /// `ThumbnailKit line coverage 78.4 % < 80 %: 1,204 of 1,535 lines.`; may hold untrusted text.
    public var sentence: String { "\(title) \(reason)" }

    /// Whether it is a failed build.
    public var isBuildFailure: Bool { rule == BuildRule.code }
    /// Whether it is a failed test.
    public var isTestFailure: Bool { rule == FailedTests.code }
}
