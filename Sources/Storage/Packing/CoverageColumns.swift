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
    ///
    /// Most records of a long chain are replaced by later ones. So none is taken apart further than is needed to put it
    /// together again: numbers stand in the lists as they stand in a record.
    struct Reader {
        private let bytes: [UInt8]
        /// Where each list goes on, and where it ends.
        private var (places, ends): ([Int], [Int]) = ([], [])
        private var hashes: ArraySlice<UInt8>
        private var last: Int64 = 0

        /// - Parameter body: A body that begins with `mark`.
        init(_ body: [UInt8]) throws {
            (bytes, hashes) = try Deflate.unpackedPrefix(body.dropFirst(mark.count))
            var rest = bytes[...]
            guard try Varint.take(from: &rest) == UInt64(Deflate.checksum(Array(hashes))) else {
                throw UnreadableContent("the hashes of sources are damaged")
            }
            for _ in 0..<Column.count {
                let list = try Varint.takeList(from: &rest)
                places.append(list.startIndex)
                ends.append(list.endIndex)
            }
        }

        var isAtEnd: Bool { left(in: Column.structure) == 0 }

        mutating func takeCount(atMost limit: Int) throws -> Int {
            try take(Column.structure) { rest in try Varint.takeCount(from: &rest, atMost: limit) }
        }

        mutating func takeMove() throws -> Int64 { try take(Column.structure, Varint.takeZigzag) }

        mutating func takeRecord() throws -> CoverageRecord {
            last &+= try take(Column.structure, Varint.takeZigzag)
            guard let form = Form(rawValue: try take(Column.structure, Varint.take)) else {
                throw UnreadableContent("a file is written in a way that is not known")
            }
            if form == .verbatim {
                return CoverageRecord(file: last, body: try take(Column.verbatim, Varint.takeList))
            }
            let count = try takeCount(atMost: left(in: Column.gaps))
            var body: [UInt8] = []
            body.reserveCapacity(48 + 3 * count)
            body.append(form == .hashed ? 1 : 0)
            if form == .hashed {
                guard hashes.count >= RecordParts.hashLength else {
                    throw UnreadableContent("a source hash is missing")
                }
                body += hashes.prefix(RecordParts.hashLength)
                hashes = hashes.dropFirst(RecordParts.hashLength)
            }
            for column in Column.numbers { try copy(from: column, to: &body) }
            for _ in 0..<count {
                try copy(from: Column.gaps, to: &body)
                try copy(from: Column.spans, to: &body)
            }
            return CoverageRecord(file: last, body: body[...])
        }

        private func left(in column: Int) -> Int { ends[column] - places[column] }

        private mutating func take<Value>(
            _ column: Int, _ body: (inout ArraySlice<UInt8>) throws -> Value
        ) throws -> Value {
            var rest = bytes[places[column]..<ends[column]]
            defer { places[column] = rest.startIndex }
            return try body(&rest)
        }

        /// Copies one integer as it stands.
        private mutating func copy(from column: Int, to body: inout [UInt8]) throws {
            var place = places[column]
            let end = min(ends[column], place + Varint.longest)
            while place < end {
                let byte = bytes[place]
                body.append(byte)
                place += 1
                if byte < 0x80 {
                    places[column] = place
                    return
                }
            }
            throw UnreadableContent("an integer ends before its end")
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
