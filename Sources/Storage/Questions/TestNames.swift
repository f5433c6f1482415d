import RunModel

/// The names of a project's tests, as in its latest full run; a test that is not in that run has the names of its last
/// description.
struct TestNames {
    private let connection: Connection
    private let editions: [Int64: Int]
    /// The tests of the latest full run, ordered by identity.
    let latest: [Int64]

    init(of project: Int64, _ connection: Connection) throws {
        self.connection = connection
        guard let latest = try connection.statement(.latestFullRun).first(project, row: { $0.integer(0) }) else {
            editions = [:]
            self.latest = []
            return
        }
        let results = try ResultReading(connection).results(latest)
        self.latest = results.tests
        editions = Dictionary(zip(results.tests, results.editions)) { first, _ in first }
    }

    /// A test by its identity and its row.
    func named(_ id: TestID, row: Int64) throws -> NamedTest {
        let names = try connection.statement(.displayNames).first(row, editions[row] ?? .max) {
            (test: $0.optionalText(0), suite: $0.optionalText(1), tags: try $0.texts(2))
        }
        return NamedTest(id, displayName: names?.test, suiteDisplayName: names?.suite, tags: names?.tags ?? [])
    }
}
