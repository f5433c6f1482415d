public import RunModel

extension RunStore {
    /// The slowest tests of the project's latest full run that executed any, with their durations in earlier runs.
    ///
    /// - Parameters:
    ///   - project: The project.
    ///   - limit: How many tests at most.
    ///   - runs: How many full runs the median is taken over.
    ///   - tag: Only tests with this tag; all when `nil`.
    ///   - chosen: Only these tests; all when `nil`.
    public func slowest(
        project: String, limit: Int, runs: Int, tag: String? = nil, among chosen: Set<TestID>? = nil
    ) throws(StorageError) -> [SlowTest] {
        try read { connection in
            guard let project = try connection.project(project),
                let latest = try connection.statement(.latestFullRun).first(project, row: { $0.integer(0) })
            else { return [] }
            let reading = ResultReading(connection)
            let results = try reading.results(latest)
            let names = try TestNames(of: project, connection)
            let slowest = try connection.slowest(results, limit: limit) { id, row in
                guard chosen?.contains(id) ?? true else { return false }
                return try tag.map { try names.named(id, row: row).hasTag($0) } ?? true
            }
            var durations = slowest.map { _ in [Int64]() }
            for run in try connection.statement(.latestFullRuns).all(project, runs, row: { $0.integer(0) }) {
                for (place, ending) in try reading.endings(of: slowest.map(\.row), in: run).enumerated() {
                    if let duration = ending?.duration { durations[place].append(duration) }
                }
            }
            return zip(slowest, durations).map { test, durations in
                let durations = durations.sorted()
                let middle = durations.isEmpty ? test.duration : durations[(durations.count - 1) / 2]
                return SlowTest(
                    id: test.id, latest: .nanoseconds(test.duration), median: .nanoseconds(middle),
                    longest: .nanoseconds(durations.last ?? test.duration), runs: durations.count
                )
            }
        }
    }
}

extension Connection {
    /// The tests of a run that took longest, of those that `isWanted`; of two that took the same, the first.
    fileprivate func slowest(
        _ results: StoredResults, limit: Int, where isWanted: (TestID, _ row: Int64) throws -> Bool
    ) throws -> [(row: Int64, id: TestID, duration: Int64)] {
        let timed = results.indices.compactMap { index in results.durations[index].map { (index: index, duration: $0) }
        }
        var slowest: [(row: Int64, id: TestID, duration: Int64)] = []
        for test in timed.sorted(by: { ($1.duration, $0.index) < ($0.duration, $1.index) }) where slowest.count < limit
        {
            let row = results.tests[test.index]
            let id = try identity(of: row)
            if try isWanted(id, row) { slowest.append((row, id, test.duration)) }
        }
        return slowest
    }
}
