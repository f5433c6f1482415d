/// What the steps of a coverage are written in: a list for each kind of number, so that like stands by like.
///
/// A sixth smaller than record by record. The hashes of sources, which nothing compresses, lie behind the packed lists.
enum CoverageColumns {
    /// What a body in columns begins with; a packed list never does, as its length has no digit to spare.
    static let mark: [UInt8] = [0x80, 0x00]

    /// How a record is written.
    fileprivate enum Form: UInt64 {
        /// In columns, its source without a hash.
        case bare
        /// In columns.
        case hashed
        /// As it is: what is not made as `CoverageRecord` makes it.
        case verbatim
    }

    /// One list of the packed ones; the numbers of a record are two tallies of two.
    fileprivate enum Column {
        static let structure = 0
        static let numbers = 1..<5
        static let gaps = 5
        static let spans = 6
        static let verbatim = 7
        static let count = 8
    }

    /// Puts steps and records together.
    struct Writer {
        private var lists = [[UInt8]](repeating: [], count: Column.count)
        private var hashes: [UInt8] = []
        private var last: Int64 = 0

        /// Appends a count of the steps themselves.
        mutating func append(count: Int) { Varint.append(UInt64(count), to: &lists[Column.structure]) }

        /// Appends how far to move.
        mutating func append(move: Int) { Varint.append(zigzag: Int64(move), to: &lists[Column.structure]) }

        /// Appends a record.
        mutating func append(_ record: CoverageRecord) {
            Varint.append(zigzag: record.file &- last, to: &lists[Column.structure])
            last = record.file
            guard let parts = RecordParts(record.body) else {
                Varint.append(Form.verbatim.rawValue, to: &lists[Column.structure])
                Varint.append(UInt64(record.body.count), to: &lists[Column.verbatim])
                lists[Column.verbatim] += record.body
                return
            }
            let form = parts.hash.isEmpty ? Form.bare : .hashed
            Varint.append(form.rawValue, to: &lists[Column.structure])
            append(count: parts.spans.count)
            hashes += parts.hash
            for (column, number) in zip(Column.numbers, parts.numbers) {
                Varint.append(zigzag: number, to: &lists[column])
            }
            for span in parts.spans {
                Varint.append(span.gap, to: &lists[Column.gaps])
                Varint.append(span.length, to: &lists[Column.spans])
            }
        }

        /// Everything, packed.
        func body() throws -> [UInt8] {
            var bytes: [UInt8] = []
            Varint.append(UInt64(Deflate.checksum(hashes)), to: &bytes)
            for list in lists {
                Varint.append(UInt64(list.count), to: &bytes)
                bytes += list
            }
            return try mark + Deflate.packed(bytes, hardest: true) + hashes
        }
    }

    /// Takes steps and records apart.
    struct Reader {
        private var lists: [ArraySlice<UInt8>] = []
        private var hashes: ArraySlice<UInt8>
        private var last: Int64 = 0

        /// - Parameter body: A body that begins with `mark`.
        init(_ body: [UInt8]) throws {
            let (bytes, rest) = try Deflate.unpackedPrefix(body.dropFirst(mark.count))
            var list = bytes[...]
            hashes = rest
            guard try Varint.take(from: &list) == UInt64(Deflate.checksum(Array(rest))) else {
                throw UnreadableContent("the hashes of sources are damaged")
            }
            for _ in 0..<Column.count {
                let length = try Varint.takeCount(from: &list, atMost: list.count)
                lists.append(list.prefix(length))
                list = list.dropFirst(length)
            }
        }

        var isAtEnd: Bool { lists[Column.structure].isEmpty }

        mutating func takeCount(atMost limit: Int) throws -> Int {
            try Varint.takeCount(from: &lists[Column.structure], atMost: limit)
        }

        mutating func takeMove() throws -> Int64 { try Varint.takeZigzag(from: &lists[Column.structure]) }

        mutating func takeRecord() throws -> CoverageRecord {
            last &+= try Varint.takeZigzag(from: &lists[Column.structure])
            guard let form = Form(rawValue: try Varint.take(from: &lists[Column.structure])) else {
                throw UnreadableContent("a file is written in a way that is not known")
            }
            if form == .verbatim {
                let length = try Varint.takeCount(
                    from: &lists[Column.verbatim], atMost: lists[Column.verbatim].count)
                let body = lists[Column.verbatim].prefix(length)
                lists[Column.verbatim] = lists[Column.verbatim].dropFirst(length)
                return CoverageRecord(file: last, body: body)
            }
            var parts = RecordParts()
            let count = try takeCount(atMost: lists[Column.gaps].count)
            if form == .hashed {
                guard hashes.count >= RecordParts.hashLength else {
                    throw UnreadableContent("a source hash is missing")
                }
                parts.hash = hashes.prefix(RecordParts.hashLength)
                hashes = hashes.dropFirst(RecordParts.hashLength)
            }
            for column in Column.numbers { parts.numbers.append(try Varint.takeZigzag(from: &lists[column])) }
            for _ in 0..<count {
                let gap = try Varint.take(from: &lists[Column.gaps])
                parts.spans.append((gap, try Varint.take(from: &lists[Column.spans])))
            }
            return CoverageRecord(file: last, body: parts.body[...])
        }
    }
}

/// The body of a record, taken apart.
private struct RecordParts {
    static let hashLength = 32

    /// Empty where the source has none.
    var hash: ArraySlice<UInt8> = []
    var numbers: [Int64] = []
    var spans: [(gap: UInt64, length: UInt64)] = []

    init() {}

    /// `nil` for a body that is not exactly what its parts would be written as.
    init?(_ body: ArraySlice<UInt8>) {
        var rest = body.dropFirst()
        switch body.first {
        case 0: break
        case 1 where rest.count >= Self.hashLength:
            hash = rest.prefix(Self.hashLength)
            rest = rest.dropFirst(Self.hashLength)
        default: return nil
        }
        do {
            for _ in 0..<4 { numbers.append(try Varint.takeZigzag(from: &rest)) }
            while !rest.isEmpty { spans.append((try Varint.take(from: &rest), try Varint.take(from: &rest))) }
        } catch {
            return nil
        }
        guard self.body[...] == body else { return nil }
    }

    var body: [UInt8] {
        var bytes: [UInt8] = hash.isEmpty ? [0] : [1] + hash
        for number in numbers { Varint.append(zigzag: number, to: &bytes) }
        for span in spans {
            Varint.append(span.gap, to: &bytes)
            Varint.append(span.length, to: &bytes)
        }
        return bytes
    }
}
