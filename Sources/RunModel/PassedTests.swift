/// Tests that passed and of which nothing else is known than how long they took, in columns.
///
/// A report of a hundred thousand cases holds hardly anything else. As results each of them takes several allocations, and
/// every step over them counts references; here all texts lie in one buffer.
public struct PassedTests: Sendable {
    /// Module and suite of neighbors, as places in `bytes`.
    struct Suite: Sendable {
        var module: Range<Int>
        var name: Range<Int>
    }

    /// One test.
    struct Entry: Sendable {
        var start: Int
        var length: Int32
        var suite: Int32
        /// Below zero where it is not known.
        var nanoseconds: Int64
    }

    /// Which library ran them.
    public let library: TestingLibrary
    var bytes: [UInt8] = []
    var suites: [Suite] = []
    var entries: [Entry] = []

    /// No tests yet.
    public init(library: TestingLibrary) { self.library = library }

    /// How many they are.
    public var count: Int { entries.count }
    /// Whether there are none.
    public var isEmpty: Bool { entries.isEmpty }

    // MARK: Gathering

    /// Makes room for so many tests with so many bytes of names; what is not used costs nothing.
    public mutating func reserve(_ count: Int, bytes byteCount: Int) {
        entries.reserveCapacity(count)
        bytes.reserveCapacity(byteCount)
    }

    /// Begins a suite, to which the tests belong that are added from here on.
    public mutating func beginSuite(_ name: String, of module: String) {
        let start = bytes.count
        bytes.append(contentsOf: module.utf8)
        let middle = bytes.count
        bytes.append(contentsOf: name.utf8)
        suites.append(Suite(module: start..<middle, name: middle..<bytes.count))
    }

    /// Adds a test to the suite that was begun last; the bytes of its name are UTF-8.
    ///
    /// - Parameter nanoseconds: How long it took, zero or more; `nil` where that is not known.
    public mutating func append(_ name: UnsafeBufferPointer<UInt8>, nanoseconds: Int64?) {
        entries.append(
            Entry(
                start: bytes.count, length: Int32(name.count), suite: Int32(suites.count - 1),
                nanoseconds: nanoseconds ?? -1))
        bytes.append(contentsOf: name)
    }

    /// Takes back the test that was added last.
    public mutating func removeLast() {
        bytes.removeLast(Int(entries.removeLast().length))
    }

    /// Adds the tests of another list.
    public mutating func append(_ other: PassedTests) {
        guard !isEmpty else {
            self = other
            return
        }
        let (offset, suite) = (bytes.count, Int32(suites.count))
        bytes += other.bytes
        suites += other.suites.map {
            Suite(
                module: $0.module.lowerBound + offset..<$0.module.upperBound + offset,
                name: $0.name.lowerBound + offset..<$0.name.upperBound + offset)
        }
        for var entry in other.entries {
            entry.start += offset
            entry.suite += suite
            entries.append(entry)
        }
    }

    // MARK: Looking at one

    /// How long a test took, in nanoseconds; `nil` where that is not known.
    public func nanoseconds(_ index: Int) -> Int64? {
        let nanoseconds = entries[index].nanoseconds
        return nanoseconds < 0 ? nil : nanoseconds
    }

    /// The identity of a test.
    public func id(_ index: Int) -> TestID {
        withIdentity(index) { module, suite, name in
            TestID(
                module: String(decoding: module, as: UTF8.self), suite: String(decoding: suite, as: UTF8.self),
                name: String(decoding: name, as: UTF8.self))
        }
    }

    /// A test as a result like any other.
    public subscript(index: Int) -> TestResult {
        let attempt = TestAttempt(outcome: .passed, duration: nanoseconds(index).map { .nanoseconds($0) })
        return TestResult(id: id(index), library: library, outcome: .passed, attempts: [attempt])
    }

    /// Lends module, suite and name of a test.
    public func withIdentity<Result>(
        _ index: Int,
        _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result {
        let entry = entries[index]
        let suite = suites[Int(entry.suite)]
        return try bytes.withUnsafeBytes { bytes in
            try body(
                UnsafeRawBufferPointer(rebasing: bytes[suite.module]),
                UnsafeRawBufferPointer(rebasing: bytes[suite.name]),
                UnsafeRawBufferPointer(rebasing: bytes[entry.start..<entry.start + Int(entry.length)]))
        }
    }

    /// How long all of them took together, as far as that is known.
    public var duration: Duration {
        entries.reduce(.zero) { $0 + .nanoseconds(max(0, $1.nanoseconds)) }
    }
}

extension PassedTests: Equatable {
    /// Equal when the same tests are there in the same order.
    public static func == (left: PassedTests, right: PassedTests) -> Bool {
        left.count == right.count && left.entries.indices.allSatisfy { left[$0] == right[$0] }
    }
}
