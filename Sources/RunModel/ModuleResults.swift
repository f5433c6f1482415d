/// What is known of a test beside how it ended, as far as a list of tests shows it: much the same in many runs.
public struct TestDescription: Sendable {
    /// Which test case.
    public var id: TestID
    /// The name given for readers (`@Test("…")`), where there is one.
    public var displayName: String?
    /// Why it was skipped, where it said so.
    public var skipReason: String?

    /// Makes a description from its parts.
    public init(id: TestID, displayName: String? = nil, skipReason: String? = nil) {
        self.id = id
        self.displayName = displayName
        self.skipReason = skipReason
    }
}

extension TestDescription: Equatable {
    /// Whether both say the same, byte for byte.
    public static func == (left: TestDescription, right: TestDescription) -> Bool {
        func isSame(_ left: String?, _ right: String?) -> Bool {
            guard let left, let right else { return left == nil && right == nil }
            return left.utf8.elementsEqual(right.utf8)
        }
        return left.id == right.id && isSame(left.displayName, right.displayName)
            && isSame(left.skipReason, right.skipReason)
    }
}

/// The tests of one module as runs of a project share them: what was made of a catalog holds for every run that has it.
public final class TestCatalog: Sendable {
    /// The project they belong to.
    public let project: String
    /// The tests, ordered by identity.
    public let tests: [TestDescription]
    /// Where the tests of each suite stand among them.
    public let suites: [Range<Int>]

    /// Makes a catalog of tests that are ordered by identity.
    public init(project: String, tests: [TestDescription]) {
        self.project = project
        self.tests = tests
        var suites: [Range<Int>] = []
        var start = 0
        for end in tests.indices.map({ $0 + 1 }) {
            let suite = tests[start].id.suite
            if end < tests.count, tests[end].id.suite.utf8.elementsEqual(suite.utf8) { continue }
            suites.append(start..<end)
            start = end
        }
        self.suites = suites
    }
}

extension TestCatalog: Equatable {
    /// Whether both tell of the same tests of the same project.
    public static func == (left: TestCatalog, right: TestCatalog) -> Bool {
        left === right || left.project.utf8.elementsEqual(right.project.utf8) && left.tests == right.tests
    }
}

/// What a list of tests has to say of one beside how it ended and how long it took: of a test that failed, ran more than once,
/// has a known issue or was running when the run was ended.
public struct TestDetails: Sendable, Hashable {
    /// All attempts, with what they recorded.
    public var attempts: [TestAttempt]
    /// Which of the failed tests of the run it is, ordered by identity, from 1; `nil` where it did not fail.
    public var failureNumber: Int?

    /// Makes it from its parts.
    public init(attempts: [TestAttempt], failureNumber: Int? = nil) {
        self.attempts = attempts
        self.failureNumber = failureNumber
    }
}

/// How the tests of one module ended in a run, as far as a list of them shows it. What the only attempt of a test recorded that
/// passed or was skipped is not in it.
public struct ModuleResults: Sendable {
    /// The run.
    public var run: RunID
    /// The name of the package.
    public var package: String
    /// The tests.
    public var catalog: TestCatalog
    /// How each test of the catalog ended.
    public var outcomes: [Outcome]
    /// How long each test of the catalog took; `nil` where no source says.
    public var durations: [Duration?]
    /// What more there is to say of tests of the catalog, by their place in it.
    public var details: [Int: TestDetails]

    /// Makes the results from their parts; there are as many outcomes and durations as tests.
    public init(
        run: RunID, package: String, catalog: TestCatalog, outcomes: [Outcome], durations: [Duration?],
        details: [Int: TestDetails] = [:]
    ) {
        self.run = run
        self.package = package
        self.catalog = catalog
        self.outcomes = outcomes
        self.durations = durations
        self.details = details
    }
}
