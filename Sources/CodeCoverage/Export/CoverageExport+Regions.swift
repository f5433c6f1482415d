import Evidence
import RunModel

extension CoverageExport.Region {
    /// `[line, column, end line, end column, count, file, expanded file, kind]`; of all kinds only code is kept.
    static func read(
        _ cursor: inout JSONCursor
    ) throws(JSONFault) -> [(region: CoverageExport.Region, file: UInt64)] {
        var regions: [(region: CoverageExport.Region, file: UInt64)] = []
        try cursor.array { cursor throws(JSONFault) in
            guard regions.count < CoverageLimit.segmentsOfFile else {
                throw cursor.tooMany("regions of a function", CoverageLimit.segmentsOfFile)
            }
            try cursor.bracket()
            let line = try place(&cursor)
            let column = try place(&cursor)
            let endLine = try place(&cursor)
            let endColumn = try place(&cursor)
            let count = try cursor.count()
            try cursor.comma()
            let file = try cursor.count()
            try cursor.comma()
            _ = try cursor.count()
            try cursor.comma()
            let kind = try cursor.count()
            try cursor.closingBracket()
            guard (line, column) <= (endLine, endColumn) else { throw cursor.fault("a region that ends first") }
            guard kind == 0 else { return }
            let region = CoverageExport.Region(
                line: line, column: column, endLine: endLine, endColumn: endColumn, count: ExecutionCount(count))
            regions.append((region, file))
        }
        return regions
    }

    /// A line or a column, and the comma behind it.
    private static func place(_ cursor: inout JSONCursor) throws(JSONFault) -> Int32 {
        let number = try cursor.count()
        guard let place = Int32(exactly: number) else { throw cursor.fault("a region at a place that no file has") }
        try cursor.comma()
        return place
    }
}
