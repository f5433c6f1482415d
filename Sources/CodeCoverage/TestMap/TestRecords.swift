import Evidence

/// What the preloaded library recorded in one process: which counters each test incremented.
///
/// `TestRunning/Resources/preload-records.c` writes it and describes the format. A process that was killed leaves a file that ends
/// anywhere; what is complete of it is read.
struct TestRecords {
    /// Whose increments they are.
    enum Owner: Hashable {
        case nobody
        case test(UInt32)
        case initialiser(UInt32)
    }

    /// A program or library with counters.
    struct Image: Hashable {
        /// How many counters it has.
        var counters: Int
        /// The file that it was loaded from: its number and the time of its last change, as in the name of its list of functions.
        var inode: UInt64, changed: UInt64
        /// The profile in which its counters lay while the process ran; empty for none.
        var livePath: String
    }

    /// Increments of the counters of one image.
    struct Increments {
        var image: Int
        /// The counters, ascending, and by how much.
        var counters: [(place: Int, increment: UInt64)]
    }

    private(set) var images: [Image] = []
    /// The names of the tests by number, as their library calls them.
    private(set) var tests: [UInt32: String] = [:]
    /// Of a test case that was made: as what it is numbered, by its name. What was executed for that belongs to the test.
    private(set) var cases: [String: [UInt32]] = [:]
    private(set) var increments: [Owner: [Increments]] = [:]
    /// The initialisers that each test used; 0 is no test.
    private(set) var used: [UInt32: Set<UInt32>] = [:]
    /// The initialisers that an initialiser used.
    private(set) var nested: [UInt32: Set<UInt32>] = [:]
    /// How many of the first initialisers are those of the process that was forked.
    private(set) var inherited: UInt32 = 0
    /// The tests that ran at the same time as another one.
    private(set) var overlapping: Set<UInt32> = []
    /// Whether there were more initialisers than could be kept apart.
    private(set) var lacksInitialisers = false
    /// How many increments of nobody there were when the last test began or ended, or the last case was made.
    private var unowned = 0
    /// Whether the process ended in order.
    private(set) var isComplete = false
    /// The test that had begun and not ended, or that started the process.
    private(set) var open: UInt32?

    /// Reads a file.
    ///
    /// - Throws: `MappingFault.format` for what the library never writes.
    init(_ bytes: UnsafeRawBufferPointer) throws(MappingFault) {
        var cursor = ByteCursor(bytes)
        while let (kind, content) = Self.record(&cursor) {
            var own = ByteCursor(content)
            try read(kind, &own)
            guard own.isAtEnd else { throw .format }
        }
    }

    /// The next record; `nil` at the end, and where a process was killed while it wrote.
    private static func record(_ cursor: inout ByteCursor) -> (UInt8, UnsafeRawBufferPointer)? {
        guard let kind = try? cursor.word(UInt8.self), let count = try? cursor.word(UInt32.self),
            let content = try? cursor.take(Int(count))
        else { return nil }
        return (kind, content)
    }

    private mutating func read(_ kind: UInt8, _ cursor: inout ByteCursor) throws(MappingFault) {
        switch kind {
        case UInt8(ascii: "I"): try readImage(&cursor)
        case UInt8(ascii: "T"), UInt8(ascii: "J"): try readTest(&cursor, isJSON: kind == UInt8(ascii: "J"))
        case UInt8(ascii: "C"):
            let number = try cursor.word(UInt32.self)
            guard let name = String(validating: try cursor.take(cursor.rest.count), as: UTF8.self) else { throw .names }
            cases[name, default: []].append(number)
        case UInt8(ascii: "E"):
            let test = try cursor.word(UInt32.self)
            if test != 0, tests[test] == nil { takeUnowned(test) }
            unowned = increments[.nobody]?.count ?? 0
            while !cursor.isAtEnd { used[test, default: []].insert(try Self.number(&cursor)) }
            if test != 0, open == test { open = nil }
        case UInt8(ascii: "S"): try readIncrements(&cursor)
        case UInt8(ascii: "D"):
            let outer = try cursor.word(UInt32.self)
            nested[outer, default: []].insert(try cursor.word(UInt32.self))
        case UInt8(ascii: "O"):
            let test = try cursor.word(UInt32.self)
            open = test == 0 ? nil : test
        case UInt8(ascii: "K"): inherited = try cursor.word(UInt32.self)
        case UInt8(ascii: "P"):
            overlapping.insert(try cursor.word(UInt32.self))
            overlapping.insert(try cursor.word(UInt32.self))
        case UInt8(ascii: "F"): lacksInitialisers = true
        case UInt8(ascii: "X"): isComplete = true
        default: throw .format
        }
    }

    /// Gives a case what was executed before it was made: what comes before an initialiser is recorded while no test runs.
    private mutating func takeUnowned(_ number: UInt32) {
        guard let all = increments[.nobody], all.count > unowned else { return }
        increments[.test(number), default: []] += all[unowned...]
        increments[.nobody]?.removeSubrange(unowned...)
    }

    private mutating func readImage(_ cursor: inout ByteCursor) throws(MappingFault) {
        guard Int(try cursor.word(UInt32.self)) == images.count else { throw .format }
        let counters = Int(try cursor.word(UInt32.self))
        let inode = try cursor.word(UInt64.self)
        let changed = try cursor.word(UInt64.self)
        guard let path = String(validating: try cursor.take(cursor.rest.count), as: UTF8.self) else { throw .paths }
        images.append(Image(counters: counters, inode: inode, changed: changed, livePath: path))
    }

    private mutating func readTest(_ cursor: inout ByteCursor, isJSON: Bool) throws(MappingFault) {
        let test = try cursor.word(UInt32.self)
        let bytes = try cursor.take(cursor.rest.count)
        let name = isJSON ? Self.decoded(bytes) : String(validating: bytes, as: UTF8.self)
        guard test != 0, let name, tests.updateValue(name, forKey: test) == nil else { throw .names }
        open = test
    }

    /// A text as it stands between the quotes of JSON.
    private static func decoded(_ bytes: UnsafeRawBufferPointer) -> String? {
        let quoted = [UInt8(ascii: "\"")] + bytes + [UInt8(ascii: "\"")]
        return quoted.withUnsafeBufferPointer { quoted in
            var cursor = JSONCursor(quoted)
            return try? cursor.string()
        }
    }

    private mutating func readIncrements(_ cursor: inout ByteCursor) throws(MappingFault) {
        let kind = try cursor.word(UInt8.self)
        let number = try cursor.word(UInt32.self)
        let image = Int(try cursor.word(UInt32.self))
        guard image < images.count else { throw .format }
        let owner: Owner
        switch kind {
        case 0: owner = .nobody
        case 1: owner = .test(number)
        case 2: owner = .initialiser(number)
        default: throw .format
        }
        var counters: [(place: Int, increment: UInt64)] = []
        var place = 0
        while !cursor.isAtEnd {
            place += try cursor.number(upTo: UInt64(UInt32.max))
            guard place < images[image].counters else { throw .format }
            counters.append((place, try cursor.number()))
        }
        increments[owner, default: []].append(Increments(image: image, counters: counters))
    }

    private static func number(_ cursor: inout ByteCursor) throws(MappingFault) -> UInt32 {
        UInt32(truncatingIfNeeded: try cursor.number(upTo: UInt64(UInt32.max)))
    }

    /// Adds what a process that did not end in order had counted after the last boundary: it belongs to the test that ran.
    ///
    /// - Parameter live: The profile in which the counters of an image lay.
    mutating func complete(image: Int, live: UnsafeRawBufferPointer) throws(MappingFault) {
        let counters = try RawProfile(live).counters
        guard counters.count / 8 == images[image].counters else { throw .misfit }
        var known = [UInt64](repeating: 0, count: images[image].counters)
        for all in increments.values {
            for own in all where own.image == image {
                for (place, increment) in own.counters { known[place] &+= increment }
            }
        }
        var rest: [(place: Int, increment: UInt64)] = []
        for place in known.indices {
            let value = UInt64(littleEndian: counters.loadUnaligned(fromByteOffset: place * 8, as: UInt64.self))
            if value > known[place] { rest.append((place, value - known[place])) }
        }
        guard !rest.isEmpty else { return }
        increments[open.map { .test($0) } ?? .nobody, default: []].append(Increments(image: image, counters: rest))
    }
}
