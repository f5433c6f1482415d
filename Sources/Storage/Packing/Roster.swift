/// Which tests a run has, in the order of their identities, and which description of each was true.
///
/// Both lists are texts that runs share: they change when tests come and go, or move.
struct Roster {
    /// The rows of the tests.
    let tests: [Int64]
    /// The edition of each test's description; 0 for one that says nothing.
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
