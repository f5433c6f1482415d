import Gate
import RunModel

/// The files whose lines counted in the verdict on a run.
struct CountedFiles: Sendable {
    private let paths: Set<[UInt8]>

    init(_ run: TestRun, _ verdict: Verdict) { paths = Set(verdict.countedFiles(of: run).map { Array($0.path.utf8) }) }

    /// Whether the lines of a file counted.
    func contains(_ file: FileCoverage) -> Bool { paths.contains(Array(file.path.utf8)) }

    /// The remark at a file whose lines do not count.
    static let exclusion = "excluded: not counted"
}
