import RunModel

/// The coverage of a run: its files in order, each with the content that holds its coverage.
///
/// An unchanged file has the same content as in the run before, so that a run adds only changes.
enum CoverageList {
    /// A file of a run.
    struct Entry: Equatable {
        /// The row of the source file.
        let file: Int64
        /// The row of the content; see `PackedCoverage`.
        let content: Int64
    }

    /// Packs the rows, each as the difference to the one before.
    static func encode(_ entries: [Entry]) throws -> [UInt8] {
        var bytes: [UInt8] = []
        var last = Entry(file: 0, content: 0)
        for entry in entries {
            Varint.append(zigzag: entry.file &- last.file, to: &bytes)
            Varint.append(zigzag: entry.content &- last.content, to: &bytes)
            last = entry
        }
        return try Deflate.packed(bytes)
    }

    static func decode(_ packed: [UInt8]) throws -> [Entry] {
        var rest = try Deflate.unpacked(packed)[...]
        var entries: [Entry] = []
        var last = Entry(file: 0, content: 0)
        while !rest.isEmpty {
            let file = last.file &+ (try Varint.takeZigzag(from: &rest))
            last = Entry(file: file, content: last.content &+ (try Varint.takeZigzag(from: &rest)))
            entries.append(last)
        }
        return entries
    }
}

/// The coverage of one file without its name: the hash of its source, the tallies of regions and functions, line states.
enum PackedCoverage {
    /// Packs a file; `nil` when its lines are not in order.
    static func encode(_ file: FileCoverage) -> [UInt8]? {
        guard let states = LineStates.encode(file.lines) else { return nil }
        var bytes = SourceHash.encode(file.sourceHash)
        for tally in [file.regions, file.functions] {
            Varint.append(zigzag: Int64(tally.covered), to: &bytes)
            Varint.append(zigzag: Int64(tally.total), to: &bytes)
        }
        return bytes + states
    }

    /// The coverage of a file; an executed line has the count 1.
    static func decode(_ bytes: [UInt8], path: String, module: String) throws -> FileCoverage {
        var rest = bytes[...]
        let hash = try SourceHash.take(from: &rest)
        let numbers = try (0..<4).map { _ in Int(try Varint.takeZigzag(from: &rest)) }
        return FileCoverage(
            path: path, module: module, sourceHash: hash, lines: try LineStates.decode(Array(rest)),
            regions: CoverageTally(covered: numbers[0], total: numbers[1]),
            functions: CoverageTally(covered: numbers[2], total: numbers[3])
        )
    }
}

/// The hash of a source as bytes, if it is hexadecimal.
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
