import Cryptography
import RunModel

/// Finds the rows of all tests of a run at once: the list of a suite that is known is found by one digest of all its
/// identities, without a look at a single test.
struct TestListStorage {
    private let connection: Connection
    private let interning: Interning
    private let project: Int64

    /// A list of tests as it is stored.
    struct Stored {
        /// Its content.
        let id: Int64
        /// The rows of the tests.
        let tests: [Int64]
    }

    init(_ connection: Connection, _ interning: Interning, project: Int64) {
        (self.connection, self.interning, self.project) = (connection, interning, project)
    }

    /// The list for tests that are ordered by identity, each once.
    func testList(of ids: some Collection<TestID>) throws -> Stored {
        let digest = Bytes(Self.digest(of: ids))
        if let id = try connection.statement(.testListByDigest).first(project, digest, row: { $0.integer(0) }) {
            let tests = try TestList.decode(tests: connection.bytes(id))
            guard tests.count == ids.count else {
                throw UnreadableContent("a list of tests does not fit its digest")
            }
            return Stored(id: id, tests: tests)
        }
        let tests = try interning.tests(ids)
        let id = try interning.content(TestList.encode(tests: tests))
        try connection.statement("INSERT INTO test_list (project, digest, content) VALUES (?1, ?2, ?3)")
            .execute(project, digest, id)
        return Stored(id: id, tests: tests)
    }

    /// The SHA-256 of all identities: each of their four parts behind its length.
    static func digest(of ids: some Sequence<TestID>) -> [UInt8] {
        var hash = SHA256()
        var bytes: [UInt8] = []
        func append(_ part: String) {
            Varint.append(UInt64(part.utf8.count), to: &bytes)
            bytes.append(contentsOf: part.utf8)
        }
        for id in ids {
            bytes.removeAll(keepingCapacity: true)
            append(id.module)
            append(id.suite)
            append(id.name)
            append(id.discriminator)
            hash.update(bytes)
        }
        return hash.finalize()
    }
}
