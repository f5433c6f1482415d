import Gate
import RunModel

@testable import Pages

extension SourcePage {
    /// The page of a file of a run all of which is known; `nil` if the run has neither its text nor its coverage.
    init?(path: String, run: TestRun, text: SourceText?, change: ChangeStatus? = nil, tests: [Int32: Int]? = [:]) {
        let coverage = run.coverage?.files.first { Name($0.path) == Name(path) }
        guard text != nil || coverage != nil else { return nil }
        self.init(
            RecordedSource(
                path: path, run: run.head, coverage: coverage,
                hasExecutionCounts: run.coverage?.hasExecutionCounts ?? true, failures: run.failures,
                buildErrors: BuildErrors.all(run), text: text),
            change: change, tests: tests)
    }
}
