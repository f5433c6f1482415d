public import RunModel

extension RunStore {
    /// The test map of a run; `nil` if it has none.
    ///
    /// - Parameter file: Only this file, by its path relative to the package, compared byte by byte; the tests are all of them.
    public func testMap(of id: RunID, file: String? = nil) throws(StorageError) -> TestMap? {
        try read { connection in
            guard let content = try connection.statement(.testMapOfRun).first(id.description, row: { $0.integer(0) })
            else { return nil }
            let list = try TestMapList.decode(connection.bytes(content))
            let name = try connection.statement(.testIdentity)
            var named: [(id: TestID, row: Int64)] = []
            for row in list.tests {
                guard let id = try name.first(row, row: { $0.testID(0) }) else {
                    throw UnreadableContent("the test \(row) is missing")
                }
                named.append((id, row))
            }
            named.sort { $0.id < $1.id }
            var reading = TestMapReading(rows: named.map(\.row))
            for entry in list.entries {
                let path = String(decoding: try connection.bytes(entry.path), as: UTF8.self)
                if let file, Name(file) != Name(path) { continue }
                try reading.add(path, try PackedFileMap.decode(connection.bytes(entry.functions)))
            }
            return TestMap(tests: named.map(\.id), sets: reading.sets, files: reading.files)
        }
    }

    /// The newest run of a project that has a test map, of a commit or of any tree; `nil` if there is none.
    public func latestRunWithTestMap(of project: String) throws(StorageError) -> RunID? {
        try read { connection in
            guard let project = try connection.project(project) else { return nil }
            return try connection.statement(.latestTestMap).first(project) { try $0.runID(0) }
        }
    }
}

/// Puts the sets of files together to those of a map.
private struct TestMapReading {
    private let positions: [Int64: Int32]
    private var numbers: [TestMap.TestSet: Int] = [:]
    private(set) var sets: [TestMap.TestSet] = []
    private(set) var files: [TestMap.File] = []

    init(rows: [Int64]) {
        positions = Dictionary(rows.enumerated().map { ($1, Int32($0)) }, uniquingKeysWith: { first, _ in first })
    }

    mutating func add(
        _ path: String, _ content: (sets: [(rows: [Int64], hasOthers: Bool)], functions: [TestMap.Function])
    ) throws {
        let own = try content.sets.map { set in
            let tests = try set.rows.map { row in
                guard let position = positions[row] else {
                    throw UnreadableContent("a test map names a test that was not recorded")
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
