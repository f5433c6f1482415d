import RunModel

/// A digest that only finds candidates; equality is always decided on the bytes themselves (FNV-1a, 64 bits).
struct ContentDigest {
    private var state: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func combine(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { state = (state ^ UInt64(byte)) &* 0x100_0000_01B3 }
    }

    /// Adds text and an end mark that no UTF-8 has, so that parts cannot run into each other.
    mutating func combine(_ text: String?) {
        guard let text else { return combine(CollectionOfOne(0xFE)) }
        combine(text.utf8)
        combine(CollectionOfOne(0xFF))
    }

    mutating func combine(_ number: Int64) {
        withUnsafeBytes(of: number.littleEndian) { combine($0) }
    }

    var value: Int64 { Int64(bitPattern: state) }
}

/// Finds or inserts what many runs share: texts, tests, their descriptions, the coverage of a file.
struct Interning {
    private let connection: Connection
    private let project: Int64
    private let findContent: PreparedStatement
    private let insertContent: PreparedStatement
    private let findTest: PreparedStatement
    private let insertTest: PreparedStatement
    private let findDescription: PreparedStatement
    private let insertDescription: PreparedStatement
    private let findFile: PreparedStatement
    private let insertFile: PreparedStatement
    private let findCoverage: PreparedStatement
    private let insertCoverage: PreparedStatement
    // Neighbors mostly lie in one file.
    private var lastPath: (text: String, id: Int64)?

    init(_ connection: Connection, project: Int64) throws {
        self.connection = connection
        self.project = project
        findContent = try connection.statement("SELECT id FROM content WHERE digest = ?1 AND body = ?2")
        insertContent = try connection.statement("INSERT INTO content (digest, body) VALUES (?1, ?2)")
        findTest = try connection.statement(.testByIdentity)
        insertTest = try connection.statement(
            "INSERT INTO test (project, module, suite, name, discriminator) VALUES (?1, ?2, ?3, ?4, ?5)"
        )
        findDescription = try connection.statement(
            """
            SELECT id FROM description
            WHERE test = ?1 AND digest = ?2 AND library = ?3 AND display_name IS ?4 AND path IS ?5 AND line IS ?6
                AND utf8_column IS ?7 AND arguments IS ?8 AND skip_reason IS ?9
            """
        )
        insertDescription = try connection.statement(
            """
            INSERT INTO description
                (test, digest, library, display_name, path, line, utf8_column, arguments, skip_reason)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
            """
        )
        findFile = try connection.statement(
            "SELECT id FROM source_file WHERE project = ?1 AND path = ?2 AND module = ?3")
        insertFile = try connection.statement("INSERT INTO source_file (project, path, module) VALUES (?1, ?2, ?3)")
        findCoverage = try connection.statement(
            """
            SELECT id FROM file_coverage
            WHERE file = ?1 AND digest = ?2 AND source_hash IS ?3 AND line_states = ?4
                AND lines_covered = ?5 AND lines_total = ?6 AND regions_covered = ?7 AND regions_total = ?8
                AND functions_covered = ?9 AND functions_total = ?10
            """
        )
        insertCoverage = try connection.statement(
            """
            INSERT INTO file_coverage (
                file, digest, source_hash, line_states, lines_covered, lines_total,
                regions_covered, regions_total, functions_covered, functions_total
            ) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
            """
        )
    }

    /// The row of a text.
    func content(_ text: String) throws -> Int64 {
        var digest = ContentDigest()
        digest.combine(text)
        let body = Bytes(text)
        if let id = try findContent.first(digest.value, body, row: { $0.integer(0) }) { return id }
        try insertContent.execute(digest.value, body)
        return connection.lastInsertedRow
    }

    /// The row of a text that is often the one asked for last.
    mutating func path(_ text: String?) throws -> Int64? {
        guard let text else { return nil }
        if let lastPath, lastPath.text.utf8.elementsEqual(text.utf8) { return lastPath.id }
        let id = try content(text)
        lastPath = (text, id)
        return id
    }

    /// The row of a test.
    func test(_ id: TestID) throws -> Int64 {
        let module = Bytes(id.module)
        let suite = Bytes(id.suite)
        let name = Bytes(id.name)
        let file = Bytes(id.discriminator)
        if let row = try findTest.first(project, module, suite, name, file, row: { $0.integer(0) }) { return row }
        try insertTest.execute(project, module, suite, name, file)
        return connection.lastInsertedRow
    }

    /// The row of what a test says of itself, apart from how it ended.
    mutating func description(of result: TestResult, test: Int64) throws -> Int64 {
        let path = try path(result.location?.path)
        let line = result.location?.line
        let column = result.location?.column
        let arguments = result.arguments.isEmpty ? nil : try StoredJSON.encode(result.arguments)
        var digest = ContentDigest()
        digest.combine(Int64(result.library.storedCode))
        digest.combine(result.displayName)
        digest.combine(path ?? 0)
        digest.combine(Int64(line ?? 0))
        digest.combine(Int64(column ?? 0))
        digest.combine(arguments)
        digest.combine(result.skipReason)
        let found = try findDescription.first(
            test, digest.value, result.library.storedCode, result.displayName, path, line, column, arguments,
            result.skipReason, row: { $0.integer(0) }
        )
        if let found { return found }
        try insertDescription.execute(
            test, digest.value, result.library.storedCode, result.displayName, path, line, column, arguments,
            result.skipReason
        )
        return connection.lastInsertedRow
    }

    /// The row of a file's coverage; `nil` when its lines are not in order.
    func coverage(_ file: FileCoverage) throws -> Int64? {
        guard let states = LineStates.encode(file.lines) else { return nil }
        let path = Bytes(file.path)
        let module = Bytes(file.module)
        var row = try findFile.first(project, path, module) { $0.integer(0) }
        if row == nil {
            try insertFile.execute(project, path, module)
            row = connection.lastInsertedRow
        }
        let lines = file.lineTally
        let numbers = [
            lines.covered, lines.total, file.regions.covered, file.regions.total, file.functions.covered,
            file.functions.total,
        ]
        var digest = ContentDigest()
        digest.combine(file.sourceHash)
        digest.combine(states)
        for number in numbers { digest.combine(Int64(number)) }
        let found = try findCoverage.first(
            row, digest.value, file.sourceHash, states, numbers[0], numbers[1], numbers[2], numbers[3], numbers[4],
            numbers[5], row: { $0.integer(0) }
        )
        if let found { return found }
        try insertCoverage.execute(
            row, digest.value, file.sourceHash, states, numbers[0], numbers[1], numbers[2], numbers[3], numbers[4],
            numbers[5]
        )
        return connection.lastInsertedRow
    }
}
