import Evidence
import RunModel

extension MappingExporter {
    /// Writes all functions.
    func writeFunctions(to text: inout ExportText) throws(MappingFault) -> [CoverageExport.Function] {
        var written: [CoverageExport.Function] = []
        written.reserveCapacity(mapping.functions.count)
        for (index, function) in mapping.functions.enumerated() {
            text.write(index > 0 ? ",{\"branches\":[],\"count\":" : "{\"branches\":[],\"count\":")
            text.write(function.count)
            text.write(",\"filenames\":[")
            let path = mapping.paths[function.file]
            try write(path, to: &text)
            text.write("],\"mcdc_records\":[],\"name\":")
            let name = mapping.names.text[function.name]
            try name.withUnsafeBufferPointer { bytes throws(MappingFault) in
                try text.write(text: UnsafeRawBufferPointer(bytes))
            }
            text.write(",\"regions\":[")
            let regions = write(mapping.regions[function.regions], to: &text)
            text.write("]}")
            guard !regions.isEmpty else { continue }
            written.append(
                CoverageExport.Function(
                    name: String(decoding: name, as: UTF8.self), path: path,
                    count: ExecutionCount(min(function.count, UInt64(Int64.max))), regions: regions))
        }
        return written
    }

    /// Writes the regions of a function; what is kept of them is code.
    private func write(
        _ regions: ArraySlice<MappedRegion>, to text: inout ExportText
    ) -> [CoverageExport.Region] {
        var kept: [CoverageExport.Region] = []
        kept.reserveCapacity(regions.count)
        for (index, region) in regions.enumerated() {
            let count = min(region.count, UInt64(Int64.max))
            if index > 0 { text.write(sign: 0x2C) }
            text.write(sign: 0x5B)
            text.write(withComma: Int(region.start.line))
            text.write(withComma: Int(region.start.column))
            text.write(withComma: Int(region.end.line))
            text.write(withComma: Int(region.end.column))
            text.write(count)
            // Its file and one that is expanded in it: the first and only one.
            text.write(",0,0,")
            text.write(UInt64(region.kind.rawValue))
            text.write(sign: 0x5D)
            guard region.kind == .code else { continue }
            kept.append(
                CoverageExport.Region(
                    line: region.start.line, column: region.start.column, endLine: region.end.line,
                    endColumn: region.end.column, count: ExecutionCount(count)))
        }
        return kept
    }

    func write(_ path: String, to text: inout ExportText) throws(MappingFault) {
        var path = path
        var fault: MappingFault?
        path.withUTF8 { bytes in
            do throws(MappingFault) {
                try text.write(text: UnsafeRawBufferPointer(bytes))
            } catch {
                fault = error
            }
        }
        if let fault { throw fault }
    }

    func write(_ summary: FileSummary, to text: inout ExportText) {
        text.write("{\"branches\":{\"count\":0,\"covered\":0,\"notcovered\":0,\"percent\":0},\"functions\":")
        write(summary.functions, to: &text)
        text.write(",\"instantiations\":")
        write(summary.instantiations, to: &text)
        text.write(",\"lines\":")
        write(summary.lines, to: &text)
        text.write(",\"mcdc\":{\"count\":0,\"covered\":0,\"notcovered\":0,\"percent\":0},\"regions\":")
        write(summary.regions, withMissed: true, to: &text)
        text.write(sign: 0x7D)
    }

    private func write(_ tally: CoverageTally, withMissed: Bool = false, to text: inout ExportText) {
        text.write("{\"count\":")
        text.write(withComma: tally.total)
        text.write("\"covered\":")
        text.write(withComma: tally.covered)
        if withMissed {
            text.write("\"notcovered\":")
            text.write(withComma: tally.missed)
        }
        text.write("\"percent\":")
        text.write(percent: tally)
        text.write(sign: 0x7D)
    }
}
