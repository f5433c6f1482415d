import RunModel

/// Builds a report from elements and text as they come.
struct XUnitBuilder: XMLHandler {
    /// What was read so far, without the cases.
    private(set) var report = XUnitReport()
    private(set) var fault: String?
    let budget: EvidenceBudget

    /// What an element means here.
    private enum Element: Equatable {
        case root, suite, testCase, problem, rerun, skipped, output, other
    }

    /// A suite that is open.
    private struct Suite {
        var name: String
        var claimedCases: Int?
        var claimedProblems: Int?
        var cases = 0
        var problems = 0
    }

    /// The cases that were not handed over yet.
    private var cases: [XUnitReport.Case] = []
    private var open: [Element] = []
    private var suites: [Suite] = []
    /// Whether the last case is open: it is built in its place, as a copy would cost as much as all the rest.
    private var isInCase = false
    /// How much is kept of what failures say, and of what cases print.
    private var texts = TextAllowance()
    private var printed = TextAllowance()
    private var outputs = HeadAndTail()
    private var text = HeadAndTail()
    private var message: String?
    /// The class name of the case before, as most cases share it with their neighbor.
    private var lastClass: [UInt8] = []
    private var lastModule = ""
    private var lastSuite = ""

    init(_ budget: EvidenceBudget) { self.budget = budget }

    /// Hands over the cases that are complete and forgets them.
    mutating func drain(_ take: ([XUnitReport.Case]) -> Void) {
        let open = isInCase ? cases.popLast() : nil
        take(cases)
        cases.removeAll(keepingCapacity: true)
        if let open { cases.append(open) }
    }

    // MARK: Elements

    mutating func start(_ name: XMLBytes, _ attributes: XMLAttributes) {
        let element = meaning(of: name)
        if open.isEmpty, element != .suite, element != .root {
            fault = "the root element '\(String(decoding: name, as: UTF8.self))' is not testsuites or testsuite"
        }
        open.append(element)
        if element == .suite { report.hasSuite = true }
        switch element {
        case .suite, .root: startSuite(attributes)
        case .testCase: startCase(attributes)
        case .problem, .rerun, .skipped:
            text = HeadAndTail(most: texts.most)
            message = attributes.text("message")
        case .output, .other: break
        }
    }

    mutating func text(_ bytes: XMLBytes) {
        switch open.last {
        case .problem, .rerun, .skipped: text.append(bytes)
        case .output:
            // Inside of a rerun it belongs to that execution, not to the last one.
            if isInCase, !open.contains(.rerun) { outputs.append(bytes) }
        case .other where open.contains(.rerun): text.append(bytes)
        default: break
        }
    }

    mutating func end() {
        guard let element = open.popLast() else { return }
        switch element {
        case .suite, .root: endSuite()
        case .testCase: endCase()
        case .problem: endProblem(isRerun: false)
        case .rerun: endProblem(isRerun: true)
        case .skipped: endSkipped()
        case .output, .other: break
        }
    }

    private func meaning(of name: XMLBytes) -> Element {
        switch open.last {
        case nil, .root, .suite:
            if name.equals("testsuite") { return .suite }
            if name.equals("testsuites") { return open.isEmpty ? .root : .other }
            if name.equals("testcase") { return open.isEmpty ? .other : .testCase }
            if name.equals("failure") || name.equals("error") { return .problem }
        case .testCase:
            if name.equals("failure") || name.equals("error") { return .problem }
            if name.equals("skipped") || name.equals("disabled") { return .skipped }
            if name.equals("system-out") || name.equals("system-err") { return .output }
            for rerun in ["flakyFailure", "flakyError", "rerunFailure", "rerunError"] as [StaticString]
            where name.equals(rerun) {
                return .rerun
            }
        case .rerun:
            if name.equals("system-out") || name.equals("system-err") { return .output }
        default: break
        }
        return .other
    }

    // MARK: Suites

    private mutating func startSuite(_ attributes: XMLAttributes) {
        let failures = attributes["failures"].flatMap(StrictNumber.count)
        let errors = attributes["errors"].flatMap(StrictNumber.count)
        suites.append(
            Suite(
                name: attributes.text("name") ?? "", claimedCases: attributes["tests"].flatMap(StrictNumber.count),
                claimedProblems: failures == nil && errors == nil ? nil : max(failures ?? 0, errors ?? 0)
            )
        )
    }

    private mutating func endSuite() {
        guard let suite = suites.popLast() else { return }
        // Counters are never trusted, but one that speaks of something where there is nothing shows a loss.
        if let claimed = suite.claimedProblems, claimed > 0, suite.problems == 0 {
            contradict("suite '\(suite.name)' counts \(claimed) failures, its cases show none")
        } else if let claimed = suite.claimedCases, claimed > 0, suite.cases == 0 {
            contradict("suite '\(suite.name)' counts \(claimed) tests, there are none in it")
        }
        if !suites.isEmpty {
            suites[suites.count - 1].cases += suite.cases
            suites[suites.count - 1].problems += suite.problems
        }
    }

    private mutating func contradict(_ text: String) {
        budget.count(.execution)
        report.contradictions.append(keep(text))
    }

    // MARK: Cases

    private mutating func startCase(_ attributes: XMLAttributes) {
        if !outputs.isEmpty { outputs = HeadAndTail(most: printed.most) }
        cases.append(entry(attributes))
        isInCase = true
    }

    /// What the tag of a case says. It is made at the end: a case that is changed and returned would be copied.
    private mutating func entry(_ attributes: XMLAttributes) -> XUnitReport.Case {
        let id = identity(attributes)
        budget.count(.foreignTest)
        budget.count(id.name)
        var duration: Duration?
        if let time = attributes["time"] ?? attributes["duration"] {
            duration = StrictNumber.groupedSeconds(time)
            if duration == nil { report.unreadableNumbers += 1 }
        }
        var location: SourceLocation?
        if let path = attributes.text("file"), !path.isEmpty {
            let line = attributes["line"].flatMap(StrictNumber.count) ?? 0
            location = SourceLocation(path: path, line: max(1, line))
            budget.count(path)
        }
        let isSkipped = attributes["status"].map { $0.equals("skipped") || $0.equals("notrun") } ?? false
        return XUnitReport.Case(id: id, location: location, duration: duration, isSkipped: isSkipped)
    }

    private mutating func identity(_ attributes: XMLAttributes) -> TestID {
        let name = attributes.text("name").flatMap { $0.isEmpty ? nil : $0 } ?? "(no name)"
        guard let bytes = attributes["classname"] ?? attributes["class"], !bytes.isEmpty else {
            return TestID(module: suites.last?.name ?? "", suite: "", name: name)
        }
        if !lastClass.withUnsafeBufferPointer({ $0.equals(bytes) }) {
            let id = TestPath.identity(className: String(decoding: bytes, as: UTF8.self), name: "")
            budget.count(id.module)
            budget.count(id.suite)
            (lastClass, lastModule, lastSuite) = (Array(bytes), id.module, id.suite)
        }
        return TestID(module: lastModule, suite: lastSuite, name: name)
    }

    private mutating func endCase() {
        guard isInCase else { return }
        isInCase = false
        let last = cases.count - 1
        if !outputs.isEmpty {
            let output = printed.keep(outputs)
            budget.count(output)
            cases[last].output = output
        }
        guard !suites.isEmpty else { return }
        suites[suites.count - 1].cases += 1
        suites[suites.count - 1].problems += cases[last].problems.count
    }

    private mutating func endProblem(isRerun: Bool) {
        let problem = problem()
        if !isInCase {
            let suite = suites.last?.name ?? ""
            budget.count(.execution)
            var stray = XUnitReport.Case(id: TestID(module: suite, suite: "", name: "(suite)"))
            stray.problems = [problem]
            report.strayProblems.append(stray)
            if !suites.isEmpty { suites[suites.count - 1].problems += 1 }
        } else if isRerun {
            cases[cases.count - 1].reruns.append(problem)
        } else {
            cases[cases.count - 1].problems.append(problem)
        }
    }

    private mutating func endSkipped() {
        guard isInCase else { return }
        cases[cases.count - 1].isSkipped = true
        if let message, !message.isEmpty {
            cases[cases.count - 1].skipReason = keep(message)
        } else if !text.isEmpty {
            cases[cases.count - 1].skipReason = keepText()
        }
    }

    /// How many texts are not whole.
    var cutTexts: Int { texts.cut + printed.cut }

    private mutating func keepText() -> String {
        let kept = texts.keep(text)
        budget.count(kept)
        return kept
    }

    private mutating func keep(_ text: String) -> String {
        let kept = texts.keep(text)
        budget.count(kept)
        return kept
    }

    /// The problem whose element ends. A stack trace without a message begins with one.
    private mutating func problem() -> XUnitReport.Problem {
        budget.count(.message)
        let body = keepText()
        if let message, !message.isEmpty { return XUnitReport.Problem(message: keep(message), text: body) }
        let lines = body.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: true)
        guard let first = lines.first, !first.allSatisfy(\.isWhitespace) else {
            return XUnitReport.Problem(message: "no message", text: "")
        }
        return XUnitReport.Problem(message: String(first), text: lines.count > 1 ? String(lines[1]) : "")
    }
}
