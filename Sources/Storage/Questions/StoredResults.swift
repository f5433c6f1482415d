import RunModel

/// The stored results of a run: lists of the same length, in the order of the identities.
struct StoredResults {
    /// The rows of the tests.
    let tests: [Int64]
    let editions: [Int]
    /// One byte for each test; see `PackedResult`.
    let endings: [UInt8]
    /// In nanoseconds, to three significant digits.
    let durations: [Int64?]

    var indices: Range<Int> { tests.indices }
}

/// Reads the results of runs; shared lists are read once.
final class ResultReading {
    private let connection: Connection
    private var testLists: [Int64: [Int64]] = [:]

    init(_ connection: Connection) { self.connection = connection }

    func results(_ run: Int64) throws -> StoredResults {
        guard let row = try connection.statement(.results).first(run, row: Row.init) else {
            throw Self.missing
        }
        let tests = try testList(row.testList)
        let results = StoredResults(
            tests: tests, editions: try TestList.decode(editions: connection.bytes(row.editions)),
            endings: try Deflate.unpacked(row.endings), durations: try DurationList.decode(row.durations)
        )
        let counts = [results.editions.count, results.endings.count, results.durations.count]
        guard counts.allSatisfy({ $0 == tests.count }) else { throw Self.mismatch }
        return results
    }

    /// A row of `run_results`.
    private struct Row {
        let testList, editions: Int64
        let endings, durations: [UInt8]

        init(_ row: StatementRow) {
            (testList, editions, endings, durations) = (row.integer(0), row.integer(1), row.bytes(2), row.bytes(3))
        }
    }

    /// The index of each test in a run; `nil` if the run does not have it.
    func places(of tests: [Int64], inTestList id: Int64) throws -> [Int?] {
        let testList = try testList(id)
        guard tests.count > 1 else { return tests.map { testList.firstIndex(of: $0) } }
        let wanted = Set(tests)
        var found: [Int64: Int] = [:]
        for (index, test) in testList.enumerated() where wanted.contains(test) { found[test] = index }
        return tests.map { found[$0] }
    }

    /// The packed results of some tests in a run; `nil` if the run does not have the test.
    func endings(of tests: [Int64], in run: Int64) throws -> [(byte: UInt8, duration: Int64?)?] {
        guard let row = try connection.statement(.results).first(run, row: Row.init) else {
            return tests.map { _ in nil }
        }
        let places = try places(of: tests, inTestList: row.testList)
        guard places.contains(where: { $0 != nil }) else { return tests.map { _ in nil } }
        let endings = try Deflate.unpacked(row.endings)
        let durations = try DurationList.decode(row.durations)
        guard endings.count == durations.count else { throw Self.mismatch }
        return try places.map { place in
            guard let place else { return nil }
            guard place < endings.count else { throw Self.mismatch }
            return (endings[place], durations[place])
        }
    }

    /// Of so few tests it is asked first whether all of them failed.
    private static let few = 16

    /// The outcomes of some tests in a run; `nil` if the run does not have the test.
    func outcomes(of tests: [Int64], in run: Int64) throws -> [Outcome?] {
        if let failures = try failures(of: tests, in: run) { return failures }
        let row = try connection.statement(.results).first(run) { (testList: $0.integer(0), endings: $0.bytes(2)) }
        guard let row else { return tests.map { _ in nil } }
        let endings = try Deflate.unpacked(row.endings)
        return try places(of: tests, inTestList: row.testList).map { place in
            guard let place else { return nil }
            guard place < endings.count else { throw Self.mismatch }
            return try PackedResult(endings[place]).outcome
        }
    }

    /// How tests failed in a run, if they are few and all of them did: a failure has a row of its own, so that nothing is unpacked.
    private func failures(of tests: [Int64], in run: Int64) throws -> [Outcome]? {
        guard tests.count <= Self.few else { return nil }
        let statement = try connection.statement(.failureOfTest)
        var outcomes: [Outcome] = []
        for test in tests {
            let found = try statement.first(run, test) { try Outcome(storedCode: $0.integer(0)) }
            guard let found else { return nil }
            outcomes.append(found)
        }
        return outcomes
    }

    /// The tests of a run in the order of their identities.
    func testList(_ id: Int64) throws -> [Int64] {
        if let known = testLists[id] { return known }
        let testList = try TestList.decode(tests: connection.bytes(id))
        testLists[id] = testList
        return testList
    }

    static let missing = UnreadableContent("a run has no results")
    static let missingAttempt = UnreadableContent("an attempt of a test is missing")
    static let mismatch = UnreadableContent("the results of a run do not fit its tests")
}
