import RunModel

/// Reads an LCOV tracefile: files with the counts of their lines, and how many of their functions were called.
///
/// Sums in a file (`LF`, `LH`) are not believed: llvm-cov counts lines there once per function. Branches are passed over,
/// as Swift has none. Source: geninfo(1).
struct LCOVReader {
    private typealias Text = Slice<UnsafeBufferPointer<UInt8>>

    private let report: ForeignReport
    private let budget: EvidenceBudget
    private var coverage = ForeignCoverage()
    private var file: ForeignCoverage.File?
    private var functions: [[UInt8]: Bool] = [:]

    /// How many bytes a line may have: 1 MiB.
    private static let lineLimit = 1 << 20

    /// What may stand in a record and says nothing of lines or functions.
    private static let passedOver: Set<String> = [
        "TN", "VER", "FNF", "FNH", "FNL", "FNA", "BRDA", "BRF", "BRH", "MCDC", "MCF", "MCH", "LF", "LH",
    ]

    private init(_ report: ForeignReport, _ budget: EvidenceBudget) {
        self.report = report
        self.budget = budget
    }

    /// Reads a tracefile.
    ///
    /// - Throws: `EvidenceError` with the line for anything that is not one, and for one that ends within a record.
    static func read(
        _ report: ForeignReport, _ budget: EvidenceBudget = EvidenceBudget()
    ) throws(EvidenceError) -> ForeignCoverage {
        var reader = LCOVReader(report, budget)
        try report.lent { document throws(EvidenceError) in
            var number = 0
            try document.forEachLine(longest: lineLimit) { line, _ throws(EvidenceError) in
                number += 1
                guard line.count < lineLimit else {
                    throw reader.tooMuch(number, "more than \(lineLimit) bytes in a line")
                }
                let text = line.bytes[...]
                try reader.take(text.last == UInt8(ascii: "\r") ? text.dropLast() : text, number)
                if budget.isSpent { throw reader.tooMuch(number, budget.reason) }
            }
            // What follows the last newline is a line too, also where nothing follows.
            if document.bytes.last.map({ $0 == UInt8(ascii: "\n") }) ?? true { number += 1 }
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
            budget.count(.entry)
            budget.count(bytes: value.count)
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
        budget.count(.line, 2)
        file?.lines.append(LineCount(line: line, count: ExecutionCount(count)))
    }

    private mutating func add(_ function: [UInt8], isCalled: Bool, _ number: Int) throws(EvidenceError) {
        let known = functions.updateValue(isCalled, forKey: function)
        if known == true { functions[function] = true }
        // Until the record of the file ends.
        if known == nil { budget.count(bytes: Self.cost(of: function)) }
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
        for function in functions.keys { budget.count(bytes: -Self.cost(of: function)) }
        functions = [:]
    }

    private static func cost(of function: [UInt8]) -> Int { EvidenceBudget.Item.name.rawValue + function.count }

    private func rest(_ value: Text, _ number: Int) throws(EvidenceError) -> Text {
        guard let comma = value.firstIndex(of: UInt8(ascii: ",")) else {
            throw malformed(number, "a function without a name")
        }
        return value[(comma + 1)...]
    }

    private func tooMuch(_ line: Int, _ reason: String) -> EvidenceError {
        .tooLarge(file: report.path, reason: "line \(line): \(reason)")
    }

    private func malformed(_ line: Int, _ reason: String) -> EvidenceError {
        .malformed(file: report.path, line: line, column: 1, reason: reason)
    }
}
