import RunModel

/// The coverage that reports of other runners bring, file by file, before anybody knows whose files they are.
struct ForeignCoverage {
    /// One source file.
    struct File {
        /// The path as it was recorded.
        let path: String
        /// What the report counts it to, such as a package of Cobertura; `nil` where it does not say.
        var group: String?
        private(set) var counts: [Int32: ExecutionCount] = [:]
        var regions = CoverageTally()
        var functions = CoverageTally()

        init(path: String, group: String? = nil) {
            self.path = path
            self.group = group
        }

        /// A file of an llvm-cov export.
        init(_ file: CoverageExport.File) {
            path = file.path
            counts = Dictionary(file.lines.map { ($0.line, $0.count) }, uniquingKeysWith: { first, _ in first })
            regions = file.regions
            functions = file.functions
        }

        /// The executable lines in ascending order.
        var lines: [LineCount] {
            counts.map { LineCount(line: $0.key, count: $0.value) }.sorted { $0.line < $1.line }
        }

        /// Adds executions of a line; a count that is not known stays so.
        mutating func add(_ line: Int32, _ count: ExecutionCount) {
            let before = counts[line] ?? ExecutionCount(0)
            let sum = before.raw.addingReportingOverflow(count.raw)
            counts[line] = ExecutionCount(sum.overflow ? .max : sum.partialValue)
        }

        /// Adds the executions that another report saw. Which regions and functions both saw nobody says: the report that
        /// knows more of them stands.
        mutating func merge(_ other: File) {
            for (line, count) in other.counts { add(line, count) }
            regions = Self.better(regions, other.regions)
            functions = Self.better(functions, other.functions)
        }

        /// Takes another class of the same file: it has lines and functions of its own, and may name some of the same.
        mutating func join(_ other: File) {
            for (line, count) in other.counts where count.raw >= counts[line]?.raw ?? 0 { counts[line] = count }
            functions = functions + other.functions
        }

        private static func better(_ one: CoverageTally, _ other: CoverageTally) -> CoverageTally {
            (other.total, other.covered) > (one.total, one.covered) ? other : one
        }
    }

    private(set) var files: [File] = []
    private var places: [ExactText: Int] = [:]
    /// The functions of an llvm-cov export, as far as there is only one.
    private(set) var functions: [CoverageExport.Function] = []

    /// Whether a report of coverage was read at all.
    var isEmpty: Bool { files.isEmpty }

    /// Adds what another report, or another record of the same, says of a file.
    mutating func add(_ file: File) { add(file) { $0.merge(file) } }

    /// Adds a class of a file.
    mutating func addClass(_ file: File) { add(file) { $0.join(file) } }

    /// Adds all of another report.
    mutating func add(_ other: ForeignCoverage) { other.files.forEach { add($0) } }

    /// Adds an llvm-cov export.
    mutating func add(_ export: CoverageExport) {
        functions = files.isEmpty ? export.functions : []
        for file in export.files { add(File(file)) }
    }

    private mutating func add(_ file: File, again: (inout File) -> Void) {
        let path = ExactText(RecordedPath.normalized(file.path))
        if let place = places[path] {
            again(&files[place])
        } else {
            places[path] = files.count
            files.append(file)
        }
    }

    /// All of it in the form of an export, for the targets of a package to be given their files.
    var export: CoverageExport {
        CoverageExport(
            version: "",
            files: files.map {
                CoverageExport.File(
                    path: $0.path, lines: $0.lines, parts: [], regions: $0.regions, functions: $0.functions)
            },
            functions: functions)
    }
}
