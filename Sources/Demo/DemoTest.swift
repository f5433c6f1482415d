import RunModel

/// A test of the made-up package, and what becomes of it in each run.
struct DemoTest: Sendable {
    /// How it behaves, over the history.
    enum Behavior: Sendable {
        /// It passes.
        case steady
        /// It fails from one change to before another, with this message.
        case broken([Range<Int>], String)
        /// It fails now and then, mostly only at its first attempt.
        case flaky(oneIn: Int, String)
        /// It is skipped, for this reason.
        case skipped(String)
        /// It fails as it has announced.
        case known(String)
        /// It crashes its process in one run.
        case crashing(run: Int)
        /// It fails in one run, with this message.
        case failing(run: Int, String)
        /// It becomes slower from a change on.
        case slowing(from: Int)
    }

    let id: TestID
    var library = TestingLibrary.xctest
    var displayName: String?
    var tags: [String] = []
    var arguments: [String] = []
    /// What it attaches in every run, ordered by name.
    var attachments: [DemoAttachment] = []
    /// The change that it came with.
    var since = 0
    /// The change that took it out again.
    var until = Int.max
    /// How long it takes, in microseconds.
    var microseconds = 800
    var behavior = Behavior.steady

    /// The file it lies in.
    var path: String {
        let suite = id.suite.split(separator: "/").first.map(String.init) ?? "\(id.module)+Free"
        return "Tests/\(id.module)/\(suite).swift"
    }

    /// The text of a test file, and the line of every test in it.
    static func text(of tests: [DemoTest]) -> (lines: [String], lineOf: [TestID: Int]) {
        var lines = ["import Testing", "import XCTest", ""]
        var lineOf: [TestID: Int] = [:]
        for test in tests {
            let name = test.id.name.replacing("()", with: "").replacing("(_:)", with: "")
            if let displayName = test.displayName { lines.append("    @Test(\"\(displayName)\")") }
            lines.append("    func \(name)() throws {")
            lineOf[test.id] = lines.count
            lines.append("        let info = try VideoInfo.decode(fixture: \"\(name)\")")
            lines.append("        let rounded = Calc.divideRoundUp(100, by: 3)")
            lines.append(
                test.library == .xctest
                    ? "        XCTAssertEqual(rounded, 34, info.title)" : "        #expect(rounded == 34)")
            lines.append("    }")
            lines.append("")
        }
        return (lines, lineOf)
    }

    /// The result in a run.
    ///
    /// - Parameters:
    ///   - run: The place of the run in the history.
    ///   - change: The change that is tested.
    ///   - line: The line on which the test begins.
    func result(run: Int, change: Int, line: Int) -> TestResult {
        let place = SourceLocation(path: path, line: line + 3, column: 9)
        var result = TestResult(
            id: id, library: library, outcome: .passed, displayName: displayName, tags: tags,
            location: SourceLocation(path: path, line: line, column: 5), arguments: arguments,
            attachments: attachments.map(\.result))
        func attempt(_ outcome: Outcome, _ issues: [Issue] = [], _ output: String? = nil) -> TestAttempt {
            TestAttempt(outcome: outcome, duration: duration(run: run, change: change), issues: issues, output: output)
        }
        switch behavior {
        case .broken(let ranges, let message) where ranges.contains { $0.contains(change) }:
            result.outcome = .failed
            result.attempts = [
                attempt(
                    .failed, [Issue(message: message, location: place)],
                    "requesting /thumbnail?width=\n→ 200, 0 bytes\n")
            ]
        case .flaky(let rarity, let message) where Noise.number(id.name, run, below: rarity) == 0:
            let failed = attempt(.failed, [Issue(message: message, location: place)])
            let staysDown = Noise.number(id.name, run + 1000, below: 4) == 0
            result.outcome = staysDown ? .failed : .passed
            result.attempts = [failed, staysDown ? failed : attempt(.passed)]
        case .skipped(let reason):
            result.outcome = .skipped
            result.skipReason = reason
        case .known(let message):
            result.outcome = .knownIssue
            result.attempts = [attempt(.knownIssue, [Issue(message: message, location: place, isKnown: true)])]
        case .crashing(let number) where number == run:
            result.outcome = .crashed
            result.attempts = [
                attempt(.crashed, [Issue(message: "Fatal error: Index out of range", location: place)])
            ]
        case .failing(let number, let message) where number == run:
            result.outcome = .failed
            result.attempts = [attempt(.failed, [Issue(message: message, location: place)])]
        case .steady, .broken, .flaky, .crashing, .failing, .slowing:
            result.attempts = [attempt(.passed)]
        }
        return result
    }

    private func duration(run: Int, change: Int) -> Duration {
        let jitter = 85 + Noise.number(id.description, run, below: 30)
        var length = microseconds * jitter / 100
        if case .slowing(let start) = behavior, change >= start { length += length * (change - start + 4) / 6 }
        return .microseconds(length)
    }
}
