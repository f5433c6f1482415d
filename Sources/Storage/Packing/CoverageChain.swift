import RunModel

/// What is known of one file in a run, ready to be stored.
struct CoverageRecord: Equatable {
    /// The row of the source file.
    let file: Int64
    /// Source hash, tallies and line states.
    let body: ArraySlice<UInt8>
}

/// The coverage of a run, written down as what differs from that of a run before it.
///
/// One in so many is whole, so that none is far from one. A step is a list of: how many records follow, these records,
/// how far to move in the run before, how many records to take from there. A whole one takes none.
enum CoverageChain {
    /// The most steps from a whole one; fewer where there are many files.
    static func mostSteps(files: Int) -> Int { max(8, min(160, 80_000 / max(1, files))) }

    /// More files than any package has; more is damage.
    private static let mostFiles = 1_000_000

    /// What makes `records` from those of another run.
    static func encode(_ records: [CoverageRecord], from base: [CoverageRecord]) throws -> [UInt8] {
        let places = Dictionary(base.enumerated().map { ($0.element.file, $0.offset) }) { first, _ in first }
        var steps = CoverageColumns.Writer()
        var cursor = 0
        var index = 0
        while index < records.count {
            let start = index
            while index < records.count, place(of: records[index], in: base, places, cursor) == nil { index += 1 }
            steps.append(count: index - start)
            for record in records[start..<index] { steps.append(record) }
            // What is new mostly takes the place of what was there.
            cursor += index - start
            let from = index < records.count ? place(of: records[index], in: base, places, cursor) ?? cursor : cursor
            var copied = 0
            while index < records.count, from + copied < base.count, base[from + copied] == records[index] {
                copied += 1
                index += 1
            }
            steps.append(move: from - cursor)
            steps.append(count: copied)
            cursor = from + copied
        }
        return try steps.body()
    }

    /// The records that were made from those of another run.
    static func decode(_ packed: [UInt8], from base: [CoverageRecord]) throws -> [CoverageRecord] {
        var steps = try CoverageSteps(packed)
        var records: [CoverageRecord] = []
        var cursor = 0
        while !steps.isAtEnd {
            let new = try steps.takeCount(atMost: mostFiles)
            for _ in 0..<new { records.append(try steps.takeRecord()) }
            let from = Int64(cursor + new).addingReportingOverflow(try steps.takeMove())
            let copied = try steps.takeCount(atMost: base.count)
            guard records.count + copied <= mostFiles else { throw UnreadableContent("a run has too many files") }
            guard copied > 0 else {
                cursor += new
                continue
            }
            guard !from.overflow, from.partialValue >= 0, from.partialValue <= base.count - copied else {
                throw UnreadableContent("the coverage of a run does not fit that of the run before it")
            }
            records += base[Int(from.partialValue)..<Int(from.partialValue) + copied]
            cursor = Int(from.partialValue) + copied
        }
        return records
    }

    /// Where `record` is in `base`, the place at `cursor` first.
    private static func place(
        of record: CoverageRecord, in base: [CoverageRecord], _ places: [Int64: Int], _ cursor: Int
    ) -> Int? {
        if cursor < base.count, base[cursor] == record { return cursor }
        guard let place = places[record.file], base[place] == record else { return nil }
        return place
    }
}

extension CoverageRecord {
    /// Packs a file; `nil` when its lines are not in order.
    init?(_ coverage: FileCoverage, file: Int64) {
        guard let states = LineStates.encode(coverage.lines) else { return nil }
        let (regions, functions) = (coverage.regions, coverage.functions)
        self.init(
            file: file, sourceHash: coverage.sourceHash,
            numbers: [regions.covered, regions.total, functions.covered, functions.total], states: states)
    }

    init(file: Int64, sourceHash: String?, numbers: [Int], states: [UInt8]) {
        var bytes = SourceHash.encode(sourceHash)
        for number in numbers { Varint.append(zigzag: Int64(number), to: &bytes) }
        self.init(file: file, body: (bytes + states)[...])
    }

    /// The file's coverage; an executed line has the count 1.
    func coverage(path: String, module: String) throws -> FileCoverage {
        var rest = body
        let hash = try SourceHash.take(from: &rest)
        let numbers = try (0..<4).map { _ in Int(try Varint.takeZigzag(from: &rest)) }
        return FileCoverage(
            path: path, module: module, sourceHash: hash, lines: try LineStates.decode(Array(rest)),
            regions: CoverageTally(covered: numbers[0], total: numbers[1]),
            functions: CoverageTally(covered: numbers[2], total: numbers[3])
        )
    }
}

/// The hash of a source in half the bytes, where it is what it should be.
private enum SourceHash {
    private static let digits = Array("0123456789abcdef".utf8)

    static func encode(_ hash: String?) -> [UInt8] {
        guard let hash else { return [0] }
        let text = Array(hash.utf8)
        let values = text.compactMap { digits.firstIndex(of: $0) }
        if text.count == 64, values.count == 64 {
            return [1] + (0..<32).map { UInt8(values[$0 * 2] << 4 | values[$0 * 2 + 1]) }
        }
        var bytes: [UInt8] = [2]
        Varint.append(UInt64(text.count), to: &bytes)
        return bytes + text
    }

    static func take(from rest: inout ArraySlice<UInt8>) throws -> String? {
        switch rest.popFirst() {
        case 0: return nil
        case 1 where rest.count >= 32:
            let bytes = rest.prefix(32)
            rest = rest.dropFirst(32)
            return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
        case 2:
            return String(decoding: try Varint.takeList(from: &rest), as: UTF8.self)
        default: throw UnreadableContent("a source hash is damaged")
        }
    }
}
