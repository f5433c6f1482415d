import RunModel

/// What the toolchain counts as one function: everything the compiler made of one place in a source.
///
/// A property wrapper, a default argument or a `lazy` property is compiled several times from the same place. The rule is
/// LLVM's own (`FunctionCoverageSummary` of an instantiation group): such a group is one function, called when any of
/// them is, with as many regions, all and covered, as the one that has most.
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

    /// The group as a function that was never called, under the name that it goes by.
    func uncalled(_ names: FunctionNames) -> UncalledFunction {
        let region = functions[0].regions[0]
        return UncalledFunction(
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
