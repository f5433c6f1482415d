import Evidence
import RunModel

/// Sends the progress of a run to the caller and to its progress file.
struct RunProgressReporter: Sendable {
    /// Receives the progress.
    let progress: @Sendable (RunProgress) -> Void
    private let progressFile: ProgressFile?
    private let pulse: Task<Void, Never>

    /// The shortest interval between writes of the progress file.
    private static let interval = Duration.milliseconds(250)

    /// The run continues if the progress file cannot be written.
    init(
        _ request: RunRequest, writing folder: String, _ progress: @escaping @Sendable (RunProgress) -> Void
    ) {
        var run = LiveRun(
            runID: request.runID, project: request.package.project, revision: request.package.revision,
            startedAt: request.startedAt,
            folder: folder, isPartial: request.tests.isPartial)
        run.expected = request.expected
        run.seed = request.seed
        let progressFile = request.progressFiles.flatMap { try? ProgressFile(run, in: $0) }
        self.progressFile = progressFile
        self.progress = { news in
            progressFile?.update { $0.take(news) }
            progress(news)
        }
        pulse = Task {
            while let progressFile, !Task.isCancelled {
                progressFile.write()
                try? await Task.sleep(for: Self.interval)
            }
        }
    }

    /// Ends the updates.
    func end() {
        pulse.cancel()
        progressFile?.end()
    }
}
