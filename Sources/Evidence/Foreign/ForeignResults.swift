import RunModel

/// Collects the results of several reports; a test that occurs twice becomes one with two attempts.
struct ForeignResults {
    let paths: PackagePaths
    private(set) var tests: [TestResult] = []
    private(set) var gaps: [Gap] = []
    private(set) var notes: [Note] = []
    private var places: [TestID: Int] = [:]

    init(paths: PackagePaths) { self.paths = paths }

    mutating func add(_ report: XUnitReport, _ file: String) {
        for repair in report.repairs { notes.append(Note(.reportRepaired, subject: file, detail: repair)) }
        for entry in report.cases + report.strayProblems {
            var result = TestResult(id: entry.id, library: .foreign, outcome: .notRun)
            result.take(entry)
            result.location = paths.relative(result.location)
            add(result)
        }
        for contradiction in report.contradictions {
            gaps.append(Gap(.resultsContradict, subject: file, detail: contradiction))
        }
        if report.unreadableNumbers > 0 {
            let detail = "\(report.unreadableNumbers) durations are not numbers and were left out"
            notes.append(Note(.reportMalformed, subject: file, detail: detail))
        }
    }

    mutating func add(_ stream: EventStream) {
        let ids = TestDiscriminators(stream.functions.map(\.id))
        for function in stream.functions {
            add(function.result(id: ids[function.id], paths: paths) { _ in TestAttempt(outcome: .crashed) })
        }
        for stray in stream.strayIssues where stray.issue.isFailure {
            gaps.append(Gap(.issueWithoutTest, subject: stray.suite, detail: stray.issue.message))
        }
        let missing = tests.filter { $0.outcome == .notRun }
        if let first = missing.first {
            let detail = "\(missing.count) of \(tests.count) tests have no result, the first is \(first.id)"
            gaps.append(Gap(.testsNotRun, detail: detail))
        }
    }

    private mutating func add(_ result: TestResult) {
        guard let place = places[result.id] else {
            places[result.id] = tests.count
            tests.append(result)
            return
        }
        // Which of two came later nobody says, so neither may hide the other's failure: the graver one is the last.
        guard result.outcome.gravity > tests[place].outcome.gravity else {
            tests[place].attempts = result.attempts + tests[place].attempts
            return
        }
        tests[place].attempts += result.attempts
        tests[place].outcome = result.outcome
        tests[place].skipReason = result.skipReason
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
