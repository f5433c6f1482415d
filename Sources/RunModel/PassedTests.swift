/// Tests that passed and of which nothing else is known than how long they took, in columns.
///
/// A report of a hundred thousand cases holds hardly anything else. As results each of them takes several allocations, and
/// every step over them counts references.
public struct PassedTests: Sendable {
    /// Module and suite of neighbors, as places in `texts`.
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

        /// Where its name lies.
        var name: Range<Int> { start..<start + Int(length) }
    }

    /// Which library ran them.
    public let library: TestingLibrary
    var texts = NameTexts()
    var suites: [Suite] = []
    var entries: [Entry] = []

    /// No tests yet.
    public init(library: TestingLibrary) { self.library = library }

    /// How many they are.
    public var count: Int { entries.count }
    /// Whether there are none.
    public var isEmpty: Bool { entries.isEmpty }

    // MARK: Gathering

    /// Makes room for so many tests, and so many bytes of their names; what is not used costs nothing.
    public mutating func reserve(_ count: Int, names bytes: Int) {
        entries.reserveCapacity(count)
        texts.reserve(bytes)
    }

    /// Begins a suite, to which the tests belong that are added from here on.
    public mutating func beginSuite(_ name: String, of module: String) {
        suites.append(Suite(module: keep(module), name: keep(name)))
    }

    /// Adds a test to the suite that was begun last; the bytes of its name are UTF-8.
    ///
    /// - Parameter nanoseconds: How long it took, zero or more; `nil` where that is not known.
    public mutating func append(_ name: UnsafeBufferPointer<UInt8>, nanoseconds: Int64?) {
        let place = texts.keep(UnsafeRawBufferPointer(name))
        entries.append(
            Entry(
                start: place.lowerBound, length: Int32(place.count), suite: Int32(suites.count - 1),
                nanoseconds: nanoseconds ?? -1))
    }

    private mutating func keep(_ text: String) -> Range<Int> {
        var text = text
        return text.withUTF8 { texts.keep(UnsafeRawBufferPointer($0)) }
    }

    /// Takes back the test that was added last.
    public mutating func removeLast() { texts.forget(entries.removeLast().name) }

    /// Adds the tests of another list.
    public mutating func append(_ other: PassedTests) {
        guard !isEmpty else {
            self = other
            return
        }
        let suite = Int32(suites.count)
        other.texts.lend { lent in
            suites += other.suites.map {
                Suite(module: texts.keep(lent[$0.module]), name: texts.keep(lent[$0.name]))
            }
            for var entry in other.entries {
                entry.start = texts.keep(lent[entry.name]).lowerBound
                entry.suite += suite
                entries.append(entry)
            }
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
        return try texts.lend { try body($0[suite.module], $0[suite.name], $0[entry.name]) }
    }

    /// Lends all of them, to be gone through.
    public func withColumns<Result>(_ body: (Columns) throws -> Result) rethrows -> Result {
        try entries.withUnsafeBufferPointer { entries in
            try suites.withUnsafeBufferPointer { suites in
                try texts.lend { try body(Columns(entries: entries, suites: suites, texts: $0)) }
            }
        }
    }

    /// The identities of all tests, for the time of a call.
    public struct Columns {
        fileprivate let entries: UnsafeBufferPointer<Entry>
        fileprivate let suites: UnsafeBufferPointer<Suite>
        fileprivate let texts: NameTexts.Lent

        /// The number of the suite that a test belongs to; neighbors mostly share it.
        public func suite(of index: Int) -> Int { Int(entries[index].suite) }
        /// The module of a suite.
        public func module(of suite: Int) -> UnsafeRawBufferPointer { texts[suites[suite].module] }
        /// The name of a suite.
        public func name(of suite: Int) -> UnsafeRawBufferPointer { texts[suites[suite].name] }
        /// The name of a test.
        public subscript(index: Int) -> UnsafeRawBufferPointer { texts[entries[index].name] }
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
