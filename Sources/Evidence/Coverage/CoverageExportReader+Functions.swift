import RunModel

extension CoverageExportReader {
    /// A function: `{"name", "count", "filenames", "regions", …}`; `nil` for one without a region of code.
    mutating func function() throws(Fault) -> CoverageExport.Function? {
        var name: String?
        var count: UInt64?
        var paths: [String]?
        var regions: [(region: CoverageExport.Region, file: UInt64)]?
        try object("a function") { (reader, key) throws(Fault) in
            if reader.scanner.matches(key, "regions") {
                guard regions == nil else { throw reader.unexpected("'regions' occurs twice") }
                regions = try reader.regions()
            } else if reader.scanner.matches(key, "name") {
                guard name == nil else { throw reader.unexpected("'name' occurs twice") }
                name = reader.scanner.decoded(try reader.scanner.string())
            } else if reader.scanner.matches(key, "filenames") {
                guard paths == nil else { throw reader.unexpected("'filenames' occurs twice") }
                paths = try reader.paths()
            } else if reader.scanner.matches(key, "count") {
                guard count == nil else { throw reader.unexpected("'count' occurs twice") }
                count = try reader.scanner.count("a count")
            } else {
                try reader.scanner.skipValue(depth: 5)
            }
        }
        guard let name, let count, let paths, let regions else {
            throw unexpected("a function without 'name', 'count', 'filenames' or 'regions'")
        }
        guard let main = regions.first?.file else { return nil }
        guard regions.allSatisfy({ $0.file < UInt64(paths.count) }) else {
            throw unexpected("a region in a file that its function does not name")
        }
        // What lies in another file is a macro of C that was expanded here; Swift never writes any.
        return CoverageExport.Function(
            name: name, path: paths[Int(main)], count: ExecutionCount(count),
            regions: regions.filter { $0.file == main }.map(\.region)
        )
    }

    private mutating func paths() throws(Fault) -> [String] {
        var paths: [String] = []
        try list("a list of files") { (reader) throws(Fault) in
            guard paths.count < Limit.files else { throw reader.tooMany("files", limit: Limit.files) }
            paths.append(reader.intern(reader.scanner.decoded(try reader.scanner.string())))
        }
        return paths
    }

    /// `[line, column, end line, end column, count, file, expanded file, kind]`; of all kinds only code is kept.
    private mutating func regions() throws(Fault) -> [(region: CoverageExport.Region, file: UInt64)] {
        var regions: [(region: CoverageExport.Region, file: UInt64)] = []
        try list("a list of regions") { (reader) throws(Fault) in
            guard regions.count < Limit.segmentsOfFile else {
                throw reader.tooMany("regions of a function", limit: Limit.segmentsOfFile)
            }
            try reader.scanner.take(.openBracket, "a region")
            let line = try reader.place()
            let column = try reader.place()
            let endLine = try reader.place()
            let endColumn = try reader.place()
            let count = try reader.scanner.count("a count")
            try reader.scanner.take(.comma, "','")
            let file = try reader.scanner.count("a file")
            try reader.scanner.take(.comma, "','")
            _ = try reader.scanner.count("a file")
            try reader.scanner.take(.comma, "','")
            let kind = try reader.scanner.count("a kind")
            try reader.scanner.take(.closeBracket, "the end of a region")
            guard (line, column) <= (endLine, endColumn) else { throw reader.unexpected("a region that ends first") }
            guard kind == 0 else { return }
            let region = CoverageExport.Region(
                line: line, column: column, endLine: endLine, endColumn: endColumn, count: ExecutionCount(count))
            regions.append((region, file))
        }
        return regions
    }

    /// A line or a column, and the comma behind it.
    private mutating func place() throws(Fault) -> Int32 {
        let number = try scanner.count("a line or a column")
        try scanner.take(.comma, "','")
        guard number <= UInt64(Int32.max) else { throw unexpected("a region at a place that no file has") }
        return Int32(number)
    }
}
