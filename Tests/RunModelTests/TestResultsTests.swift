import Foundation
import Testing

@testable import RunModel

@Suite struct TestResultsTests {
    /// Columns of `module|suite|name` in the order given; every third duration is not known.
    private static func columns(_ names: [String]) -> PassedTests {
        var passed = PassedTests(library: .foreign)
        for (number, name) in names.enumerated() {
            let parts = name.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
            passed.beginSuite(parts[1], of: parts[0])
            Array(parts[2].utf8).withUnsafeBufferPointer {
                passed.append($0, nanoseconds: number % 3 == 2 ? nil : Int64(number))
            }
        }
        return passed
    }

    private static func list(_ passed: PassedTests) -> [TestResult] { (0..<passed.count).map { passed[$0] } }

    private static func failed(_ module: String, _ suite: String, _ name: String) -> TestResult {
        TestResult(
            id: TestID(module: module, suite: suite, name: name), library: .foreign, outcome: .failed,
            attempts: [TestAttempt(outcome: .failed, issues: [Issue(message: "no")])])
    }

    @Test(arguments: [
        [], ["m|s|x"], ["m|b|x", "m|a|y", "m|a|x", "l|z|z", "m|b|a"], ["m|s|ab", "m|s|a", "m|sa|b", "m|s|", "|m|s"],
        ["m|s|caf\u{E9}", "m|s|cafe\u{301}", "m|s|日本", "m|s|z"], ["m|s|a\u{0}b", "m|s\u{0}a|b", "m|s|a"],
    ])
    func `columns are the same as a list`(names: [String]) throws {
        let passed = Self.columns(names)
        let others = [Self.failed("m", "s", "b"), Self.failed("zz", "", ""), Self.failed("", "", "")]
        for detailed in [[], others] {
            let expected = (Self.list(passed) + detailed).orderedByIdentity()
            let results = try #require(TestResults(detailed, passed))
            #expect(results.all == expected)
            #expect(results == TestResults(expected))
            #expect(results.hashValue == TestResults(expected).hashValue)
            #expect(results.count == expected.count)
            #expect(results.isEmpty == expected.isEmpty)
            #expect(results.isOrderedByIdentity)
            #expect(results.outcomes == OutcomeTally(expected))
            #expect(passed.duration == Self.list(passed).reduce(.zero) { $0 + ($1.duration ?? .zero) })
        }
    }

    @Test func `a test that is there twice is not settled`() {
        #expect(TestResults([], Self.columns(["m|s|a", "m|t|a", "m|s|a"])) == nil)
        #expect(TestResults([Self.failed("m", "s", "a")], Self.columns(["m|r|a", "m|s|a", "m|t|a"])) == nil)
        #expect(TestResults([Self.failed("m", "s", "a"), Self.failed("m", "s", "a")], Self.columns(["m|r|a"])) == nil)
        #expect(TestResults([], Self.columns(["m|s|a", "ms||a"])) != nil)
    }

    @Test func `the last test is taken back, and lists are put together`() {
        var (one, other) = (Self.columns(["m|s|a", "m|s|b"]), Self.columns(["n|t|c", "n|t|d"]))
        one.removeLast()
        other.append(one)
        #expect(Self.list(other).map(\.id.description) == ["n.t/c", "n.t/d", "m.s/a"])
        var empty = PassedTests(library: .foreign)
        empty.append(other)
        #expect(empty == other)
        #expect(empty != one)
    }

    @Test func `a run with columns is changed like any other`() throws {
        let results = try #require(TestResults([Self.failed("m", "s", "b")], Self.columns(["m|s|c", "m|s|a"])))
        var run = TestRun(
            id: RunID(milliseconds: 1, random: (2, 3)), project: "p", package: "P", startedAt: .distantPast,
            duration: .zero, engine: .foreign)
        run.results = results
        #expect(run.failures == [Self.failed("m", "s", "b")])
        run.tests[0].outcome = .knownIssue
        run.tests.append(Self.failed("m", "s", "d"))
        #expect(run.tests.map(\.id.name) == ["a", "b", "c", "d"])
        #expect(run.tests.map(\.outcome) == [.knownIssue, .failed, .passed, .failed])
        #expect(run.results.passed.isEmpty)
    }
}
