import RunModel

/// The executable lines of a file and whether they were executed, as spans: (lines skipped, length and state).
///
/// Two runs of the same binary differ in counts in every sixth file but hardly ever in states, so runs share states.
/// Counts have a list of their own.
enum LineStates {
    /// More lines than any source file has; a greater number is damage, and refused before memory is allocated.
    static let limit = 10_000_000

    /// Encodes the states; `nil` if the lines are not ascending from 1.
    static func encode(_ lines: [LineCount]) -> [UInt8]? {
        guard lines.count <= limit else { return nil }
        var bytes: [UInt8] = []
        var index = lines.startIndex
        var end: Int32 = 0
        while index < lines.endIndex {
            let first = lines[index]
            guard first.line > end else { return nil }
            var last = first.line
            index += 1
            while index < lines.endIndex, lines[index].count.isCovered == first.count.isCovered, last < Int32.max,
                lines[index].line == last + 1
            {
                last += 1
                index += 1
            }
            Varint.append(UInt64(first.line - end - 1), to: &bytes)
            Varint.append(UInt64(last - first.line + 1) << 1 | (first.count.isCovered ? 1 : 0), to: &bytes)
            end = last
        }
        return bytes
    }

    /// Decodes states; an executed line has the count 1.
    static func decode(_ bytes: [UInt8]) throws -> [LineCount] {
        var rest = bytes[...]
        var lines: [LineCount] = []
        var end: UInt64 = 0
        while !rest.isEmpty {
            let skipped = try Varint.take(from: &rest)
            let span = try Varint.take(from: &rest)
            let length = span >> 1
            guard length > 0, length <= UInt64(limit - lines.count), skipped < UInt64(Int32.max),
                end + skipped + length <= UInt64(Int32.max)
            else { throw UnreadableContent("the lines of a file are out of bounds") }
            let count = ExecutionCount(span & 1)
            for line in (end + skipped + 1)...(end + skipped + length) {
                lines.append(LineCount(line: Int32(line), count: count))
            }
            end += skipped + length
        }
        return lines
    }
}

/// How often each executable line of a file was executed, as spans of equal counts.
enum LineCounts {
    /// Encodes the counts of the lines in order.
    static func encode(_ lines: [LineCount]) -> [UInt8] {
        var bytes: [UInt8] = []
        var index = lines.startIndex
        while index < lines.endIndex {
            let count = lines[index].count
            var length: UInt64 = 0
            while index < lines.endIndex, lines[index].count == count {
                length += 1
                index += 1
            }
            Varint.append(length, to: &bytes)
            Varint.append(count.raw, to: &bytes)
        }
        return bytes
    }

    /// Gives `lines` the counts that were encoded for them.
    static func apply(_ bytes: [UInt8], to lines: [LineCount]) throws -> [LineCount] {
        var rest = bytes[...]
        var counted: [LineCount] = []
        counted.reserveCapacity(lines.count)
        while !rest.isEmpty {
            let length = try Varint.take(from: &rest)
            let count = ExecutionCount(try Varint.take(from: &rest))
            guard length <= UInt64(lines.count - counted.count) else { throw Self.mismatch }
            for line in lines[counted.count..<counted.count + Int(length)] {
                guard line.count.isCovered == count.isCovered else { throw Self.mismatch }
                counted.append(LineCount(line: line.line, count: count))
            }
        }
        guard counted.count == lines.count else { throw Self.mismatch }
        return counted
    }

    private static let mismatch = UnreadableContent("the counts of a file do not fit its lines")
}
