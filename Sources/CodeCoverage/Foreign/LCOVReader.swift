package import Evidence
import RunModel

/// Reads an LCOV tracefile: files with the counts of their lines, and how many of their functions were called.
///
/// Sums in a file (`LF`, `LH`, `FNF`) are not believed, but one that speaks of more than is there shows a loss. Branches are passed
/// over, as Swift has none. Source: geninfo(1).
package struct LCOVReader {
    private typealias Text = Slice<UnsafeBufferPointer<UInt8>>

    private let report: ForeignReport
    private let budget: EvidenceBudget
    private var coverage = ForeignCoverage()
    private var file: ForeignCoverage.File?
    /// What the record of the file counts, and what it names, lines that are left out included.
    private var claimed = LineClaims.Tally()
    private var named = LineClaims.Tally()
    /// How many functions it counts, and how many of these before it names any line.
    private var functionsClaimed = 0
    private var functionsFound = 0
    /// How many records name a function, and how many say how often one was called.
    private var functionRecords = (names: 0, calls: 0)
    /// Whether a test was named, be it by nothing: most writers do so, llvm-cov never.
    private var hasTestNames = false
    private var claims = LineClaims()
    private var malformedLines = MalformedLines()
    /// Whether the functions of the file were called, by their names, and by the numbers that lcov gives them since 2.2.
    private var functions: [[UInt8]: Bool] = [:]

    /// How many bytes a line may have: 1 MiB.
    private static let lineLimit = 1 << 20

    /// Fields that a record may have and that say nothing about lines or functions.
    private static let passedOver: Set<String> = [
        "VER", "FNH", "BRDA", "BRF", "BRH", "BA", "MCDC", "MCF", "MCH",
    ]

    /// Whether a line begins as one of a tracefile does.
    package static func isRecord(_ line: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        guard let colon = line.prefix(8).firstIndex(of: UInt8(ascii: ":")) else { return false }
        let key = String(decoding: line[..<colon], as: UTF8.self)
        return passedOver.contains(key)
            || ["TN", "SF", "DA", "FN", "FNDA", "FNL", "FNA", "FNF", "LF", "LH"].contains(key)
    }

    private init(_ report: ForeignReport, _ budget: EvidenceBudget) {
        self.report = report
        self.budget = budget
    }

    /// Reads a tracefile.
    ///
    /// - Throws: `EvidenceError` with the line for anything that is not one, and for one that ends within a record.
    package static func read(
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
                try reader.take(Self.trimmed(line.bytes[...]), number)
                if budget.isSpent { throw reader.tooMuch(number, budget.reason) }
            }
            // What follows the last newline is a line too, also where nothing follows.
            if document.bytes.last.map({ $0 == UInt8(ascii: "\n") }) ?? true { number += 1 }
            guard reader.file == nil else {
                throw .truncated(file: report.path, line: number, reason: "the record of a file has no end_of_record")
            }
        }
        if let reason = reader.malformedLines.refusal {
            throw .malformed(file: report.path, line: 1, column: 1, reason: reason)
        }
        reader.coverage.settle { $0.adding($1) }
        reader.coverage.remarks = reader.malformedLines.remarks + reader.claims.remarks
        reader.coverage.missing = reader.claims.missing
        return reader.coverage
    }

    private mutating func take(_ line: Text, _ number: Int) throws(EvidenceError) {
        if line.isEmpty || line.first == UInt8(ascii: "#") { return }
        if line.elementsEqual("end_of_record".utf8) { return try end(number) }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else {
            return malformedLines.leaveOut("line \(number), which is no record of LCOV")
        }
        let value = line[(colon + 1)...]
        switch String(decoding: line[..<colon], as: UTF8.self) {
        case "SF":
            guard file == nil else { throw malformed(number, "a file begins within the record of another") }
            // Nobody knows where the lines of such a record are: each is left out, too.
            if value.isEmpty { malformedLines.leaveOut("line \(number), a file without a name") }
            file = ForeignCoverage.File(path: String(decoding: value, as: UTF8.self), group: "")
            budget.count(.entry)
            budget.count(bytes: value.count)
        case "DA": try takeLine(value, number)
        case "LF":
            let count = total(value, of: "LF")
            claimed.lines = max(claimed.lines, count)
        case "LH": claimed.executed = max(claimed.executed, StrictNumber.total(Self.trimmed(value)) ?? 0)
        case "FNF":
            let count = total(value, of: "FNF")
            functionsClaimed = max(functionsClaimed, count)
            if named.lines == 0 { functionsFound = count }
        case "TN": hasTestNames = true
        // The name of a function may hold commas, so only the first one parts it from the number.
        case "FN":
            guard var name = Self.rest(value) else {
                return malformedLines.leaveOut("line \(number), a function without a name")
            }
            // Newer tools name the last line, too.
            let end = name.prefix { $0 != UInt8(ascii: ",") }
            if end.count < name.count, StrictNumber.count(end) != nil { name = Self.rest(name) ?? name }
            functionRecords.names += 1
            add(Array(name), isCalled: false)
        case "FNDA":
            guard let name = Self.rest(value), let count = Self.count(of: value) else {
                return malformedLines.leaveOut("line \(number), a function without a count")
            }
            functionRecords.calls += 1
            add(Array(name), isCalled: count > 0)
        // A number, then the lines of the function; its names follow with the same number, each with a count.
        case "FNL":
            functionRecords.names += 1
            add(Self.numbered(value), isCalled: false)
        case "FNA":
            guard let rest = Self.rest(value), let count = Self.count(of: rest) else {
                return malformedLines.leaveOut("line \(number), a function without a count")
            }
            functionRecords.calls += 1
            add(Self.numbered(value), isCalled: count > 0)
        case let key where Self.passedOver.contains(key): break
        case let key
        where key.utf8.count <= 16 && key.utf8.allSatisfy({ (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }):
            malformedLines.leaveOut("line \(number), a record '\(key)' that is not known")
        default: malformedLines.leaveOut("line \(number), which is no record of LCOV")
        }
    }

    private mutating func takeLine(_ value: Text, _ number: Int) throws(EvidenceError) {
        guard let lines = file?.lines.count else { throw malformed(number, "a line outside of the record of a file") }
        guard file?.path.isEmpty == false else {
            return malformedLines.leaveOut("line \(number), a line of a file without a name")
        }
        // A checksum of the line may follow.
        let parts = value.split(separator: UInt8(ascii: ","), maxSplits: 2, omittingEmptySubsequences: false)
        let executions = parts.dropFirst().first.flatMap { StrictNumber.executions(Self.trimmed($0)) }
        // What is left out is said of it; it is named all the same.
        named.add(isExecuted: executions.map { $0.count > 0 } ?? true)
        guard let line = StrictNumber.count(Self.trimmed(parts[0])), let count = executions else {
            return malformedLines.leaveOut("line \(number), a line without a number and a count")
        }
        guard line > 0, line <= CoverageLimit.lineNumber else {
            return malformedLines.leaveOut("line \(number), line \(line), which no file has")
        }
        guard lines < CoverageLimit.lines else { throw malformed(number, "more than \(CoverageLimit.lines) lines") }
        budget.count(.line, 2)
        malformedLines.take()
        if !count.isWhole {
            malformedLines.noteCount("line \(number), \(String(decoding: parts[1].prefix(32), as: UTF8.self))")
        }
        file?.lines.append(LineCount(line: Int32(line), count: ExecutionCount(count.count)))
    }

    /// How many lines or functions a record counts; 0 for what is noted as unreadable, and for an empty one, which says nothing.
    private mutating func total(_ value: Text, of key: String) -> Int {
        if let count = StrictNumber.total(value) { return count }
        if !Self.trimmed(value).isEmpty {
            let words = "\(file?.path ?? "") says \(key):\(String(decoding: value.prefix(32), as: UTF8.self))"
            claims.noteUnreadable(words)
        }
        return 0
    }

    private mutating func add(_ function: [UInt8], isCalled: Bool) {
        let known = functions.updateValue(isCalled, forKey: function)
        if known == true { functions[function] = true }
        // Until the record of the file ends.
        if known == nil { budget.count(bytes: Self.cost(of: function)) }
    }

    private mutating func end(_ number: Int) throws(EvidenceError) {
        guard var ended = file else { throw malformed(number, "an end_of_record without a file") }
        if !ended.path.isEmpty {
            guard claimed.lines == 0 || !ended.lines.isEmpty else {
                throw malformed(number, "a record that counts \(claimed.lines) lines and names none")
            }
            if claimed.lines > named.lines, countsByFunction {
                claims.noteRepeated(claimed, with: named, of: ended.path)
            } else {
                claims.compare(claimed, with: named, of: ended.path)
            }
            let functionsNamed = max(functionRecords.names, functionRecords.calls)
            if functionsClaimed > functionsNamed {
                claims.noteFunctions(functionsClaimed, named: functionsNamed, of: ended.path)
            }
            // No file has as many functions as lines may be.
            let unnamed = min(max(0, functionsClaimed - functionsNamed), CoverageLimit.lines)
            ended.functions = CoverageTally(covered: functions.values.count { $0 }, total: functions.count + unnamed)
            do throws(ForeignCoverage.TooMany) {
                try coverage.add(ended)
            } catch {
                throw malformed(number, error.reason)
            }
        }
        file = nil
        (claimed, named) = (LineClaims.Tally(), LineClaims.Tally())
        (functionsClaimed, functionsFound) = (0, 0)
        functionRecords = (0, 0)
        for function in functions.keys { budget.count(bytes: -Self.cost(of: function)) }
        functions = [:]
    }

    /// Whether the sums may be those of llvm-cov, which counts a line once for each function around it: of such no more can be said than
    /// that no line is in more functions than there are. It names every function that it counts.
    private var countsByFunction: Bool {
        guard !hasTestNames, functionsFound > 0, functionRecords.names >= functionsFound else { return false }
        let most = named.lines.multipliedReportingOverflow(by: max(functionsFound, functions.count))
        return most.overflow || claimed.lines <= most.partialValue
    }

    private static func cost(of function: [UInt8]) -> Int { EvidenceBudget.Item.name.rawValue + function.count }

    private static func rest(_ value: Text) -> Text? {
        value.firstIndex(of: UInt8(ascii: ",")).map { value[($0 + 1)...] }
    }

    private static func count(of value: Text) -> UInt64? {
        StrictNumber.executions(trimmed(value.prefix { $0 != UInt8(ascii: ",") }))?.count
    }

    /// The key of a function that has a number: no name begins with a NUL.
    private static func numbered(_ value: Text) -> [UInt8] { [0] + trimmed(value.prefix { $0 != UInt8(ascii: ",") }) }

    private static func trimmed(_ text: Text) -> Text {
        func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }
        var text = text.drop(while: isBlank)
        while let last = text.last, isBlank(last) { text = text.dropLast() }
        return text
    }

    private func tooMuch(_ line: Int, _ reason: String) -> EvidenceError {
        .tooLarge(file: report.path, reason: "line \(line): \(reason)")
    }

    private func malformed(_ line: Int, _ reason: String) -> EvidenceError {
        .malformed(file: report.path, line: line, column: 1, reason: reason)
    }
}
