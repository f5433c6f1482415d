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

/// Reads the results of runs; lists that runs share are read once, as long as few enough tests are in them.
final class ResultReading {
    /// How many tests the lists have at most that are kept, in all: 4 MB.
    static let mostKept = 500_000

    private let connection: Connection
    private let mostKept: Int
    private var testLists: [Int64: [Int64]] = [:]
    /// How many tests the lists have that are kept.
    private(set) var kept = 0

    /// - Parameter mostKept: How many tests the lists have at most that are kept.
    init(_ connection: Connection, mostKept: Int = ResultReading.mostKept) {
        (self.connection, self.mostKept) = (connection, mostKept)
    }

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
        // Each run may have a list of its own, and as many tests as somebody likes.
        guard testList.count <= mostKept else { return testList }
        if kept + testList.count > mostKept { (testLists, kept) = ([:], 0) }
        testLists[id] = testList
        kept += testList.count
        return testList
    }

    /// The tests of a module in a run, in their order.
    ///
    /// A list is in the order of identities, which begin with the module, so only a few names are looked at, however many tests the run
    /// and the project have.
    func tests(ofModule module: String, in run: Int64) throws -> ArraySlice<Int64> {
        guard let list = try connection.statement(.testListOfRun).first(run, row: { $0.integer(0) }) else {
            throw Self.missing
        }
        let tests = try testList(list)
        let wanted = Name(module)
        /// The place of the first test whose module is not one of those that come before.
        func firstPlace(behind isBefore: (Name) -> Bool) throws -> Int {
            var (low, high) = (0, tests.count)
            while low < high {
                let middle = (low + high) / 2
                if isBefore(Name(try connection.identity(of: tests[middle]).module)) {
                    low = middle + 1
                } else {
                    high = middle
                }
            }
            return low
        }
        let start = try firstPlace { $0 < wanted }
        let end = try firstPlace { $0 <= wanted }
        return tests[start..<end]
    }

    static let missing = UnreadableContent("a run has no results")
    static let missingAttempt = UnreadableContent("an attempt of a test is missing")
    static let mismatch = UnreadableContent("the results of a run do not fit its tests")
}
