import RunModel

/// Builds a report from elements and text as they come.
///
/// What a name means does not depend on where it stands: runners put suites into suites, cases into cases and any of them into
/// elements of their own, and nothing of it may get lost.
struct XUnitBuilder: XMLHandler {
    /// What was read so far, without the cases.
    private(set) var report = XUnitReport()
    private(set) var fault: String?
    let budget: EvidenceBudget

    /// A case that is open.
    private struct OpenCase {
        /// Its place in `cases`: it is built there, as a copy would cost as much as all the rest.
        var place: Int
        var status: XUnitStatus
        var skips = 0
        /// Whether it was executed again, and nothing says that it passed then.
        var isRerun = false
        var outputs: HeadAndTail
    }

    /// A failure, an error or a skip that is open.
    private struct OpenText {
        let message: String?
        var text: HeadAndTail
    }

    /// The cases that were not handed over yet.
    private var cases: [XUnitReport.Case] = []
    private var open: [XUnitElement] = []
    /// The first element that is none of JUnit's, directly in a suite or in another such element.
    private var stranger: String?
    private var suites: [XUnitSuite] = []
    private var openCases: [OpenCase] = []
    private var openTexts: [OpenText] = []
    /// How much is kept of what failures say, and of what cases print.
    private var texts = TextAllowance()
    private var printed = TextAllowance()
    /// The class name of the case before, as most cases share it with their neighbor.
    private var lastClass: [UInt8] = []
    private var lastModule = ""
    private var lastSuite = ""

    init(_ budget: EvidenceBudget) { self.budget = budget }

    /// Hands over the cases that are complete and forgets them.
    mutating func drain(_ take: ([XUnitReport.Case]) -> Void) {
        // What is in a case that is open waits for it; there are few such cases.
        guard let first = openCases.first?.place else {
            take(cases)
            cases.removeAll(keepingCapacity: true)
            return
        }
        guard first > 0 else { return }
        take(Array(cases[..<first]))
        cases.removeSubrange(..<first)
        for place in openCases.indices { openCases[place].place -= first }
    }

    // MARK: Elements

    mutating func start(_ name: XMLBytes, _ attributes: XMLAttributes) {
        // Behind a wrong root everything is nothing, until the parser asks.
        let outer = open.last
        let element = open.isEmpty ? rootMeaning(of: name) : fault == nil ? XUnitElement(name) : .other
        open.append(element)
        switch element {
        case .suite:
            if name.equals("testsuite") { report.hasSuite = true }
            suites.append(XUnitSuite(attributes, in: suites.last))
        case .testCase: startCase(attributes)
        case .problem, .flake, .rerun, .skipped:
            openTexts.append(OpenText(message: attributes.text("message"), text: HeadAndTail(most: texts.most)))
        case .other where stranger == nil && (outer == .suite || outer == .other) && !isInText:
            stranger = String(decoding: name.prefix(64), as: UTF8.self)
        case .output, .property, .other: break
        }
    }

    mutating func text(_ bytes: XMLBytes) {
        // Output of an execution before the last one is not that of the case.
        if open.last == .output, openTexts.isEmpty {
            if !openCases.isEmpty { openCases[openCases.count - 1].outputs.append(bytes) }
        } else if open.last != .output, !openTexts.isEmpty, isInText {
            openTexts[openTexts.count - 1].text.append(bytes)
        }
    }

    /// Whether what stands here belongs to the innermost text that is open: not what is in a case or suite within it.
    private var isInText: Bool { open.last { $0 != .other }?.hasText == true }

    mutating func end() {
        guard let element = open.popLast() else { return }
        switch element {
        case .suite: endSuite()
        case .testCase: endCase()
        case .problem, .flake, .rerun: endProblem(element)
        case .skipped: endSkipped()
        case .output, .property, .other: break
        }
    }

    private mutating func rootMeaning(of name: XMLBytes) -> XUnitElement {
        if XUnitElement(name) == .suite { return .suite }
        fault = "the root element '\(String(decoding: name, as: UTF8.self))' is not testsuites or testsuite"
        return .other
    }

    // MARK: Suites

    private mutating func endSuite() {
        guard let suite = suites.popLast() else { return }
        for contradiction in suite.contradictions(isRoot: suites.isEmpty) {
            budget.count(.execution)
            report.contradictions.append(keep("suite '\(suite.name)' \(contradiction)"))
        }
        guard !suites.isEmpty else {
            report.duration = suite.duration
            // Another format, such as that of Check, has tests in it that are not read.
            if let stranger, suite.found.cases == 0, fault == nil {
                fault = "there is no testcase in it, but an element '\(stranger)', which is none of JUnit's"
            }
            return
        }
        suites[suites.count - 1].take(suite)
    }

    // MARK: Cases

    private mutating func startCase(_ attributes: XMLAttributes) {
        let status = XUnitStatus(attributes)
        if suites[suites.count - 1].isAllRun, attributes["status"]?.equals("run") != true {
            suites[suites.count - 1].isAllRun = false
        }
        openCases.append(OpenCase(place: cases.count, status: status, outputs: HeadAndTail(most: printed.most)))
        cases.append(entry(attributes))
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
        return XUnitReport.Case(id: id, location: location, duration: duration, suite: suiteNumber())
    }

    /// The number of the suite that a case is in.
    private mutating func suiteNumber() -> Int {
        let last = suites.count - 1
        if let number = suites[last].number { return number }
        let label = suites[last].label
        suites[last].number = report.suites.count
        report.suites.append(label)
        budget.count(.name)
        for text in [label.path, label.host, label.package] { budget.count(text) }
        return report.suites.count - 1
    }

    private mutating func identity(_ attributes: XMLAttributes) -> TestID {
        let name = attributes.text("name").flatMap { $0.isEmpty ? nil : $0 } ?? "(no name)"
        guard let bytes = attributes["classname"] ?? attributes["class"], !bytes.isEmpty else {
            return TestID(module: suites.last { !$0.name.isEmpty }?.name ?? "", suite: "", name: name)
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
        guard let ended = openCases.popLast() else { return }
        let place = ended.place
        if !ended.outputs.isEmpty {
            let output = printed.keep(ended.outputs)
            budget.count(output)
            cases[place].output = output
        }
        if ended.isRerun, cases[place].problems.isEmpty, let last = cases[place].reruns.popLast() {
            cases[place].problems.append(last)
        }
        take(ended.status, at: place)
        suites[suites.count - 1].found.take(cases[place], skips: ended.skips)
    }

    /// Takes what the attributes say where no element says it.
    private mutating func take(_ status: XUnitStatus, at place: Int) {
        switch status {
        case .none: break
        case .skipped: cases[place].isSkipped = true
        case .failed(let words):
            guard cases[place].problems.isEmpty else { return }
            budget.count(.message)
            cases[place].problems.append(XUnitReport.Problem(message: keep(words), text: ""))
        case .unknown(let words):
            guard cases[place].problems.isEmpty, !cases[place].isSkipped else { return }
            report.unknownStatuses += 1
            if report.firstUnknownStatus == nil {
                report.firstUnknownStatus = keep("\(cases[place].id): \(words)")
            }
        }
    }

    private mutating func endProblem(_ element: XUnitElement) {
        let problem = problem()
        guard let place = openCases.last?.place else {
            let suite = suites.last?.name ?? ""
            budget.count(.execution)
            var stray = XUnitReport.Case(id: TestID(module: suite, suite: "", name: "(suite)"))
            stray.problems = [problem]
            report.strayProblems.append(stray)
            // Some runners count a test for it.
            suites[suites.count - 1].found.cases += 1
            suites[suites.count - 1].found.problems += 1
            return
        }
        guard element != .problem else { return cases[place].problems.append(problem) }
        cases[place].reruns.append(problem)
        if element == .rerun { openCases[openCases.count - 1].isRerun = true }
    }

    private mutating func endSkipped() {
        guard let ended = openTexts.popLast(), let place = openCases.last?.place else { return }
        openCases[openCases.count - 1].skips += 1
        cases[place].isSkipped = true
        if let message = ended.message, !message.isEmpty {
            cases[place].skipReason = keep(message)
        } else if !ended.text.isEmpty {
            cases[place].skipReason = keep(ended.text)
        }
    }

    // MARK: Texts

    /// How many texts are not whole.
    var cutTexts: Int { texts.cut + printed.cut }

    private mutating func keep(_ text: HeadAndTail) -> String {
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
        let ended = openTexts.removeLast()
        let body = keep(ended.text)
        if let message = ended.message, !message.isEmpty {
            return XUnitReport.Problem(message: keep(message), text: body)
        }
        let lines = body.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: true)
        guard let first = lines.first, !first.allSatisfy(\.isWhitespace) else {
            return XUnitReport.Problem(message: "no message", text: "")
        }
        return XUnitReport.Problem(message: String(first), text: lines.count > 1 ? String(lines[1]) : "")
    }
}
