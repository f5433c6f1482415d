import RunModel

/// What a file or all of them come to, as llvm-cov counts it.
struct FileSummary {
    var lines = CoverageTally()
    var regions = CoverageTally()
    /// Functions that begin at one place are one.
    var functions = CoverageTally()
    var instantiations = CoverageTally()

    static func + (left: FileSummary, right: FileSummary) -> FileSummary {
        FileSummary(
            lines: left.lines + right.lines, regions: left.regions + right.regions,
            functions: left.functions + right.functions, instantiations: left.instantiations + right.instantiations)
    }
}
