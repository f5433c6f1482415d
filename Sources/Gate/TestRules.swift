public import RunModel

/// What becomes of a run in which a test failed and then passed on the same tree.
public enum FlakyRule: String, Sendable, Hashable, Codable, CaseIterable {
    /// It is shown, and blocks nothing.
    case warn
    /// It blocks.
    case fail
}

/// The contract by which the failures of one test do not block for a time.
public struct QuarantineEntry: Sendable, Hashable, Codable {
    /// The test as every report names it: `CoreTests.URLTests/testHost`.
    public var test: String
    /// Who will repair it.
    public var owner: String
    /// Why it fails, as far as that is known.
    public var reason: String
    /// The last day on which it holds, in UTC.
    public var expires: CalendarDay

    /// Makes an entry from its parts.
    public init(test: String, owner: String, reason: String, expires: CalendarDay) {
        self.test = test
        self.owner = owner
        self.reason = reason
        self.expires = expires
    }

    /// Whether it is about the test of this identity, byte by byte.
    public func names(_ id: TestID) -> Bool { Name(id.description) == Name(test) }
}

/// A bound on how long each test may take that a pattern matches.
public struct BudgetRule: Sendable, Hashable, Codable {
    /// `Target`, `Target/Suite` or `Target/Suite/test`, with `*` and `?`; it matches a test or whatever holds it.
    public var pattern: String
    /// How long the median of the last executions may be.
    public var bound: Duration

    /// Makes a rule from its parts.
    public init(pattern: String, bound: Duration) {
        self.pattern = pattern
        self.bound = bound
    }

    /// Whether it is for this test: the pattern matches the first parts of its identity, or all of them.
    public func matches(_ id: TestID) -> Bool {
        let glob = Glob(pattern)
        let parts = "\(id.module)/\(id.qualifiedName)".split(separator: "/", omittingEmptySubsequences: false)
        return (1...parts.count).contains { glob.matches(parts.prefix($0).joined(separator: "/")) }
    }

    /// Whether it can be for a test of this target, whatever the test is called; the name is that of the compiler.
    func mayBeFor(module: String) -> Bool {
        let target = pattern.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).first ?? ""
        return Glob(String(target)).matches(module)
    }
}
