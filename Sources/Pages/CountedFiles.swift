import Gate
import RunModel

/// The files whose lines counted in the verdict on a run.
struct CountedFiles: Sendable {
    private let paths: Set<Name>

    init(_ coverage: Coverage?, _ verdict: Verdict) {
        paths = Set(verdict.countedFiles(of: coverage).map { Name($0.path) })
    }

    /// Whether the lines of a file counted.
    func contains(_ file: FileCoverage) -> Bool { paths.contains(Name(file.path)) }

    /// The remark at a file whose lines do not count.
    static let exclusion = "excluded: not counted"
}
