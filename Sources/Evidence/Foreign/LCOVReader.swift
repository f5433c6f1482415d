import RunModel

/// Reads an LCOV tracefile: files with the counts of their lines, and how many of their functions were called.
///
/// Sums in a file (`LF`, `LH`) are not believed: llvm-cov counts lines there once per function. Branches are passed over,
/// as Swift has none. Source: geninfo(1).
struct LCOVReader {
    private typealias Text = Slice<UnsafeBufferPointer<UInt8>>

    private let report: ForeignReport
    private var coverage = ForeignCoverage()
    private var file: ForeignCoverage.File?
    private var functions: [[UInt8]: Bool] = [:]

    /// What may stand in a record and says nothing of lines or functions.
    private static let passedOver: Set<String> = [
        "TN", "VER", "FNF", "FNH", "FNL", "FNA", "BRDA", "BRF", "BRH", "MCDC", "MCF", "MCH", "LF", "LH",
    ]

    private init(_ report: ForeignReport) { self.report = report }

    /// Reads a tracefile.
    ///
    /// - Throws: `EvidenceError` with the line for anything that is not one, and for one that ends within a record.
    static func read(_ report: ForeignReport) throws(EvidenceError) -> ForeignCoverage {
        var reader = LCOVReader(report)
        try report.lent { document throws(EvidenceError) in
            var (number, released) = (0, 0)
            for line in ByteLines(document.bytes) {
                number += 1
                let isDOS = line.last == UInt8(ascii: "\r")
                try reader.take(isDOS ? line.dropLast() : line, number)
                guard line.endIndex - released >= 1 << 20 else { continue }
                released = line.endIndex
                document.release(released)
            }
            guard reader.file == nil else {
                throw .truncated(file: report.path, line: number, reason: "the record of a file has no end_of_record")
            }
        }
        reader.coverage.settle { $0.adding($1) }
        return reader.coverage
    }

    private mutating func take(_ line: Text, _ number: Int) throws(EvidenceError) {
        if line.isEmpty || line.first == UInt8(ascii: "#") { return }
        if line.elementsEqual("end_of_record".utf8) { return try end(number) }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else {
            throw malformed(number, "a line that is no record of LCOV")
        }
        let value = line[(colon + 1)...]
        switch String(decoding: line[..<colon], as: UTF8.self) {
        case "SF":
            guard file == nil else { throw malformed(number, "a file begins within the record of another") }
            guard !value.isEmpty else { throw malformed(number, "a file without a name") }
            file = ForeignCoverage.File(path: String(decoding: value, as: UTF8.self), group: "")
        case "DA": try takeLine(value, number)
        // The name of a function may hold commas, so only the first one parts it from the number.
        case "FN":
            var name = try rest(value, number)
            // Newer tools name the last line, too.
            let end = name.prefix { $0 != UInt8(ascii: ",") }
            if end.count < name.count, StrictNumber.count(end) != nil { name = try rest(name, number) }
            try add(Array(name), isCalled: false, number)
        case "FNDA":
            let name = Array(try rest(value, number))
            let count = StrictNumber.unsigned(value.prefix { $0 != UInt8(ascii: ",") })
            guard let count else { throw malformed(number, "the count of a function is no number") }
            try add(name, isCalled: count > 0, number)
        case let key where Self.passedOver.contains(key): break
        default: throw malformed(number, "a line that is no record of LCOV")
        }
    }

    private mutating func takeLine(_ value: Text, _ number: Int) throws(EvidenceError) {
        // A checksum of the line may follow.
        let parts = value.split(separator: UInt8(ascii: ","), maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count >= 2, let line = StrictNumber.count(parts[0]).flatMap({ Int32(exactly: $0) }), line > 0,
            let count = StrictNumber.unsigned(parts[1])
        else { throw malformed(number, "a line without a number and a count") }
        guard line <= CoverageLimit.lineNumber else { throw malformed(number, "a line that no file has") }
        guard let lines = file?.lines.count else { throw malformed(number, "a line outside of the record of a file") }
        guard lines < CoverageLimit.lines else { throw malformed(number, "more than \(CoverageLimit.lines) lines") }
        file?.lines.append(LineCount(line: line, count: ExecutionCount(count)))
    }

    private mutating func add(_ function: [UInt8], isCalled: Bool, _ number: Int) throws(EvidenceError) {
        functions[function, default: false] = isCalled || functions[function] == true
        guard functions.count <= CoverageLimit.functions else {
            throw malformed(number, "more than \(CoverageLimit.functions) functions")
        }
    }

    private mutating func end(_ number: Int) throws(EvidenceError) {
        guard var ended = file else { throw malformed(number, "an end_of_record without a file") }
        ended.functions = CoverageTally(covered: functions.values.count { $0 }, total: functions.count)
        do throws(ForeignCoverage.TooMany) {
            try coverage.add(ended)
        } catch {
            throw malformed(number, error.reason)
        }
        file = nil
        functions = [:]
    }

    private func rest(_ value: Text, _ number: Int) throws(EvidenceError) -> Text {
        guard let comma = value.firstIndex(of: UInt8(ascii: ",")) else {
            throw malformed(number, "a function without a name")
        }
        return value[(comma + 1)...]
    }

    private func malformed(_ line: Int, _ reason: String) -> EvidenceError {
        .malformed(file: report.path, line: line, column: 1, reason: reason)
    }
}
