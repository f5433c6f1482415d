import Evidence
import RunModel

/// What one event stream of Swift Testing says, one record a line, in a version that is known.
///
/// Records and fields of kinds that are not known here are passed over, as the format grows by addition.
struct EventStream: Equatable {
    /// A test function that was listed or selected, in the order of the stream.
    struct Function: Equatable {
        var id: EventTestID
        var displayName: String?
        var suiteDisplayName: String?
        /// Its tags and those of its suites.
        var tags: [String] = []
        var location: SourceLocation?
        var isParameterized = false
        /// Values of the arguments, one text a case, where the stream tells them.
        var arguments: [String] = []
        /// Every execution in order.
        var executions: [Execution] = []
        /// Whether the test said it does not want to run, before it began or while it ran.
        var isSkipped = false
        var skipReason: String?
        /// The files that it attached, in the order of the stream.
        var attached: [AttachedFile] = []
    }

    /// A file that a test attached.
    struct AttachedFile: Equatable {
        /// What the test called it.
        var name: String
        /// Where Swift Testing wrote it.
        var path: String
    }

    /// One execution of a test function, over all its arguments.
    struct Execution: Equatable {
        /// Seconds on the clock that does not jump.
        var start: Double
        var end: Double?
        /// Which repetition it is, from 1; `nil` where the stream does not count them.
        var iteration: Int?
        var issues: [Issue] = []
        /// How many cases of a parameterized test began, and how many of them cancelled themselves.
        var cases = (begun: 0, cancelled: 0)

        static func == (left: Execution, right: Execution) -> Bool {
            left.start == right.start && left.end == right.end && left.iteration == right.iteration
                && left.issues == right.issues
                && left.cases == right.cases
        }
    }

    var functions: [Function] = []
    /// Issues that name no test, or a suite.
    var strayIssues: [(suite: String, issue: Issue)] = []
    var hasStarted = false
    /// Whether the record that ends a run is there: only then is everything there.
    var hasEnded = false
    /// Whether the last line is cut off.
    var isTruncated = false
    /// How many texts are not whole.
    var cutTexts = 0

    static func == (left: EventStream, right: EventStream) -> Bool {
        left.functions == right.functions && left.hasStarted == right.hasStarted && left.hasEnded == right.hasEnded
            && left.isTruncated == right.isTruncated
            && left.strayIssues.elementsEqual(right.strayIssues) { $0.suite == $1.suite && $0.issue == $1.issue }
    }

    /// Reads a stream.
    ///
    /// - Throws: `EvidenceError.malformed` for a line that is not such a record, `.tooLarge` for more than is kept of a run; a cut
    ///   last line is only noted.
    static func read(_ bytes: [UInt8], file: String) throws(EvidenceError) -> EventStream {
        try bytes.lent { document throws(EvidenceError) in
            try read(document, file: file, budget: EvidenceBudget())
        }
    }

    /// The same of bytes that are lent.
    static func read(
        _ document: LentBytes, file: String, budget: EvidenceBudget
    ) throws(EvidenceError) -> EventStream {
        var builder = EventStreamBuilder(budget)
        let ending = try JSONLines.read(document, file: file) { cursor throws(JSONFault) in
            builder.add(try EventRecord(&cursor))
            try cursor.check(budget)
        }
        builder.nameSuites()
        builder.stream.isTruncated = ending.isTruncated
        return builder.stream
    }
}

/// Puts records together, as they come.
struct EventStreamBuilder {
    var stream = EventStream()
    private let budget: EvidenceBudget
    private var texts = TextAllowance()
    private var places: [Name: Int] = [:]
    /// The display names of suites, by the identity of the suite.
    private var suiteNames: [Name: String] = [:]
    /// The arguments that are known of each parameterized function, which may be many thousands.
    private var arguments: [Int: Set<Name>] = [:]

    init(_ budget: EvidenceBudget) { self.budget = budget }

    mutating func add(_ record: EventRecord) {
        switch record.kind {
        case .test: addTest(record)
        case .event: addEvent(record)
        case .other: break
        }
    }

    private mutating func addTest(_ record: EventRecord) {
        if record.payloadKind == "suite", let name = record.displayName {
            suiteNames[Name(record.id)] = name
            budget.count(.name)
            budget.count(name)
            budget.count(record.id)
        }
        guard record.payloadKind == "function" else { return }
        let place = function(record.id)
        stream.functions[place].displayName = record.displayName
        stream.functions[place].tags = record.tags
        for tag in record.tags { budget.count(tag) }
        stream.functions[place].location = record.location
        stream.functions[place].isParameterized = record.isParameterized
        if let name = record.displayName { budget.count(name) }
        if let location = record.location { budget.count(location.path) }
        if record.isParameterized {
            stream.functions[place].arguments = record.caseNames
            for name in record.caseNames { countArgument(name) }
            arguments[place] = Set(record.caseNames.map { Name($0) })
        }
    }

    private mutating func addEvent(_ record: EventRecord) {
        switch record.payloadKind {
        case "runStarted": stream.hasStarted = true
        case "runEnded": stream.hasEnded = true
        case "issueRecorded": addIssue(record)
        case "testStarted":
            guard let place = known(record.testID) else { return }
            stream.functions[place].executions.append(
                EventStream.Execution(start: record.instant, iteration: record.iteration))
            budget.count(.message)
        case "testEnded":
            guard let place = known(record.testID), let last = execution(of: place, record) else { return }
            stream.functions[place].executions[last].end = record.instant
        case "testSkipped", "testCancelled":
            guard let place = known(record.testID) else { return }
            stream.functions[place].isSkipped = true
            stream.functions[place].skipReason = record.reason.map { keep($0) }
        case "valueAttached":
            guard let place = known(record.testID), let path = record.attachedPath else { return }
            let name = record.attachedName ?? String(path.pathParts().last ?? "")
            stream.functions[place].attached.append(EventStream.AttachedFile(name: keep(name), path: path))
            budget.count(.name)
            budget.count(path)
        case "testCaseCancelled": cancelCase(record)
        case "testCaseStarted":
            countCase(record)
            // Only if the list of cases is missing: then the message for people has the argument.
            guard let place = known(record.testID), stream.functions[place].isParameterized,
                let argument = record.caseName ?? record.argumentInWords
            else { return }
            let isNew = arguments[place, default: []].insert(Name(argument)).inserted
            guard record.caseName == nil || isNew else { return }
            stream.functions[place].arguments.append(argument)
            countArgument(argument)
        default: break
        }
    }

    private mutating func countCase(_ record: EventRecord) {
        guard let place = known(record.testID), let last = execution(of: place, record) else { return }
        stream.functions[place].executions[last].cases.begun += 1
    }

    /// A case that cancels itself is no failure, and it has not passed: a test of nothing but such cases is skipped.
    private mutating func cancelCase(_ record: EventRecord) {
        guard let place = known(record.testID) else { return }
        guard stream.functions[place].isParameterized else {
            stream.functions[place].isSkipped = true
            stream.functions[place].skipReason = record.reason.map { keep($0) }
            return
        }
        guard let last = execution(of: place, record) else { return }
        budget.count(.message)
        stream.functions[place].executions[last].cases.cancelled += 1
        stream.functions[place].executions[last].issues.append(
            Issue(
                message: keep(record.reason ?? ""), location: record.location, isCancellation: true,
                argument: record.caseName))
    }

    private func countArgument(_ name: String) {
        budget.count(.name)
        budget.count(name)
    }

    private mutating func keep(_ text: String) -> String {
        let kept = texts.keep(text)
        stream.cutTexts = texts.cut
        budget.count(kept)
        return kept
    }

    private mutating func addIssue(_ record: EventRecord) {
        var issue = record.issue
        issue.message = keep(issue.message)
        if let location = issue.location { budget.count(location.path) }
        budget.count(.message)
        guard let place = known(record.testID) else {
            budget.count(.execution)
            budget.count(record.testID ?? "")
            stream.strayIssues.append((record.testID ?? "", issue))
            return
        }
        if stream.functions[place].isParameterized { issue.argument = record.caseName }
        if stream.functions[place].executions.isEmpty {
            // A test whose traits fail never starts; what they recorded is its result anyway.
            stream.functions[place].executions.append(EventStream.Execution(start: record.instant, end: record.instant))
        }
        let last = execution(of: place, record) ?? stream.functions[place].executions.count - 1
        stream.functions[place].executions[last].issues.append(issue)
    }

    /// The execution that a record is about: that of its repetition, else the last one.
    private func execution(of place: Int, _ record: EventRecord) -> Int? {
        let executions = stream.functions[place].executions
        let own = record.iteration.flatMap { number in executions.lastIndex { $0.iteration == number } }
        return own ?? executions.indices.last
    }

    private func known(_ id: String?) -> Int? { id.flatMap { places[Name($0)] } }

    private mutating func function(_ id: String) -> Int {
        if let place = places[Name(id)] { return place }
        stream.functions.append(EventStream.Function(id: EventTestID(function: id)))
        budget.count(.streamedTest)
        // As a whole, and in its parts.
        budget.count(bytes: 2 * id.utf8.count)
        places[Name(id)] = stream.functions.count - 1
        return stream.functions.count - 1
    }

    /// Gives every function the names of its suites, which come in any order.
    mutating func nameSuites() {
        guard !suiteNames.isEmpty else { return }
        var known: [Name: String?] = [:]
        for place in stream.functions.indices {
            let test = stream.functions[place].id.test
            let suite = Name("\(test.module).\(test.suite)")
            let name = known[suite] ?? displayName(ofSuiteOf: test)
            known[suite] = .some(name)
            stream.functions[place].suiteDisplayName = name
        }
    }

    private func displayName(ofSuiteOf test: TestID) -> String? {
        var id = test.module
        var words: [String] = []
        var isNamed = false
        for part in TestPath.split(test.suite[...], at: UInt8(ascii: "/")) {
            id += "\(words.isEmpty ? "." : "/")\(part)"
            let name = suiteNames[Name(id)]
            isNamed = isNamed || name != nil
            words.append(name ?? String(part))
        }
        return isNamed ? words.joined(separator: "/") : nil
    }
}
