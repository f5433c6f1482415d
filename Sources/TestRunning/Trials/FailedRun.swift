public import RunModel

/// A run in which tests failed, before its directory is finished: its tests can be repeated with what it has built.
public struct FailedRun: Sendable {
    /// The run as far as it is known.
    public let run: TestRun
    private let execution: RunExecution

    init(_ run: TestRun, _ execution: RunExecution) { (self.run, self.execution) = (run, execution) }

    /// Tells those who watch the run what is being done.
    public func tell(_ news: RunProgress) { execution.progress(news) }

    /// Repeats tests with what the run has built; nothing of it becomes a part of the run.
    ///
    /// Cancelling the task ends every child at once; what was not repeated by then is missing in the report.
    public func trial(_ request: TrialRequest) async throws(RunnerError) -> TrialReport {
        var execution = execution
        var report = TrialReport()
        try await execution.repeatTests(request, execution.tested, &report)
        return report
    }
}
