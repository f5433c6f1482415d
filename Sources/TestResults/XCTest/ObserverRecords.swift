import Evidence
import RunModel

/// What the XCTest observer wrote: one JSON object a line, each written the moment it happened.
///
/// A test with a beginning and no end was running when its process ended.
struct ObserverRecords: Equatable {
    /// One execution of a test case.
    struct Execution: Equatable {
        /// Module, class and method.
        var id: TestID
        /// Seconds since 1970.
        var start: Double
        var issues: [Issue] = []
        /// The expectations that were not fulfilled when a time limit was over: what each is called, and where it was made.
        var waits: [Issue] = []
        var skipReason: String?
        /// `nil` while the test runs.
        var end: End?
        /// Whether XCTest had no test to fail when this one came to its end, so that its last assertions failed nothing.
        var isDeaf = false
    }

    /// How an execution ended.
    struct End: Equatable {
        var duration: Duration?
        var isSkipped: Bool
        /// Failures as XCTest counts them, unexpected ones included.
        var failures: Int
    }

    /// In the order in which they began.
    var executions: [Execution] = []
    /// For every test its last execution.
    private var last: [TestID: Int] = [:]
    /// Failures that came while no such test was running: in a class's `setUp`, or from another thread. Each with the test or
    /// class that it was recorded for, where there was one.
    var strayIssues: [(subject: String, issue: Issue)] = []
    /// Failures that fail nothing, since the settings want it so, each with the test or class that was running.
    var ignoredIssues: [(subject: String, issue: Issue)] = []
    /// Why assertions of a process were not heard, in sentences.
    var deafness: [String] = []
    /// How many processes of Swift Testing have said that assertions of XCTest are heard in them.
    var heard = 0
    /// How many bundles began, and how many of them ended: everything is there when the two are equal.
    var bundles = (begun: 0, ended: 0)
    /// How many texts are not whole.
    private(set) var cutTexts = 0
    private var texts = TextAllowance()

    /// Whether any of them is of XCTest itself.
    var isOfXCTest: Bool { !executions.isEmpty || bundles.begun > 0 }

    /// Whether every process that began its tests also came to their end.
    var isComplete: Bool { bundles.begun > 0 && bundles.begun == bundles.ended }

    static func == (left: ObserverRecords, right: ObserverRecords) -> Bool {
        left.executions == right.executions && left.bundles == right.bundles
            && left.strayIssues.elementsEqual(right.strayIssues) { $0.subject == $1.subject && $0.issue == $1.issue }
            && left.ignoredIssues.elementsEqual(right.ignoredIssues) {
                $0.subject == $1.subject && $0.issue == $1.issue
            }
            && left.deafness == right.deafness && left.heard == right.heard
    }

    /// Reads the records.
    ///
    /// - Throws: `EvidenceError.malformed` for a line that is no record, `.tooLarge` for more than is kept of a run. A cut last line
    ///   is passed over: what it lacks is a test without its end, or a bundle without it.
    static func read(
        _ document: LentBytes, file: String, budget: EvidenceBudget
    ) throws(EvidenceError) -> ObserverRecords {
        var records = ObserverRecords()
        _ = try JSONLines.read(document, file: file) { cursor throws(JSONFault) in
            records.add(try ObserverRecord(&cursor), budget)
            try cursor.check(budget)
        }
        records.last = [:]
        return records
    }

    private mutating func add(_ record: ObserverRecord, _ budget: EvidenceBudget) {
        switch record.event {
        case "bundleStart": bundles.begun += 1
        case "bundleEnd": bundles.ended += 1
        case "start":
            budget.count(.execution)
            budget.count(record.id)
            last[record.id] = executions.count
            executions.append(Execution(id: record.id, start: record.time))
        case "fail", "warn", "known", "ignored": addIssue(record, budget)
        case "heard": heard += 1
        case "deaf":
            budget.count(.message)
            deafness.append(keep(record.text, budget))
        case "wait":
            var wait = record.issue
            wait.message = keep(wait.message, budget)
            if let location = wait.location { budget.count(location.path) }
            budget.count(.message)
            if let index = open(record) { executions[index].waits.append(wait) }
        case "skip":
            if let index = open(record) { executions[index].skipReason = keep(record.text, budget) }
        case "end":
            guard let index = open(record) else { return }
            executions[index].end = End(
                duration: record.duration.flatMap(StrictNumber.duration), isSkipped: record.isSkipped,
                failures: record.failures
            )
            executions[index].isDeaf = record.isDeaf
        case "suiteStart", "suiteEnd": break
        default:
            // What it says may be that a test failed.
            budget.count(.message)
            deafness.append(keep("a record of an unknown kind was passed over: \(record.event)", budget))
        }
    }

    private mutating func addIssue(_ record: ObserverRecord, _ budget: EvidenceBudget) {
        var issue = record.issue
        issue.message = keep(issue.message, budget)
        issue.isKnown = record.event == "known"
        issue.isWarning = record.event == "warn" || record.event == "ignored"
        if let location = issue.location { budget.count(location.path) }
        budget.count(.message)
        if record.event == "ignored" {
            budget.count(.execution)
            ignoredIssues.append((record.subject, issue))
        }
        if let index = open(record) {
            executions[index].issues.append(issue)
        } else if issue.isFailure {
            budget.count(.execution)
            budget.count(record.id)
            strayIssues.append((record.subject, issue))
        }
    }

    private mutating func keep(_ text: String, _ budget: EvidenceBudget) -> String {
        let kept = texts.keep(text)
        cutTexts = texts.cut
        budget.count(kept)
        return kept
    }

    /// The last execution of the record's test, if it has not ended.
    private func open(_ record: ObserverRecord) -> Int? {
        guard let index = last[record.id], executions[index].end == nil else { return nil }
        return index
    }
}

/// One line of the observer.
private struct ObserverRecord {
    var event = ""
    var time = 0.0
    var className = ""
    var name = ""
    var text = ""
    var file: String?
    var line: Int?
    var duration: Double?
    var isSkipped = false
    var isDeaf = false
    var failures = 0

    init(_ cursor: inout JSONCursor) throws(JSONFault) {
        var counts: [Int] = []
        try cursor.object { cursor, key throws(JSONFault) in
            if try cursor.null() { return }
            switch key {
            case "ev": event = try cursor.string()
            case "t": time = try cursor.double()
            case "cls": className = try cursor.string()
            case "name": name = try cursor.string()
            case "desc": text = try cursor.string()
            case "file": file = try cursor.string()
            case "line": line = try cursor.integer()
            case "dur": duration = try cursor.double()
            case "skipped": isSkipped = try cursor.boolean()
            case "deaf": isDeaf = try cursor.boolean()
            case "failures", "unexpected": counts.append(try cursor.integer())
            default: try cursor.skip()
            }
        }
        guard !event.isEmpty else { throw cursor.fault("a record without 'ev'") }
        failures = counts.reduce(0) { $0.addingReportingOverflow(max(0, $1)).partialValue }
    }

    var id: TestID { TestPath.identity(className: className, name: name) }

    /// The test; or the class, where the record is of no test.
    var subject: String { name.isEmpty ? className : id.description }

    var issue: Issue {
        // A thrown error has no place; XCTest writes `<EXPR>` and 0 then.
        let location = file.flatMap { file in
            (line ?? 0) > 0 && !file.hasPrefix("<") ? SourceLocation(path: file, line: line ?? 1) : nil
        }
        return Issue(message: text, location: location)
    }
}
