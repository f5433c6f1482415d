import RunModel

/// The per-test coverage of a run: the rows of its tests, and its files, each with the content that holds its functions.
///
/// A file whose functions are executed by the same tests as in the run before has the same content, so that a run adds only
/// changes.
struct TestMapList: Equatable {
    /// A file of a map.
    struct Entry: Equatable {
        /// The content with its path.
        var path: Int64
        /// The content with its functions; see `PackedFileMap`.
        var functions: Int64
    }

    /// The rows of the tests that were recorded.
    var tests: [Int64]
    /// How long each took, in steps of 0.1 ms, where it ran one at a time only to be recorded.
    var durations: [UInt64?]
    /// The files in order.
    var entries: [Entry]

    /// The step in which durations are stored.
    static let step = Duration.microseconds(100)
    private static let longest: UInt64 = 1 << 40

    /// Packs the rows, each as the difference to the one before.
    func encoded() throws -> [UInt8] {
        var bytes: [UInt8] = []
        Varint.append(UInt64(tests.count), to: &bytes)
        var last: Int64 = 0
        for test in tests {
            Varint.append(zigzag: test &- last, to: &bytes)
            last = test
        }
        for duration in durations { Varint.append(duration.map { $0 + 1 } ?? 0, to: &bytes) }
        var before = Entry(path: 0, functions: 0)
        for entry in entries {
            Varint.append(zigzag: entry.path &- before.path, to: &bytes)
            Varint.append(zigzag: entry.functions &- before.functions, to: &bytes)
            before = entry
        }
        return try Deflate.packed(bytes)
    }

    static func decode(_ packed: [UInt8]) throws -> TestMapList {
        var rest = try Deflate.unpacked(packed)[...]
        let count = try Varint.take(from: &rest)
        guard count <= UInt64(rest.count) else {
            throw UnreadableContent("per-test coverage has more tests than bytes")
        }
        var list = TestMapList(tests: [], durations: [], entries: [])
        var last: Int64 = 0
        for _ in 0..<count {
            last &+= try Varint.takeZigzag(from: &rest)
            list.tests.append(last)
        }
        for _ in 0..<count {
            let duration = try Varint.take(from: &rest)
            guard duration <= Self.longest else { throw UnreadableContent("a test of per-test coverage took too long") }
            list.durations.append(duration == 0 ? nil : duration - 1)
        }
        var before = Entry(path: 0, functions: 0)
        while !rest.isEmpty {
            before.path &+= try Varint.takeZigzag(from: &rest)
            before.functions &+= try Varint.takeZigzag(from: &rest)
            list.entries.append(before)
        }
        return list
    }
}

/// The functions of one file, with the sets of tests that execute them: by the rows of the tests, so that it does not depend on
/// which other tests a run has.
enum PackedFileMap {
    /// Packs a file.
    ///
    /// - Parameter rows: The row of each test of the map.
    static func encode(_ file: TestMap.File, sets: [TestMap.TestSet], rows: [Int64]) throws -> [UInt8] {
        var bytes: [UInt8] = []
        var numbers: [Int: Int] = [:]
        var own: [TestMap.TestSet] = []
        func number(_ set: Int) -> UInt64 {
            if let number = numbers[set] { return UInt64(number) }
            numbers[set] = own.count
            own.append(sets[set])
            return UInt64(own.count - 1)
        }
        for function in file.functions {
            let symbol = Array(function.symbol.utf8)
            Varint.append(UInt64(symbol.count), to: &bytes)
            bytes += symbol
            Varint.append(UInt64(function.line), to: &bytes)
            Varint.append(UInt64(function.lastLine - function.line), to: &bytes)
            Varint.append(number(function.set), to: &bytes)
            Varint.append(UInt64(function.spans.count), to: &bytes)
            var line: Int32 = 0
            for span in function.spans {
                Varint.append(UInt64(span.first - line), to: &bytes)
                Varint.append(UInt64(span.last - span.first), to: &bytes)
                Varint.append(number(span.set), to: &bytes)
                line = span.last
            }
        }
        var head: [UInt8] = []
        Varint.append(UInt64(own.count), to: &head)
        for set in own {
            Varint.append(UInt64(set.tests.count) << 1 | (set.hasOthers ? 1 : 0), to: &head)
            var last: Int64 = 0
            for row in set.tests.map({ rows[Int($0)] }).sorted() {
                Varint.append(UInt64(row - last), to: &head)
                last = row
            }
        }
        return try Deflate.packed(head + bytes)
    }

    /// The functions of a file and the sets that they name, as rows of tests.
    static func decode(
        _ packed: [UInt8]
    ) throws -> (sets: [(rows: [Int64], hasOthers: Bool)], functions: [TestMap.Function]) {
        var rest = try Deflate.unpacked(packed)[...]
        var sets: [(rows: [Int64], hasOthers: Bool)] = []
        for _ in 0..<(try count(&rest)) {
            let head = try Varint.take(from: &rest)
            guard head >> 1 <= UInt64(rest.count) else { throw UnreadableContent("a set of tests is too long") }
            var rows: [Int64] = []
            var last: Int64 = 0
            for _ in 0..<head >> 1 {
                last &+= Int64(bitPattern: try Varint.take(from: &rest))
                rows.append(last)
            }
            sets.append((rows, head & 1 == 1))
        }
        var functions: [TestMap.Function] = []
        while !rest.isEmpty {
            let symbol = String(decoding: try Varint.takeList(from: &rest), as: UTF8.self)
            let line = try number(&rest, upTo: UInt64(Int32.max))
            let length = try number(&rest, upTo: UInt64(Int32.max) - UInt64(line))
            let set = try number(&rest, upTo: UInt64(sets.count) &- 1)
            var spans: [TestMap.Span] = []
            var last: Int32 = 0
            for _ in 0..<(try count(&rest)) {
                let first = last + (try number(&rest, upTo: UInt64(Int32.max - last)))
                last = first + (try number(&rest, upTo: UInt64(Int32.max - first)))
                spans.append(
                    TestMap.Span(first: first, last: last, set: Int(try number(&rest, upTo: UInt64(sets.count) &- 1))))
            }
            functions.append(
                TestMap.Function(symbol: symbol, line: line, lastLine: line + length, set: Int(set), spans: spans))
        }
        return (sets, functions)
    }

    private static func count(_ rest: inout ArraySlice<UInt8>) throws -> Int {
        let count = try Varint.take(from: &rest)
        guard count <= UInt64(rest.count) else { throw UnreadableContent("a list of per-test coverage is too long") }
        return Int(count)
    }

    private static func number(_ rest: inout ArraySlice<UInt8>, upTo limit: UInt64) throws -> Int32 {
        let number = try Varint.take(from: &rest)
        guard number <= limit, number <= UInt64(Int32.max) else {
            throw UnreadableContent("per-test coverage names what is not there")
        }
        return Int32(number)
    }
}
