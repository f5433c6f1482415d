import Evidence
import RunModel

/// Reads the parts of an llvm-cov export that count, and skips the rest.
struct CoverageExportReader {
    private let document: LentBytes
    private let lineLimit: Int
    private let keepsFunctions: Bool
    /// How the paths of the files end that are kept; `nil` keeps all.
    private let ending: [UInt8]?
    /// Takes a file, which is not kept then.
    private let take: ((CoverageExport.File) -> Void)?
    private let budget: EvidenceBudget
    private var fileCount = 0
    private var fold = SegmentFold()
    private var files: [CoverageExport.File] = []
    private var paths: Set<Name> = []
    private var functions: [CoverageExport.Function] = []
    private var interned: [Name: String] = [:]
    private var lineTotal = 0

    init(
        _ document: LentBytes, budget: EvidenceBudget = EvidenceBudget(), lineLimit: Int = CoverageLimit.lines,
        keepsFunctions: Bool = true, only path: String? = nil, take: ((CoverageExport.File) -> Void)? = nil
    ) {
        self.budget = budget
        self.document = document
        self.lineLimit = lineLimit
        self.keepsFunctions = keepsFunctions
        ending = path.map { Array("/\($0)".utf8) }
        self.take = take
    }

    /// Reads the whole export: `{"data": [{"files": […], …}], "type": …, "version": …}`.
    mutating func read() throws(JSONFault) -> CoverageExport {
        var cursor = JSONCursor(document)
        var type: String?
        var version: String?
        var hasData = false
        try cursor.object { cursor, key throws(JSONFault) in
            switch key {
            case "data":
                hasData = true
                try data(&cursor)
            case "type": type = try cursor.string()
            case "version": version = try cursor.string()
            default: try cursor.skip()
            }
        }
        try cursor.end()
        guard type == "llvm.coverage.json.export", hasData, let version else {
            throw cursor.fault("this is not a coverage export of llvm-cov")
        }
        guard version.hasPrefix("2.") || version.hasPrefix("3.") else {
            throw cursor.fault("version \(version.prefix(20)) of the export format is not known")
        }
        return CoverageExport(version: version, files: files, functions: functions)
    }

    /// `data`: a list with exactly one entry.
    private mutating func data(_ cursor: inout JSONCursor) throws(JSONFault) {
        var entries = 0
        try cursor.array { cursor throws(JSONFault) in
            entries += 1
            guard entries == 1 else { throw cursor.fault("'data' holds more than one export") }
            var hasFiles = false
            try cursor.object { cursor, key throws(JSONFault) in
                switch key {
                case "files":
                    hasFiles = true
                    try cursor.array { cursor throws(JSONFault) in try file(&cursor) }
                case "functions":
                    try cursor.array { cursor throws(JSONFault) in
                        if keepsFunctions { try function(&cursor) } else { try cursor.skip() }
                    }
                default: try cursor.skip()
                }
            }
            guard hasFiles else { throw cursor.fault("an export without 'files'") }
        }
        guard entries == 1 else { throw cursor.fault("'data' holds no export") }
    }

    private func isKept(_ path: String) -> Bool {
        guard let ending else { return true }
        return path.utf8.suffix(ending.count).elementsEqual(ending)
    }

    // MARK: Files

    private mutating func file(_ cursor: inout JSONCursor) throws(JSONFault) {
        fileCount += 1
        guard fileCount <= CoverageLimit.files else { throw cursor.tooMany("files", CoverageLimit.files) }
        var path: String?
        var lines: [LineCount]?
        var summary: (regions: CoverageTally, functions: CoverageTally)?
        try cursor.object { cursor, key throws(JSONFault) in
            switch key {
            case "segments": lines = try segments(&cursor)
            case "filename": path = try cursor.string()
            case "summary": summary = try Self.summary(&cursor)
            default: try cursor.skip()
            }
        }
        guard let path, let lines, let summary else {
            throw cursor.fault("a file without 'filename', 'segments' or 'summary'")
        }
        guard paths.insert(Name(path)).inserted else { throw cursor.fault("a file is listed twice") }
        guard isKept(path) else { return }
        let parts = fold.parts.withUnsafeBufferPointer { Array($0) }
        let file = CoverageExport.File(
            path: path, lines: lines, parts: parts, regions: summary.regions, functions: summary.functions)
        budget.count(.entry)
        budget.count(path)
        if let take {
            take(file)
        } else {
            files.append(file)
            budget.count(.line, lines.count + parts.count)
        }
        try cursor.check(budget)
    }

    /// `segments`: `[line, column, count, hasCount, isRegionEntry, isGapRegion]`, ascending. Old versions lack the last.
    private mutating func segments(_ cursor: inout JSONCursor) throws(JSONFault) -> [LineCount] {
        fold.reset()
        var seen = 0
        try cursor.array { cursor throws(JSONFault) in
            seen += 1
            guard seen <= CoverageLimit.segmentsOfFile else {
                throw cursor.tooMany("segments in a file", CoverageLimit.segmentsOfFile)
            }
            try cursor.bracket()
            let line = try cursor.count()
            guard line > 0, line <= CoverageLimit.lineNumber else {
                throw cursor.fault("a segment on a line that no file has")
            }
            try cursor.comma()
            let column = try cursor.count()
            guard column <= CoverageLimit.columnNumber else {
                throw cursor.fault("a segment at a column that no line has")
            }
            try cursor.comma()
            let count = try cursor.count()
            try cursor.comma()
            let hasCount = try cursor.boolean()
            try cursor.comma()
            let isRegionEntry = try cursor.boolean()
            var isGapRegion = false
            cursor.skipSpace()
            if cursor.peek != UInt8(ascii: "]") {
                try cursor.comma()
                isGapRegion = try cursor.boolean()
            }
            try cursor.closingBracket()
            guard Int32(line) >= fold.line else { throw cursor.fault("segments are not in the order of their lines") }
            // Checked before the fold writes the lines in between, so that two segments cannot fill the memory.
            guard lineTotal + fold.lines.count + Int(line) - Int(fold.line) <= lineLimit else {
                throw cursor.tooMany("executable lines", lineLimit)
            }
            fold.add(
                SegmentFold.Segment(
                    line: Int32(line), column: Int32(column), count: count, hasCount: hasCount,
                    isRegionEntry: isRegionEntry, isGapRegion: isGapRegion))
        }
        fold.finish()
        lineTotal += fold.lines.count
        // The fold's buffer has room to spare and is used again; what is kept is a copy that fits.
        return fold.lines.withUnsafeBufferPointer { Array($0) }
    }

    private static func summary(
        _ cursor: inout JSONCursor
    ) throws(JSONFault) -> (regions: CoverageTally, functions: CoverageTally) {
        var regions: CoverageTally?
        var functions: CoverageTally?
        try cursor.object { cursor, key throws(JSONFault) in
            switch key {
            case "regions": regions = try tally(&cursor)
            case "functions": functions = try tally(&cursor)
            default: try cursor.skip()
            }
        }
        guard let regions, let functions else { throw cursor.fault("a summary without 'regions' or 'functions'") }
        return (regions, functions)
    }

    private static func tally(_ cursor: inout JSONCursor) throws(JSONFault) -> CoverageTally {
        var total: UInt64?
        var covered: UInt64?
        try cursor.object { cursor, key throws(JSONFault) in
            switch key {
            case "count": total = try cursor.count()
            case "covered": covered = try cursor.count()
            default: try cursor.skip()
            }
        }
        guard let total, let covered else { throw cursor.fault("a summary without 'count' or 'covered'") }
        guard max(total, covered) <= CoverageLimit.summaryCount else {
            throw cursor.fault("a summary that counts no real file")
        }
        guard covered <= total else { throw cursor.fault("\(covered) covered of \(total)") }
        return CoverageTally(covered: Int(covered), total: Int(total))
    }

    // MARK: Functions

    /// A function: `{"name", "count", "filenames", "regions", …}`; one without a region of code is passed over.
    private mutating func function(_ cursor: inout JSONCursor) throws(JSONFault) {
        var name: String?
        var count: UInt64?
        var paths: [String]?
        var regions: [(region: CoverageExport.Region, file: UInt64)]?
        var isLeftOut = false
        try cursor.object { cursor, key throws(JSONFault) in
            switch key {
            // The files of a function stand before its regions.
            case "regions" where ending != nil && paths.map { !$0.contains(where: isKept) } ?? false:
                isLeftOut = true
                try cursor.skip()
            case "regions": regions = try CoverageExport.Region.read(&cursor)
            case "name": name = try cursor.string()
            case "filenames": paths = try filenames(&cursor)
            case "count": count = try cursor.count()
            default: try cursor.skip()
            }
        }
        guard !isLeftOut else { return }
        guard let name, let count, let paths, let regions else {
            throw cursor.fault("a function without 'name', 'count', 'filenames' or 'regions'")
        }
        guard let main = regions.first?.file else { return }
        guard regions.allSatisfy({ $0.file < UInt64(paths.count) }) else {
            throw cursor.fault("a region in a file that its function does not name")
        }
        budget.count(.function)
        budget.count(name)
        budget.count(.region, regions.count)
        try cursor.check(budget)
        // What lies in another file is a macro of C that was expanded here; Swift never writes any.
        functions.append(
            CoverageExport.Function(
                name: name, path: paths[Int(main)], count: ExecutionCount(count),
                regions: regions.filter { $0.file == main }.map(\.region)
            ))
    }

    private mutating func filenames(_ cursor: inout JSONCursor) throws(JSONFault) -> [String] {
        var paths: [String] = []
        try cursor.array { cursor throws(JSONFault) in
            guard paths.count < CoverageLimit.files else { throw cursor.tooMany("files", CoverageLimit.files) }
            paths.append(intern(try cursor.string()))
            try cursor.check(budget)
        }
        return paths
    }

    /// The same text, but one copy of it for all functions of a file.
    private mutating func intern(_ path: String) -> String {
        let key = Name(path)
        if let index = interned.index(forKey: key) { return interned[index].value }
        budget.count(.name)
        budget.count(path)
        interned[key] = path
        return path
    }
}
