/// The tests of a run, in the order of their identities, and the edition of each description.
///
/// Runs share both lists, which change only when tests are added, removed or moved.
struct TestList {
    /// The rows of the tests.
    let tests: [Int64]
    /// The edition of each test's description; 0 if it has none.
    let editions: [Int]

    static func encode(tests: [Int64]) throws -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(tests.count)
        var last: Int64 = 0
        for test in tests {
            Varint.append(zigzag: test - last, to: &bytes)
            last = test
        }
        return try Deflate.packed(bytes)
    }

    static func decode(tests bytes: [UInt8]) throws -> [Int64] {
        var rest = try Deflate.unpacked(bytes)[...]
        var tests: [Int64] = []
        var last: Int64 = 0
        while !rest.isEmpty {
            last &+= try Varint.takeZigzag(from: &rest)
            tests.append(last)
        }
        return tests
    }

    static func encode(editions: [Int]) throws -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(editions.count)
        for edition in editions { Varint.append(UInt64(edition), to: &bytes) }
        return try Deflate.packed(bytes)
    }

    static func decode(editions bytes: [UInt8]) throws -> [Int] {
        try Varint.list(Deflate.unpacked(bytes)).map { Int(truncatingIfNeeded: $0) }
    }
}
