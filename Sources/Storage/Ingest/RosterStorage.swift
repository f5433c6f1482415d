import Crypto
import RunModel

/// Finds the rows of all tests of a run at once: the list of a suite that is known is found by one digest of all its
/// identities, without a look at a single test.
struct RosterStorage {
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
        self.connection = connection
        self.interning = interning
        self.project = project
    }

    /// The list for results that are ordered by identity, each once.
    func roster(of results: TestResults) throws -> Stored {
        let digest = Self.digest(of: results)
        if let id = try connection.statement(.rosterByDigest).first(project, digest, row: { $0.integer(0) }) {
            let tests = try Roster.decode(tests: RunReading(connection).bytes(id))
            guard tests.count == results.count else {
                throw UnreadableContent("a list of tests does not fit its digest")
            }
            return Stored(id: id, tests: tests)
        }
        let tests = try interning.tests(of: results)
        let id = try interning.content(Roster.encode(tests: tests))
        try connection.statement("INSERT INTO roster (project, digest, content) VALUES (?1, ?2, ?3)")
            .execute(project, digest, id)
        return Stored(id: id, tests: tests)
    }

    /// The SHA-256 of all identities: each of their four parts behind its length.
    static func digest(of results: TestResults) -> [UInt8] {
        var hash = SHA256()
        var bytes: [UInt8] = []
        bytes.reserveCapacity(2 * Self.portion)
        results.passed.withColumns { passed in
            // Module and suite are the same for many neighbors.
            var (suite, start): (Int?, [UInt8]) = (nil, [])
            for index in 0..<results.count {
                if case .passed(let place) = results[index] {
                    if suite != passed.suite(of: place) {
                        let next = passed.suite(of: place)
                        (suite, start) = (next, [])
                        append(passed.module(of: next), to: &start)
                        append(passed.name(of: next), to: &start)
                    }
                    bytes.append(contentsOf: start)
                    append(passed[place], to: &bytes)
                    append(Self.nothing, to: &bytes)
                } else {
                    results.withIdentity(index) { id in
                        append(id.module, to: &bytes)
                        append(id.suite, to: &bytes)
                        append(id.name, to: &bytes)
                        append(id.discriminator, to: &bytes)
                    }
                }
                guard bytes.count >= Self.portion else { continue }
                hash.update(data: bytes)
                bytes.removeAll(keepingCapacity: true)
            }
        }
        hash.update(data: bytes)
        return Array(hash.finalize())
    }

    /// So many bytes are hashed at once.
    private static let portion = 1 << 16

    private static var nothing: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: nil, count: 0) }

    private static func append(_ part: UnsafeRawBufferPointer, to bytes: inout [UInt8]) {
        Varint.append(UInt64(part.count), to: &bytes)
        bytes.append(contentsOf: part)
    }
}
