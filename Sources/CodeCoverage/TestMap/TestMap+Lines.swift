package import Evidence
public import RunModel

extension TestMap {
    /// The file in a run directory, JSON Lines: first the version, then the tests, the sets of tests, and the files, each with its
    /// functions behind it.
    ///
    /// Sets name tests by their positions, counted from 0, and functions name sets in the same way: `"0-3 7"` are five tests;
    /// `"10-12:3 14:5"` are four lines, of which the first three are executed by the tests of set 3.
    public var lines: [UInt8] {
        var text = "{\"version\":\(Self.version)}\n"
        for test in tests {
            let parts = [test.module, test.suite, test.name, test.discriminator].map(Self.quoted)
            let time = durations[test].map { ",\"microseconds\":\($0.nanosecondCount / 1000)" } ?? ""
            text += "{\"test\":[\(parts.joined(separator: ","))]\(time)}\n"
        }
        for set in sets {
            text += "{\"set\":\"\(Self.ranges(set.tests))\"\(set.hasOthers ? ",\"others\":true" : "")}\n"
        }
        for file in files {
            text += "{\"file\":\(Self.quoted(file.path))}\n"
            for function in file.functions {
                let spans = function.spans.map { span in
                    "\(span.first)\(span.last > span.first ? "-\(span.last)" : ""):\(span.set)"
                }
                text += "{\"function\":\(Self.quoted(function.symbol)),\"line\":\(function.line),"
                text += "\"lastLine\":\(function.lastLine),\"set\":\(function.set),"
                text += "\"lines\":\"\(spans.joined(separator: " "))\"}\n"
            }
        }
        return Array(text.utf8)
    }

    fileprivate static let version = 1

    private static func ranges(_ numbers: [Int32]) -> String {
        var ranges: [ClosedRange<Int32>] = []
        for number in numbers {
            if let last = ranges.last, last.upperBound == number - 1 {
                ranges[ranges.count - 1] = last.lowerBound...number
            } else {
                ranges.append(number...number)
            }
        }
        return ranges.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }
            .joined(separator: " ")
    }

    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\\(scalar)"
            case _ where scalar.value < 0x20:
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }

    /// Reads such a file.
    ///
    /// - Throws: `EvidenceError.malformed` for what is no such map, `.truncated` for one that is cut off, `.tooLarge` for more than
    ///   is kept of a run.
    package init(_ document: LentBytes, file: String, budget: EvidenceBudget) throws(EvidenceError) {
        var reader = TestMapReader(budget)
        let ending = try JSONLines.read(document, file: file) { cursor throws(JSONFault) in
            try reader.read(&cursor)
            try cursor.check(budget)
        }
        guard !ending.isTruncated, reader.hasVersion else {
            throw .truncated(file: file, line: ending.lines + 1, reason: "the file ends in the middle")
        }
        self = reader.map
    }
}

/// Reads the lines of a map; positions that lead nowhere are refused.
private struct TestMapReader {
    private(set) var map = TestMap(tests: [], sets: [], files: [])
    private(set) var hasVersion = false
    private let budget: EvidenceBudget

    init(_ budget: EvidenceBudget) { self.budget = budget }

    mutating func read(_ cursor: inout JSONCursor) throws(JSONFault) {
        let start = cursor.offset
        var line = Line()
        try cursor.object { cursor, key throws(JSONFault) in try line.read(&cursor, key) }
        guard hasVersion else {
            guard line.version == TestMap.version else { throw cursor.fault("a map of another version", at: start) }
            hasVersion = true
            return
        }
        if let test = line.test {
            guard test.count == 4 else { throw cursor.fault("a test without its four parts", at: start) }
            let id = TestID(module: test[0], suite: test[1], name: test[2], discriminator: test[3])
            guard map.tests.last.map({ $0 < id }) ?? true else { throw cursor.fault("tests out of order", at: start) }
            budget.count(.name)
            budget.count(id)
            map.tests.append(id)
            if let time = line.microseconds {
                guard time >= 0, .microseconds(time) <= RunManifest.longestDuration else {
                    throw cursor.fault("a time that cannot be", at: start)
                }
                map.durations[id] = .microseconds(time)
            }
        } else if let set = line.set {
            guard let tests = Self.numbers(set, below: map.tests.count) else {
                throw cursor.fault("a set of tests that are not there", at: start)
            }
            budget.count(bytes: 48 + 4 * tests.count)
            map.sets.append(TestMap.TestSet(tests: tests, hasOthers: line.others))
        } else if let file = line.file {
            guard map.files.last.map({ Name($0.path) < Name(file) }) ?? true else {
                throw cursor.fault("files out of order", at: start)
            }
            budget.count(.name)
            budget.count(file)
            map.files.append(TestMap.File(path: file, functions: []))
        } else if let symbol = line.function {
            guard !map.files.isEmpty, let function = function(symbol, line) else {
                throw cursor.fault("a function with lines or tests that are not there", at: start)
            }
            budget.count(.function)
            budget.count(bytes: 16 * function.spans.count)
            map.files[map.files.count - 1].functions.append(function)
        } else {
            throw cursor.fault("neither test, set, file nor function", at: start)
        }
    }

    /// The members of a line that are known.
    private struct Line {
        var version: Int?
        var test: [String]?
        var microseconds: Int?
        var set: String?
        var others = false
        var file: String?
        var function: String?
        var lines = ""
        var line = 0
        var lastLine = 0
        var setNumber = -1

        mutating func read(_ cursor: inout JSONCursor, _ key: JSONCursor.Key) throws(JSONFault) {
            switch key {
            case "version": version = try cursor.integer()
            case "test":
                var parts: [String] = []
                try cursor.array { cursor throws(JSONFault) in parts.append(try cursor.string()) }
                test = parts
            case "microseconds": microseconds = try cursor.integer()
            case "set": if function == nil { set = try cursor.string() } else { setNumber = try cursor.integer() }
            case "others": others = try cursor.boolean()
            case "file": file = try cursor.string()
            case "function": function = try cursor.string()
            case "line": line = try cursor.integer()
            case "lastLine": lastLine = try cursor.integer()
            case "lines": lines = try cursor.string()
            default: try cursor.skip()
            }
        }
    }

    private func function(_ symbol: String, _ line: Line) -> TestMap.Function? {
        guard let first = Self.line(line.line), let last = Self.line(line.lastLine), first <= last,
            map.sets.indices.contains(line.setNumber)
        else { return nil }
        var spans: [TestMap.Span] = []
        for text in line.lines.split(separator: " ") {
            let parts = text.split(separator: ":")
            guard parts.count == 2, let set = Int(parts[1]), map.sets.indices.contains(set),
                let lines = Self.range(parts[0]), let start = Self.line(lines.lowerBound),
                let end = Self.line(lines.upperBound), spans.last.map({ $0.last < start }) ?? true
            else { return nil }
            spans.append(TestMap.Span(first: start, last: end, set: set))
        }
        return TestMap.Function(symbol: symbol, line: first, lastLine: last, set: line.setNumber, spans: spans)
    }

    private static func line(_ number: Int) -> Int32? {
        (1...CoverageLimit.lineNumber).contains(UInt64(clamping: number)) ? Int32(number) : nil
    }

    private static func range(_ text: Substring) -> ClosedRange<Int>? {
        let ends = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
        guard let first = ends.first ?? nil, let last = ends.last ?? nil, ends.count <= 2, first <= last else {
            return nil
        }
        return first...last
    }

    /// Ascending numbers; `nil` where one is not below the limit.
    private static func numbers(_ text: String, below limit: Int) -> [Int32]? {
        var numbers: [Int32] = []
        for part in text.split(separator: " ") {
            guard let range = range(part), range.lowerBound > (numbers.last.map(Int.init) ?? -1),
                range.upperBound < limit
            else { return nil }
            numbers += range.map { Int32($0) }
        }
        return numbers
    }
}
