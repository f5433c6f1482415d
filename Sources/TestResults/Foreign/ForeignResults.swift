import CodeCoverage
import Evidence
import RunModel

/// Collects the results of several reports; a test that occurs in two of them becomes one with two attempts.
struct ForeignResults {
    private let paths: PackagePaths
    private let maps: [PathMap]
    /// What the reports say, in the order they were read; a test may occur more than once.
    private var executions: [TestResult] = []
    private var suites = ForeignSuites()
    private(set) var notes: [Note] = []
    private var faults: [Gap] = []
    /// How many texts are not whole.
    private(set) var cutTexts = 0
    /// How long each report with results says that it took.
    private var told: [Duration?] = []
    private let budget: EvidenceBudget

    /// How many executions the reports have; those of one test are several.
    var executionCount: Int { executions.count }

    init(paths: PackagePaths, maps: [PathMap], budget: EvidenceBudget) {
        (self.paths, self.maps, self.budget) = (paths, maps, budget)
    }

    /// Reads the results of a report; of one that holds none, nothing.
    mutating func add(_ report: ForeignReport) throws(EvidenceError) {
        switch try report.format() {
        case .xunit: try addXUnit(report)
        case .eventStream: add(try completeStream(report))
        case .coverageExport, .cobertura, .lcov: break
        }
    }

    private mutating func addXUnit(_ report: ForeignReport) throws(EvidenceError) {
        let first = executions.count
        suites.beginFile()
        let read = try report.lent { document throws(EvidenceError) in
            try XUnitReport.read(
                document, file: report.path, origin: .foreign, budget: budget,
                restart: { executions.removeSubrange(first...) }, each: { add($0) })
        }
        suites.endFile(read.suites)
        told.append(read.duration)
        cutTexts += read.cutTexts
        add(read.strayProblems)
        for repair in read.repairs { notes.append(Note(.reportRepaired, subject: report.path, detail: repair)) }
        for contradiction in read.contradictions {
            faults.append(Gap(.resultsContradict, subject: report.path, detail: contradiction))
        }
        if read.unwrittenSkips > 0 {
            let skips = Figures.counted(read.unwrittenSkips, "skipped test")
            let detail = "\(skips) counted at the top alone, and not in it"
            notes.append(Note(.resultsContradict, subject: report.path, detail: detail))
        }
        if let first = read.firstUnknownStatus {
            let count = read.unknownStatuses
            let detail = "what became of \(count == 1 ? "a test" : "\(count) tests") is not known: \(first)"
            faults.append(Gap(.reportMalformed, subject: report.path, detail: detail))
        }
        if let first = read.firstUnknownElement {
            let detail =
                read.unknownElements == 1
                ? "an element '\(first)' of a test is not known, and nothing was read of it"
                : "\(read.unknownElements) elements of tests are not known, and nothing was read of them, "
                    + "the first is '\(first)'"
            notes.append(Note(.reportMalformed, subject: report.path, detail: detail))
        }
        if read.unreadableNumbers > 0 {
            let detail =
                read.unreadableNumbers == 1
                ? "a duration is no number of seconds up to 400 days and was left out"
                : "\(read.unreadableNumbers) durations are no numbers of seconds up to 400 days and were left out"
            notes.append(Note(.reportMalformed, subject: report.path, detail: detail))
        }
    }

    private mutating func add(_ cases: [XUnitReport.Case]) {
        for entry in cases { executions.append(result(of: entry)) }
    }

    private mutating func result(of entry: XUnitReport.Case) -> TestResult {
        var result = TestResult(
            id: entry.id.with(suites.mark(of: entry.suite)), library: .foreign, outcome: .notRun)
        result.take(entry)
        if let location = result.location {
            result.location = SourceLocation(
                path: paths.relative(maps.path(of: location.path)), line: location.line, column: location.column)
        }
        return result
    }

    private func completeStream(_ report: ForeignReport) throws(EvidenceError) -> EventStream {
        try report.lent { document throws(EvidenceError) in
            let stream = try EventStream.read(document, file: report.path, budget: budget)
            guard stream.hasEnded, !stream.isTruncated else {
                let line = TextPosition(of: document.bytes.count, in: document).line
                throw .truncated(file: report.path, line: line, reason: "the record that ends a run is missing")
            }
            return stream
        }
    }

    private mutating func add(_ stream: EventStream) {
        cutTexts += stream.cutTexts
        told.append(nil)
        let ids = TestDiscriminators(stream.functions.map(\.id))
        for function in stream.functions {
            executions.append(
                function.result(id: ids[function.id], paths: paths) { _ in TestAttempt(outcome: .crashed) })
        }
        for stray in stream.strayIssues where stray.issue.isFailure {
            faults.append(Gap(.issueWithoutTest, subject: stray.suite, detail: stray.issue.message))
        }
    }

    /// How long the tests took, one report after the other.
    ///
    /// Tests that ran beside each other took less than their sum, which counts only where a report does not say more.
    func duration(of tests: [TestResult]) -> Duration {
        let all = told.contains(nil) ? tests.totalDuration : told.reduce(.zero) { $0 + ($1 ?? .zero) }
        return min(all, RunManifest.longestDuration)
    }

    /// Hands over every test once, ordered by identity, and keeps none.
    mutating func takeTests() -> [TestResult] {
        defer { executions = [] }
        executions.orderByIdentity()
        // In place, as a second list would take as much memory again.
        var (count, start) = (0, 0)
        while start < executions.count {
            let id = executions[start].id
            let end = executions[start...].firstIndex { !$0.id.isNamed(like: id) } ?? executions.count
            if end - start == 1 {
                if count < start { executions.swapAt(count, start) }
                executions[count].id = executions[count].id.with(
                    suites.isMark(id.discriminator) ? "" : id.discriminator)
                count += 1
            } else {
                for result in tests(Array(executions[start..<end])) {
                    executions[count] = result
                    count += 1
                }
            }
            start = end
        }
        executions.removeLast(executions.count - count)
        return executions
    }

    /// What the executions of one name are: those of one test in several reports are its attempts; those in several suites of a
    /// report, and those that follow one that did not fail, are tests of their own.
    private func tests(_ executions: [TestResult]) -> [TestResult] {
        let labels = suites.labels(of: executions.map(\.id.discriminator))
        var groups: [[TestResult]] = []
        var places: [Name: Int] = [:]
        var start = 0
        while start < executions.count {
            let mark = executions[start].id.discriminator
            let end = executions[start...].firstIndex { $0.id.discriminator != mark } ?? executions.count
            // Only what failed is tried again.
            let isRetried =
                !suites.isMark(mark) || executions[start..<end].dropLast().allSatisfy(\.outcome.isFailure)
            for place in start..<end {
                var execution = executions[place]
                let number = place - start + 1
                let label = (labels[Name(mark)] ?? mark) + (isRetried || number == 1 ? "" : "#\(number)")
                budget.count(label)
                execution.id = execution.id.with(label)
                if let group = places[Name(label)] {
                    groups[group].append(execution)
                } else {
                    places[Name(label)] = groups.count
                    groups.append([execution])
                }
            }
            start = end
        }
        return groups.map { united($0) }.sorted { $0.id < $1.id }
    }

    /// One result of all executions of a test.
    ///
    /// Which of two came later nobody says, so neither may hide the other's failure: the graver one is the last.
    private func united(_ executions: [TestResult]) -> TestResult {
        var result = executions[0]
        guard executions.count > 1 else { return result }
        var (before, after): ([[TestAttempt]], [TestAttempt]) = ([], [])
        for next in executions.dropFirst() {
            guard next.outcome.gravity > result.outcome.gravity else {
                before.append(next.attempts)
                continue
            }
            after += next.attempts
            result.outcome = next.outcome
            result.skipReason = next.skipReason
        }
        result.attempts = before.reversed().flatMap { $0 } + result.attempts + after
        return result
    }

    /// What is wrong with the reports, given the tests that are in them. A test that one of them lists another may have run.
    func gaps(_ tests: [TestResult]) -> [Gap] {
        let missing = tests.indices.filter { tests[$0].outcome == .notRun }
        guard let first = missing.first else { return faults }
        let detail = "\(missing.count) of \(tests.count) tests have no result, the first is \(tests[first].id)"
        return faults + [Gap(.testsNotRun, detail: detail)]
    }
}

extension Outcome {
    /// Orders outcomes by how much they weigh against each other.
    fileprivate var gravity: Int {
        switch self {
        case .skipped: 0
        case .notRun: 1
        case .passed: 2
        case .knownIssue: 3
        case .failed: 4
        case .timedOut: 5
        case .crashed: 6
        }
    }
}

extension TestID {
    /// The same test name with another discriminator.
    fileprivate func with(_ discriminator: String) -> TestID {
        TestID(module: module, suite: suite, name: name, discriminator: discriminator)
    }
}
