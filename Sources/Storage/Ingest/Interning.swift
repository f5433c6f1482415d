import Cryptography
import RunModel

/// Finds or inserts what many runs share: texts, tests, their descriptions, source files.
struct Interning {
    private let connection: Connection
    private let project: Int64
    private let findContent: PreparedStatement
    private let insertContent: PreparedStatement
    private let insertTest: PreparedStatement
    private let findEdition: PreparedStatement
    private let lastEdition: PreparedStatement
    private let insertEdition: PreparedStatement
    private let findFile: PreparedStatement
    private let insertFile: PreparedStatement
    // Consecutive tests are mostly in one file.
    private var lastPath: (text: String, id: Int64)?

    init(_ connection: Connection, project: Int64) throws {
        self.connection = connection
        self.project = project
        findContent = try connection.statement("SELECT id FROM content WHERE digest = ?1 AND body = ?2")
        insertContent = try connection.statement("INSERT INTO content (digest, body) VALUES (?1, ?2)")
        insertTest = try connection.statement(
            "INSERT INTO test (project, module, suite, name, discriminator) VALUES (?1, ?2, ?3, ?4, ?5)"
        )
        findEdition = try connection.statement(
            """
            SELECT edition FROM description
            WHERE test = ?1 AND digest = ?10 AND line IS ?4 AND utf8_column IS ?5 AND path IS ?3 AND display_name IS ?2
                AND arguments IS ?6 AND skip_reason IS ?7 AND suite_display_name IS ?8 AND tags IS ?9
            """
        )
        lastEdition = try connection.statement("SELECT coalesce(max(edition), 0) FROM description WHERE test = ?1")
        insertEdition = try connection.statement(
            """
            INSERT INTO description (
                test, edition, display_name, path, line, utf8_column, arguments, skip_reason, suite_display_name, tags, digest)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
            """
        )
        findFile = try connection.statement(
            "SELECT id FROM source_file WHERE project = ?1 AND path = ?2 AND module = ?3")
        insertFile = try connection.statement("INSERT INTO source_file (project, path, module) VALUES (?1, ?2, ?3)")
    }

    /// The row of a text.
    func content(_ text: String) throws -> Int64 { try content(Array(text.utf8)) }

    /// The row of a list of bytes.
    func content(_ body: [UInt8]) throws -> Int64 {
        // The digest only finds candidates: the bytes decide.
        let digest = Self.shortened(SHA256.hash(body))
        if let id = try findContent.first(digest, Bytes(body), row: { $0.integer(0) }) { return id }
        try insertContent.execute(digest, Bytes(body))
        return connection.lastInsertedRow
    }

    /// The row of a text that is often the same as in the last call.
    mutating func path(_ text: String?) throws -> Int64? {
        guard let text else { return nil }
        if let lastPath, Name(lastPath.text) == Name(text) { return lastPath.id }
        let id = try content(text)
        lastPath = (text, id)
        return id
    }

    /// The rows of tests.
    func tests(_ ids: some Sequence<TestID>) throws -> [Int64] {
        try ids.map { id in
            if let row = try connection.row(of: id, in: project) { return row }
            try insertTest.execute(project, Bytes(id.module), Bytes(id.suite), Bytes(id.name), Bytes(id.discriminator))
            return connection.lastInsertedRow
        }
    }

    /// The edition of a test's description, which is everything in its result but how it ended; 0 if there is none.
    mutating func edition(of result: TestResult, test: Int64) throws -> Int {
        let arguments = result.arguments.isEmpty ? nil : try StoredJSON.encode(result.arguments)
        let tags = result.tags.isEmpty ? nil : try StoredJSON.encode(result.tags)
        let texts = [result.displayName, result.suiteDisplayName, arguments, result.skipReason, tags]
        guard result.location != nil || texts.contains(where: { $0 != nil }) else { return 0 }
        let path = try path(result.location?.path)
        let line = result.location?.line
        let column = result.location?.column
        // A test may have any number of descriptions: the digest only finds candidates, and the fields decide.
        let digest = Self.digest(texts, numbers: [path.map(Int.init), line, column])
        let found = try findEdition.first(
            test, result.displayName, path, line, column, arguments, result.skipReason, result.suiteDisplayName, tags,
            digest, row: { $0.int(0) })
        if let found { return found }
        let edition = try (lastEdition.first(test) { $0.int(0) } ?? 0) + 1
        try insertEdition.execute(
            test, edition, result.displayName, path, line, column, arguments, result.skipReason,
            result.suiteDisplayName, tags, digest)
        return edition
    }

    private static func digest(_ texts: [String?], numbers: [Int?]) -> Int64 {
        var bytes: [UInt8] = []
        for text in texts {
            bytes += text.map { Array($0.utf8) + [1] } ?? []
            bytes.append(0)
        }
        for number in numbers { Varint.append(UInt64(bitPattern: Int64(number ?? -1)), to: &bytes) }
        return shortened(SHA256.hash(bytes))
    }

    private static func shortened(_ digest: [UInt8]) -> Int64 {
        digest.prefix(8).reduce(Int64(0)) { $0 << 8 | Int64($1) }
    }

    /// The row of a source file.
    func file(path: String, module: String) throws -> Int64 {
        let path = Bytes(path)
        let module = Bytes(module)
        if let row = try findFile.first(project, path, module, row: { $0.integer(0) }) { return row }
        try insertFile.execute(project, path, module)
        return connection.lastInsertedRow
    }
}
