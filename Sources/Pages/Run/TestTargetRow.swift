import RunModel
import Wording

/// The test targets.
struct TargetTable: Sendable {
    let rows: [TestTargetRow]
}

/// A test target with how its tests ended.
struct TestTargetRow: Sendable {
    let link: Link
    let bar: Bar
    let total: String
    let passed: String
    let failed: String
    let other: String
    let hasFailures: Bool
    let time: String

    /// The targets in the order of their names, those with failures first.
    static func all(_ tests: [TestResult], links: RunLinks) -> [TestTargetRow] {
        var groups: [(module: String, tests: [TestResult])] = []
        for test in tests.sorted(by: { $0.id < $1.id }) {
            // A copy of the last group would be a copy of all its tests at each append.
            if let last = groups.last?.module, Name(last) == Name(test.id.module) {
                groups[groups.count - 1].tests.append(test)
            } else {
                groups.append((test.id.module, [test]))
            }
        }
        let rows = groups.map { TestTargetRow($0.module, $0.tests, links: links) }
        return rows.filter(\.hasFailures) + rows.filter { !$0.hasFailures }
    }

    private init(_ module: String, _ tests: [TestResult], links: RunLinks) {
        let outcomes = OutcomeTally(tests)
        link = Link(module, links.tests(module))
        total = Figures.grouped(outcomes.total)
        passed = Figures.grouped(outcomes[.passed])
        failed = Figures.grouped(outcomes.failures)
        hasFailures = outcomes.failures > 0
        let others: [Outcome] = [.skipped, .knownIssue, .notRun]
        let words = others.filter { outcomes[$0] > 0 }.map { Figures.counted(outcomes, $0) }
        other = words.isEmpty ? "–" : words.joined(separator: ", ")
        time = Figures.duration(tests.totalDuration)
        bar = Bar(
            label: "\(passed) of \(total) passed, \(failed) failed",
            parts: [
                ("passed", outcomes[.passed]), ("known-issue", outcomes[.knownIssue]), ("skipped", outcomes[.skipped]),
                ("not-run", outcomes[.notRun]), ("failed", outcomes.failures),
            ]
        )
    }
}

/// A test that neither passed nor failed, with its reason.
struct UnsettledTest: Sendable {
    /// How many are listed; the rest is counted.
    static let most = 500

    let style: String
    let sign: String
    let outcome: String
    /// The test by its display name or its identity, as a link to its history where there is one.
    let link: Link?
    let plainName: BreakableText?
    /// The identity, where the name is another.
    let identity: String?
    let reason: String?

    init(_ test: TestResult, links: RunLinks) {
        style = test.outcome.style
        sign = test.outcome.sign
        outcome = test.outcome.label
        let title = test.named.title
        let name = title ?? test.id.description
        link = links.history(test.id).map { Link(name, $0) }
        plainName = link == nil ? BreakableText(name) : nil
        identity = title == nil ? nil : test.id.description
        let said = test.outcome == .skipped ? test.skipReason : test.issues.first?.message
        reason = said.map { $0.cut(to: 300) }
    }
}

/// The tests that were skipped, failed as announced, or did not run.
struct UnsettledList: Sendable {
    let summary: String
    let tests: [UnsettledTest]
    let more: String?

    /// `nil` when there are none.
    init?(_ tests: [TestResult], links: RunLinks) {
        let outcomes = OutcomeTally(tests)
        let words = Self.outcomes.filter { outcomes[$0] > 0 }.map { Figures.counted(outcomes, $0) }
        guard !words.isEmpty else { return nil }
        summary = "Neither passed nor failed: " + words.joined(separator: ", ")
        let unsettled = tests.filter { Self.outcomes.contains($0.outcome) }
        self.tests = unsettled.prefix(UnsettledTest.most).map { UnsettledTest($0, links: links) }
        more =
            unsettled.count > self.tests.count ? "and \(Figures.grouped(unsettled.count - self.tests.count)) more" : nil
    }

    private static let outcomes: [Outcome] = [.skipped, .knownIssue, .notRun]
}
