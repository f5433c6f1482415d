import RunModel

/// What the toolchain counts as one function: all functions that the compiler made from one place of a source.
///
/// A property wrapper, a default argument or a `lazy` property is compiled several times from the same place. The
/// rule is LLVM's own (`FunctionCoverageSummary` of an instantiation group): such a group is one function. It is
/// called if any of them is, and its numbers of regions and covered regions are the largest among them.
struct FunctionGroup: Sendable, Hashable {
    /// The functions that begin at the same place; never empty.
    let functions: [CoverageExport.Function]

    /// The line on which they begin.
    var line: Int32 { functions[0].regions[0].line }
    /// The name of the first of them.
    var name: String { functions[0].name }
    /// Whether any of them was called.
    var isCalled: Bool { functions.contains(where: \.count.isCovered) }
    /// Regions covered of all.
    var regions: CoverageTally {
        functions.reduce(CoverageTally()) { tally, function in
            CoverageTally(
                covered: max(tally.covered, function.regions.count { $0.count.isCovered }),
                total: max(tally.total, function.regions.count)
            )
        }
    }

    /// The group as one function with its readable name.
    func function(_ names: FunctionNames) -> SourceFunction {
        let region = functions[0].regions[0]
        return SourceFunction(
            name: names[functions[0].symbol], line: region.line, column: region.column, endLine: region.endLine,
            endColumn: region.endColumn)
    }

    /// Groups the functions of one file, in the order of the places where they begin.
    static func groups(of functions: [CoverageExport.Function]) -> [FunctionGroup] {
        func start(_ function: CoverageExport.Function) -> UInt64 {
            UInt64(function.regions[0].line) << 32 | UInt64(function.regions[0].column)
        }
        return Dictionary(grouping: functions, by: start).sorted { $0.key < $1.key }
            .map { FunctionGroup(functions: $0.value) }
    }
}
