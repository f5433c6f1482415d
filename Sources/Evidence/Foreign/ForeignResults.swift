import RunModel

/// Collects the results of several reports; a test that occurs twice becomes one with two attempts.
///
/// Cases that only passed may be kept apart, in columns: that is several times as fast, and the same as long as no test
/// occurs twice, which shows at the end.
struct ForeignResults {
    let paths: PackagePaths
    private let keepsPassedApart: Bool
    private(set) var tests: [TestResult] = []
    private(set) var passed = PassedTests(library: .foreign)
    private(set) var notes: [Note] = []
    private var faults: [Gap] = []
    private var places = IdentityPlaces()

    init(paths: PackagePaths, keepsPassedApart: Bool) {
        self.paths = paths
        self.keepsPassedApart = keepsPassedApart
    }

    /// All results in order; `nil` when a test that is kept apart occurs twice.
    var together: TestResults? { TestResults(tests, passed) }

    /// What is wrong with the reports read so far. A test that one of them lists another may have run.
    var gaps: [Gap] {
        let missing = tests.filter { $0.outcome == .notRun }
        guard let first = missing.first else { return faults }
        let count = tests.count + passed.count
        let detail = "\(missing.count) of \(count) tests have no result, the first is \(first.id)"
        return faults + [Gap(.testsNotRun, detail: detail)]
    }

    /// How long the tests took together.
    var duration: Duration { tests.reduce(passed.duration) { $0 + ($1.duration ?? .zero) } }

    /// Reads the results of a report that holds some.
    mutating func add(_ report: ForeignReport) throws(EvidenceError) {
        switch try report.format() {
        case .xunit where keepsPassedApart:
            if let columns = report.columns { return add(columns, report.path) }
            add(try .readApart(report.bytes(), file: report.path), report.path)
        case .xunit: add(try .read(report.bytes(), file: report.path, origin: .foreign), report.path)
        case .eventStream: add(try Self.completeStream(report))
        case .coverageExport, .cobertura, .lcov: break
        }
    }

    private static func completeStream(_ report: ForeignReport) throws(EvidenceError) -> EventStream {
        let bytes = try report.bytes()
        let stream = try EventStream.read(bytes, file: report.path)
        guard stream.hasEnded, !stream.isTruncated else {
            let line = TextPosition(of: bytes.count, in: bytes).line
            throw .truncated(file: report.path, line: line, reason: "the record that ends a run is missing")
        }
        return stream
    }

    private mutating func add(_ report: XUnitReport, _ file: String) {
        for repair in report.repairs { notes.append(Note(.reportRepaired, subject: file, detail: repair)) }
        tests.reserveCapacity(tests.count + report.cases.count)
        places.reserve(tests.count + report.cases.count)
        passed.append(report.passed)
        for entries in [report.cases, report.strayProblems] {
            for entry in entries {
                var result = TestResult(id: entry.id, library: .foreign, outcome: .notRun)
                result.take(entry)
                if result.location != nil { result.location = paths.relative(result.location) }
                add(result)
            }
        }
        for contradiction in report.contradictions {
            faults.append(Gap(.resultsContradict, subject: file, detail: contradiction))
        }
        if report.unreadableNumbers > 0 {
            let detail = "\(report.unreadableNumbers) durations are not numbers and were left out"
            notes.append(Note(.reportMalformed, subject: file, detail: detail))
        }
    }

    private mutating func add(_ stream: EventStream) {
        let ids = TestDiscriminators(stream.functions.map(\.id))
        for function in stream.functions {
            add(function.result(id: ids[function.id], paths: paths) { _ in TestAttempt(outcome: .crashed) })
        }
        for stray in stream.strayIssues where stray.issue.isFailure {
            faults.append(Gap(.issueWithoutTest, subject: stray.suite, detail: stray.issue.message))
        }
    }

    private mutating func add(_ result: TestResult) {
        guard let place = places.place(of: result.id, in: tests) else {
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

/// Where the result of a test is, found by a hash of its identity that is cheaper than that of a dictionary.
///
/// Anybody may write names that have the same hash; those are kept in a dictionary, whose hash nobody can foresee.
private struct IdentityPlaces {
    private var places: [UInt64: Int] = [:]
    private var others: [TestID: Int] = [:]

    /// Makes room for so many tests.
    mutating func reserve(_ count: Int) { places.reserveCapacity(count) }

    /// The place of a test among `tests`; `nil` when it is not there, and then it is expected to be appended.
    mutating func place(of id: TestID, in tests: [TestResult]) -> Int? {
        let hash = Self.hash(id)
        guard let place = places[hash] else {
            places[hash] = tests.count
            return nil
        }
        if tests[place].id == id { return place }
        if let place = others[id] { return place }
        others[id] = tests.count
        return nil
    }

    private static func hash(_ id: TestID) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for part in [id.module, id.suite, id.name, id.discriminator] {
            var part = part
            part.withUTF8 { bytes in
                var rest = UnsafeRawBufferPointer(bytes)[...]
                while rest.count >= 8 {
                    let word = UnsafeRawBufferPointer(rebasing: rest).loadUnaligned(as: UInt64.self)
                    hash = (hash ^ word) &* 0x9E37_79B9_7F4A_7C15
                    hash ^= hash >> 29
                    rest = rest.dropFirst(8)
                }
                for byte in rest { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
            }
            hash = (hash ^ 0xFF) &* 0x100_0000_01B3
        }
        return hash
    }
}
