import Evidence
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

    private struct OpenCase {
        /// Its place in `cases`: it is built there, as a copy would cost as much as all the rest.
        var place: Int
        var status: XUnitStatus
        var skips = 0
        /// Whether it was executed again, and nothing says that it passed then.
        var isRerun = false
        /// The first element in it that is not known and may be what became of it.
        var stranger: String?
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
    /// How many elements began that are read: by it one that holds such is told from one of which nothing is known.
    private var read = 0
    private var strangers: [XUnitStranger] = []
    /// The first of these that is not in a case.
    private var firstStranger: String?
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
        let element = open.isEmpty ? rootMeaning(of: name) : fault == nil ? meaning(of: name) : .other
        if open.last == .stranger { strangers[strangers.count - 1].isEmpty = false }
        open.append(element)
        switch element {
        case .suite, .testCase, .problem, .flake, .rerun, .skipped: read += 1
        case .output, .property, .stranger, .other: break
        }
        switch element {
        case .suite:
            if name.equals("testsuite") { report.hasSuite = true }
            suites.append(XUnitSuite(attributes, in: suites.last))
        case .testCase: startCase(attributes)
        case .problem, .flake, .rerun, .skipped:
            openTexts.append(OpenText(message: attributes.text("message"), text: HeadAndTail(most: texts.most)))
        case .stranger:
            strangers.append(XUnitStranger(name, attributes, read: read))
            if firstStranger == nil, surroundings == .suite { firstStranger = strangers.last?.name }
        case .output, .property, .other: break
        }
    }

    mutating func text(_ bytes: XMLBytes) {
        if open.last == .stranger, strangers[strangers.count - 1].isEmpty {
            strangers[strangers.count - 1].isEmpty = !bytes.contains { $0 > 0x20 }
        }
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
        case .stranger: endStranger()
        case .output, .property, .other: break
        }
    }

    /// What an element means where it stands: one that is none of JUnit's matters in a suite and in a case, and not within a text.
    private func meaning(of name: XMLBytes) -> XUnitElement {
        let element = XUnitElement(name)
        guard element == .other, surroundings == .suite || surroundings == .testCase else { return element }
        return .foreign(name)
    }

    /// The innermost element that is open and known.
    private var surroundings: XUnitElement? { open.last { $0 != .other && $0 != .stranger } }

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
        report.unwrittenSkips += suite.unwrittenSkips(isRoot: suites.isEmpty)
        if case .unknown(let words) = suite.status, suite.found.problems == 0 {
            noteUnknown("suite '\(suite.name)': \(words)")
        }
        guard !suites.isEmpty else {
            report.duration = suite.duration
            // Another format, such as that of Check, has tests in it that are not read.
            if let firstStranger, suite.found.cases == 0, fault == nil {
                fault = "there is no testcase in it, but an element '\(firstStranger)', which is none of JUnit's"
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
        if let time = attributes.value(ignoringCase: "time") ?? attributes["duration"] {
            duration = StrictNumber.groupedSeconds(time)
            if duration == nil { report.unreadableNumbers += 1 }
        }
        var location: SourceLocation?
        if let path = attributes.text("file"), !path.isEmpty {
            let line = attributes["line"].flatMap { StrictNumber.count(StrictNumber.trimmed($0)) } ?? 0
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
        let written = attributes.value(ignoringCase: "name").map { String(decoding: $0, as: UTF8.self) } ?? ""
        let name = written.isEmpty ? "(no name)" : written
        guard let bytes = attributes.value(ignoringCase: "classname") ?? attributes["class"], !bytes.isEmpty else {
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
        // One word of what is not known is enough.
        if let stranger = ended.stranger, !ended.status.isUnknown {
            take(.unknown("an element '\(stranger)'"), at: place)
        }
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
            noteUnknown("\(cases[place].id): \(words)")
        }
    }

    private mutating func noteUnknown(_ words: String) {
        report.unknownStatuses += 1
        if report.firstUnknownStatus == nil { report.firstUnknownStatus = keep(words) }
    }

    /// Takes an element that is none of JUnit's. What is read in it is told by itself.
    private mutating func endStranger() {
        guard let ended = strangers.popLast(), ended.read == read else { return }
        let isInCase = surroundings == .testCase
        if ended.mayBeOutcome {
            // Those around it say no more.
            read += 1
            if !isInCase {
                noteUnknown("suite '\(suites.last?.name ?? "")': an element '\(ended.name)'")
            } else if let last = openCases.indices.last, openCases[last].stranger == nil {
                openCases[last].stranger = ended.name
            }
        } else if isInCase, open.last != .stranger {
            report.unknownElements += 1
            if report.firstUnknownElement == nil { report.firstUnknownElement = keep(ended.name) }
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
