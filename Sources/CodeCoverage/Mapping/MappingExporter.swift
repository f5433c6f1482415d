import RunModel

/// Writes an export, file by file and function by function, and returns the same data as a value.
struct MappingExporter {
    private static let version: StaticString = "3.0.1"

    let mapping: CoverageMapping
    private var builder = SegmentBuilder()
    private var fold = SegmentFold()
    private var lineTotal = 0

    init(_ mapping: CoverageMapping) { self.mapping = mapping }

    mutating func write(to text: inout ExportText) throws(MappingFault) -> CoverageExport {
        var byFile: [[Int]] = Array(repeating: [], count: mapping.paths.count)
        for (number, function) in mapping.functions.enumerated() { byFile[function.file].append(number) }
        let order = byFile.indices.filter { !byFile[$0].isEmpty }
            .sorted { Name(mapping.paths[$0]) < Name(mapping.paths[$1]) }
        var files: [CoverageExport.File] = []
        files.reserveCapacity(order.count)
        var total = FileSummary()
        text.write("{\"data\":[{\"files\":[")
        for (index, file) in order.enumerated() {
            if index > 0 { text.write(sign: 0x2C) }
            let (written, summary) = try write(file, byFile[file], to: &text)
            files.append(written)
            total = total + summary
        }
        text.write("],\"functions\":[")
        let functions = try writeFunctions(to: &text)
        text.write("],\"totals\":")
        write(total, to: &text)
        text.write("}],\"type\":\"llvm.coverage.json.export\",\"version\":\"")
        text.write(Self.version)
        text.write("\"}")
        return CoverageExport(version: "\(Self.version)", files: files, functions: functions)
    }

    private mutating func write(
        _ file: Int, _ functions: [Int], to text: inout ExportText
    ) throws(MappingFault) -> (CoverageExport.File, FileSummary) {
        builder.removeAll()
        for number in functions { builder.add(mapping.regions[mapping.functions[number].regions]) }
        builder.build()
        let path = mapping.paths[file]
        text.write("{\"branches\":[],\"expansions\":[],\"filename\":")
        try write(path, to: &text)
        text.write(",\"mcdc_records\":[],\"segments\":[")
        try writeSegments(to: &text)
        text.write("],\"summary\":")
        let lines = fold.lines.withUnsafeBufferPointer { Array($0) }
        let parts = fold.parts.withUnsafeBufferPointer { Array($0) }
        let summary = summary(of: functions)
        write(summary, to: &text)
        text.write(sign: 0x7D)
        let written = CoverageExport.File(
            path: path, lines: lines, parts: parts, regions: summary.regions, functions: summary.functions)
        return (written, summary)
    }

    /// Writes the segments that were built, and derives the lines from them as a reader of the export does.
    private mutating func writeSegments(to text: inout ExportText) throws(MappingFault) {
        fold.reset()
        guard builder.segments.count <= CoverageLimit.segmentsOfFile else { throw .limit }
        for (index, segment) in builder.segments.enumerated() {
            let (line, column) = (segment.start.line, segment.start.column)
            guard line >= fold.line else { throw .region }
            let count = min(segment.count, UInt64(Int64.max))
            fold.add(
                SegmentFold.Segment(
                    line: line, column: column, count: count, hasCount: segment.hasCount,
                    isRegionEntry: segment.isRegionEntry, isGapRegion: segment.isGapRegion))
            if index > 0 { text.write(sign: 0x2C) }
            text.write(sign: 0x5B)
            text.write(withComma: Int(line))
            text.write(withComma: Int(column))
            text.write(count)
            text.write(sign: 0x2C)
            text.write(segment.hasCount)
            text.write(sign: 0x2C)
            text.write(segment.isRegionEntry)
            text.write(sign: 0x2C)
            text.write(segment.isGapRegion)
            text.write(sign: 0x5D)
        }
        fold.finish()
        lineTotal += fold.lines.count
        guard lineTotal <= CoverageLimit.lines else { throw .limit }
    }

    /// Adds up the functions of a file. Functions that begin at the same place count once, with the highest numbers of
    /// any of them and the calls of all.
    private mutating func summary(of functions: [Int]) -> FileSummary {
        var summary = FileSummary()
        let starts = functions.map { mapping.regions[mapping.functions[$0].regions.lowerBound].start }
        let order = starts.indices.sorted { starts[$0] < starts[$1] }
        var index = 0
        while index < order.count {
            let start = starts[order[index]]
            var regions = CoverageTally()
            var lines = CoverageTally()
            var calls: UInt64 = 0
            while index < order.count, starts[order[index]] == start {
                let function = mapping.functions[functions[order[index]]]
                let own = tallies(of: function)
                regions = CoverageTally(
                    covered: max(regions.covered, own.regions.covered), total: max(regions.total, own.regions.total))
                lines = CoverageTally(
                    covered: max(lines.covered, own.lines.covered), total: max(lines.total, own.lines.total))
                calls = calls &+ function.count
                summary.instantiations =
                    summary.instantiations + CoverageTally(covered: function.count > 0 ? 1 : 0, total: 1)
                index += 1
            }
            summary.lines = summary.lines + lines
            summary.regions = summary.regions + regions
            summary.functions = summary.functions + CoverageTally(covered: calls > 0 ? 1 : 0, total: 1)
        }
        return summary
    }

    private mutating func tallies(of function: MappedFunction) -> (regions: CoverageTally, lines: CoverageTally) {
        let regions = mapping.regions[function.regions]
        var tally = CoverageTally()
        for region in regions where region.kind == .code {
            tally.total += 1
            if region.count > 0 { tally.covered += 1 }
        }
        builder.removeAll()
        builder.add(regions)
        builder.build()
        return (tally, builder.lines)
    }
}
