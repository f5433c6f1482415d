public import RunModel

extension RunStore {
    /// The per-test coverage of a run; `nil` if it has none.
    ///
    /// - Parameter file: Only this file, by its path relative to the package, compared byte by byte; the tests are all of them.
    public func testMap(of id: RunID, file: String? = nil) throws(StorageError) -> TestMap? {
        try read { connection in
            guard let list = try connection.testMapList(of: id) else { return nil }
            let named = try list.tests.indices.map { index in
                (
                    id: try connection.identity(of: list.tests[index]), row: list.tests[index],
                    duration: list.durations[index]
                )
            }.sorted { $0.id < $1.id }
            let reading = try TestMapReading(list, rows: named.map(\.row), file: file, connection)
            let durations = named.compactMap { test in
                test.duration.map { (test.id, TestMapList.step * Int($0)) }
            }
            return TestMap(
                tests: named.map(\.id), sets: reading.sets, files: reading.files,
                durations: Dictionary(durations, uniquingKeysWith: max))
        }
    }

    /// Of how many lines and tests the tests of a file are counted at most.
    private static let mostCounted = (lines: 200_000, tests: 10_000_000)

    /// How many tests execute each line of a file in a run; nothing where that was not recorded, `nil` where counting them would take
    /// too long. No test's name is read.
    public func testCounts(of id: RunID, file: String) throws(StorageError) -> [Int32: Int]? {
        try read { connection in
            guard let list = try connection.testMapList(of: id) else { return [:] }
            let reading = try TestMapReading(list, rows: list.tests, file: file, connection)
            return TestMap(tests: [], sets: reading.sets, files: reading.files).counts(
                file, mostLines: Self.mostCounted.lines, mostTests: Self.mostCounted.tests)
        }
    }

    /// The newest run of a project that has per-test coverage; `nil` if there is none.
    ///
    /// - Parameter isExact: Whether only runs of exact trees count.
    public func latestRunWithTestMap(of project: String, isExact: Bool = false) throws(StorageError) -> RunID? {
        try read { connection in
            guard let project = try connection.project(project) else { return nil }
            return try connection.statement(.latestTestMap).first(project, isExact ? 1 : 0) { try $0.runID(0) }
        }
    }
}

extension Connection {
    /// The list that the per-test coverage of a run is stored as; `nil` if it has none.
    fileprivate func testMapList(of id: RunID) throws -> TestMapList? {
        let content = try statement(.testMapOfRun).first(id.description) { $0.integer(0) }
        return try content.map { try TestMapList.decode(bytes($0)) }
    }
}

/// Unites the sets of tests of all files into those of a map.
private struct TestMapReading {
    private let positions: [Int64: Int32]
    private var numbers: [TestMap.TestSet: Int] = [:]
    private(set) var sets: [TestMap.TestSet] = []
    private(set) var files: [TestMap.File] = []

    /// Reads the files of a map, or one of them.
    ///
    /// - Parameter rows: The rows of the tests, in the order of the map.
    init(_ list: TestMapList, rows: [Int64], file: String?, _ connection: Connection) throws {
        positions = Dictionary(rows.enumerated().map { ($1, Int32($0)) }, uniquingKeysWith: { first, _ in first })
        for entry in list.entries {
            let path = String(decoding: try connection.bytes(entry.path), as: UTF8.self)
            if let file, Name(file) != Name(path) { continue }
            try add(path, try PackedFileMap.decode(connection.bytes(entry.functions)))
        }
    }

    private mutating func add(
        _ path: String, _ content: (sets: [(rows: [Int64], hasOthers: Bool)], functions: [TestMap.Function])
    ) throws {
        let own = try content.sets.map { set in
            let tests = try set.rows.map { row in
                guard let position = positions[row] else {
                    throw UnreadableContent("per-test coverage names a test that was not recorded")
                }
                return position
            }
            return number(of: TestMap.TestSet(tests: tests.sorted(), hasOthers: set.hasOthers))
        }
        let functions = content.functions.map { function in
            var function = function
            function.set = own[function.set]
            for index in function.spans.indices { function.spans[index].set = own[function.spans[index].set] }
            return function
        }
        files.append(TestMap.File(path: path, functions: functions))
    }

    private mutating func number(of set: TestMap.TestSet) -> Int {
        if let number = numbers[set] { return number }
        numbers[set] = sets.count
        sets.append(set)
        return sets.count - 1
    }
}
