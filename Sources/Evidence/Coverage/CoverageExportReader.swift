import RunModel

/// Reads the parts of an export that count, and has the scanner check and skip the rest.
struct CoverageExportReader {
    typealias Fault = ExportScanner.Fault

    /// More of anything than any real export has; what is beyond would only be there to fill the memory.
    enum Limit {
        static let files = 50_000
        static let segmentsOfFile = 200_000
        static let lineNumber: UInt64 = 2_000_000
        static let columnNumber = UInt64(Int32.max)
        static let lines = 20_000_000
        static let summaryCount: UInt64 = 1_000_000_000
        static let functions = 2_000_000
        static let regions = 20_000_000
    }

    /// Who is told how reading goes on.
    struct Watch {
        /// Takes a file, which is not kept then.
        var file: (CoverageExport.File) -> Void
        /// Is told now and then how many bytes are done with.
        var passed: (Int) -> Void
    }

    /// Nobody, unless files are to be handed over as they come.
    var watch: Watch?

    var scanner: ExportScanner
    private var fileCount = 0
    private var passed = 0
    private var fold = SegmentFold()
    private var files: [CoverageExport.File] = []
    private var paths: Set<ExactText> = []
    private var functions: [CoverageExport.Function] = []
    private var regionTotal = 0
    private var interned: [ExactText: String] = [:]
    private var lineTotal = 0
    private let lineLimit: Int
    private let keepsFunctions: Bool

    init(_ bytes: UnsafeRawBufferPointer, lineLimit: Int = Limit.lines, keepsFunctions: Bool = true) {
        scanner = ExportScanner(bytes)
        self.lineLimit = lineLimit
        self.keepsFunctions = keepsFunctions
    }

    /// Reads the whole export: `{"data": [{"files": […], …}], "type": …, "version": …}`.
    mutating func read() throws(Fault) -> CoverageExport {
        var type: String?
        var version: String?
        var hasData = false
        try object("an export") { (reader, key) throws(Fault) in
            if reader.scanner.matches(key, "data") {
                try reader.once(&hasData, "data")
                try reader.data()
            } else if reader.scanner.matches(key, "type") {
                guard type == nil else { throw reader.unexpected("'type' occurs twice") }
                type = reader.scanner.decoded(try reader.scanner.string())
            } else if reader.scanner.matches(key, "version") {
                guard version == nil else { throw reader.unexpected("'version' occurs twice") }
                version = reader.scanner.decoded(try reader.scanner.string())
            } else {
                try reader.scanner.skipValue(depth: 1)
            }
        }
        try scanner.finish()
        guard type == "llvm.coverage.json.export", hasData, let version else {
            throw unexpected("this is not a coverage export of llvm-cov")
        }
        guard version.hasPrefix("2.") || version.hasPrefix("3.") else {
            throw unexpected("version \(version.prefix(20)) of the export format is not known")
        }
        return CoverageExport(version: version, files: files, functions: functions)
    }

    /// `data`: a list with exactly one entry.
    private mutating func data() throws(Fault) {
        var entries = 0
        try list("the list of exports") { (reader) throws(Fault) in
            entries += 1
            guard entries == 1 else { throw reader.unexpected("'data' holds more than one export") }
            var hasFiles = false
            var hasFunctions = false
            try reader.object("an export") { (reader, key) throws(Fault) in
                if reader.scanner.matches(key, "files") {
                    try reader.once(&hasFiles, "files")
                    try reader.list("a list of files") { (reader) throws(Fault) in try reader.file() }
                } else if reader.scanner.matches(key, "functions"), !reader.keepsFunctions {
                    try reader.once(&hasFunctions, "functions")
                    try reader.list("a list of functions") { (reader) throws(Fault) in
                        if !reader.scanner.skipsPlainFunction(depth: 4) { try reader.scanner.skipValue(depth: 4) }
                        reader.tellPassed()
                    }
                } else if reader.scanner.matches(key, "functions") {
                    try reader.once(&hasFunctions, "functions")
                    try reader.list("a list of functions") { (reader) throws(Fault) in
                        let function = try reader.function()
                        reader.regionTotal += function?.regions.count ?? 0
                        guard reader.functions.count < Limit.functions else {
                            throw reader.tooMany("functions", limit: Limit.functions)
                        }
                        guard reader.regionTotal <= Limit.regions else {
                            throw reader.tooMany("regions", limit: Limit.regions)
                        }
                        if let function { reader.functions.append(function) }
                    }
                } else {
                    try reader.scanner.skipValue(depth: 3)
                }
            }
            guard hasFiles else { throw reader.unexpected("an export without 'files'") }
        }
        guard entries == 1 else { throw unexpected("'data' holds no export") }
    }

    private mutating func file() throws(Fault) {
        guard fileCount < Limit.files else { throw tooMany("files", limit: Limit.files) }
        fileCount += 1
        var path: String?
        var lines: [LineCount]?
        var parts: [MissedPart] = []
        var summary: (regions: CoverageTally, functions: CoverageTally)?
        try object("a file") { (reader, key) throws(Fault) in
            if reader.scanner.matches(key, "segments") {
                guard lines == nil else { throw reader.unexpected("'segments' occurs twice") }
                lines = try reader.segments()
                parts = reader.fold.parts.withUnsafeBufferPointer { Array($0) }
            } else if reader.scanner.matches(key, "filename") {
                guard path == nil else { throw reader.unexpected("'filename' occurs twice") }
                path = reader.scanner.decoded(try reader.scanner.string())
            } else if reader.scanner.matches(key, "summary") {
                guard summary == nil else { throw reader.unexpected("'summary' occurs twice") }
                summary = try reader.summary()
            } else {
                try reader.scanner.skipValue(depth: 5)
            }
        }
        guard let path, let lines, let summary else {
            throw unexpected("a file without 'filename', 'segments' or 'summary'")
        }
        guard paths.insert(ExactText(path)).inserted else { throw unexpected("a file is listed twice") }
        let file = CoverageExport.File(
            path: path, lines: lines, parts: parts, regions: summary.regions, functions: summary.functions)
        guard let watch else {
            files.append(file)
            return
        }
        watch.file(file)
        tellPassed()
    }

    private mutating func tellPassed() {
        guard let watch, scanner.offset - passed >= 4 << 20 else { return }
        passed = scanner.offset
        watch.passed(passed)
    }

    /// `segments`: `[line, column, count, hasCount, isRegionEntry, isGapRegion]`, ascending.
    private mutating func segments() throws(Fault) -> [LineCount] {
        fold.reset()
        var seen = 0
        try scanner.take(.openBracket, "a list of segments")
        if try scanner.takes(.closeBracket, "a segment") { return [] }
        repeat {
            seen += 1
            guard seen <= Limit.segmentsOfFile else {
                throw tooMany("segments in a file", limit: Limit.segmentsOfFile)
            }
            let segment = if let plain = scanner.plainSegment() { plain } else { try segment() }
            guard segment.line >= fold.line else { throw unexpected("segments are not in the order of their lines") }
            // Checked before the fold writes the lines in between, so that two segments cannot fill the memory.
            guard lineTotal + fold.lines.count + Int(segment.line - fold.line) <= lineLimit else {
                throw tooMany("executable lines", limit: lineLimit)
            }
            fold.add(segment)
        } while try scanner.continues(until: .closeBracket)
        fold.finish()
        lineTotal += fold.lines.count
        // The fold's buffer has room to spare and is used again; what is kept is a copy that fits.
        return fold.lines.withUnsafeBufferPointer { Array($0) }
    }

    /// A segment in any spelling.
    @inline(never)
    private mutating func segment() throws(Fault) -> SegmentFold.Segment {
        try scanner.take(.openBracket, "a segment")
        let line = try scanner.count("a line")
        guard line > 0, line <= Limit.lineNumber else { throw unexpected("a segment on a line that no file has") }
        try scanner.take(.comma, "','")
        let column = try scanner.count("a column")
        guard column <= Limit.columnNumber else { throw unexpected("a segment at a column that no line has") }
        try scanner.take(.comma, "','")
        let count = try scanner.count("a count")
        try scanner.take(.comma, "','")
        let hasCount = try scanner.flag("true or false")
        try scanner.take(.comma, "','")
        let isRegionEntry = try scanner.flag("true or false")
        try scanner.take(.comma, "','")
        let isGapRegion = try scanner.flag("true or false")
        try scanner.take(.closeBracket, "the end of a segment")
        return SegmentFold.Segment(
            line: Int32(truncatingIfNeeded: line), column: Int32(truncatingIfNeeded: column), count: count,
            hasCount: hasCount, isRegionEntry: isRegionEntry,
            isGapRegion: isGapRegion
        )
    }

    private mutating func summary() throws(Fault) -> (regions: CoverageTally, functions: CoverageTally) {
        var regions: CoverageTally?
        var functions: CoverageTally?
        try object("a summary") { (reader, key) throws(Fault) in
            if reader.scanner.matches(key, "regions") {
                guard regions == nil else { throw reader.unexpected("'regions' occurs twice") }
                regions = try reader.tally()
            } else if reader.scanner.matches(key, "functions") {
                guard functions == nil else { throw reader.unexpected("'functions' occurs twice") }
                functions = try reader.tally()
            } else {
                try reader.scanner.skipValue(depth: 6)
            }
        }
        guard let regions, let functions else { throw unexpected("a summary without 'regions' or 'functions'") }
        return (regions, functions)
    }

    private mutating func tally() throws(Fault) -> CoverageTally {
        var total: UInt64?
        var covered: UInt64?
        try object("a summary") { (reader, key) throws(Fault) in
            if reader.scanner.matches(key, "count") {
                guard total == nil else { throw reader.unexpected("'count' occurs twice") }
                total = try reader.scanner.count("a count")
            } else if reader.scanner.matches(key, "covered") {
                guard covered == nil else { throw reader.unexpected("'covered' occurs twice") }
                covered = try reader.scanner.count("a count")
            } else {
                try reader.scanner.skipValue(depth: 7)
            }
        }
        guard let total, let covered else { throw unexpected("a summary without 'count' or 'covered'") }
        guard max(total, covered) <= Limit.summaryCount else { throw unexpected("a summary that counts no real file") }
        guard covered <= total else {
            throw scanner.fault(.coveredExceedsTotal(covered: Int(covered), total: Int(total)))
        }
        return CoverageTally(covered: Int(covered), total: Int(total))
    }
}

extension CoverageExportReader {
    /// Walks over an object; `member` has to take the value.
    @inline(__always)
    mutating func object(
        _ expected: StaticString,
        member: (inout CoverageExportReader, ExportScanner.Text) throws(Fault) -> Void
    ) throws(Fault) {
        try scanner.take(.openBrace, expected)
        if try scanner.takes(.closeBrace, expected) { return }
        repeat {
            let key = try scanner.string("a name")
            try scanner.take(.colon, "':'")
            try member(&self, key)
        } while try scanner.continues(until: .closeBrace)
    }

    /// Walks over a list; `element` has to take the value.
    @inline(__always)
    mutating func list(
        _ expected: StaticString,
        element: (inout CoverageExportReader) throws(Fault) -> Void
    ) throws(Fault) {
        try scanner.take(.openBracket, expected)
        if try scanner.takes(.closeBracket, expected) { return }
        repeat { try element(&self) } while try scanner.continues(until: .closeBracket)
    }

    /// The same text, but one copy of it for all functions of a file.
    mutating func intern(_ path: String) -> String {
        let key = ExactText(path)
        if let index = interned.index(forKey: key) { return interned[index].value }
        interned[key] = path
        return path
    }

    private func once(_ seen: inout Bool, _ key: String) throws(Fault) {
        guard !seen else { throw unexpected("'\(key)' occurs twice") }
        seen = true
    }

    @inline(never)
    func unexpected(_ what: String) -> Fault { scanner.fault(.unexpected(what)) }

    @inline(never)
    func tooMany(_ what: String, limit: Int) -> Fault { scanner.fault(.tooMany(what, limit: limit)) }
}
