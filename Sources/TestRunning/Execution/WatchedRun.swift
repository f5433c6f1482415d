import Evidence
import RunModel

/// Tells of a run while it runs to whoever asked for progress, and to whoever looks at its sign.
struct WatchedRun: Sendable {
    /// Takes the news.
    let progress: @Sendable (RunProgress) -> Void
    private let sign: LiveSign?
    private let pulse: Task<Void, Never>

    /// So often the sign is written, when there is news.
    private static let interval = Duration.milliseconds(250)

    /// A run that cannot be watched is run all the same.
    init(
        _ request: RunRequest, writing folder: String, _ progress: @escaping @Sendable (RunProgress) -> Void
    ) {
        var run = LiveRun(
            runID: request.runID, project: request.project, revision: request.revision, startedAt: request.startedAt,
            folder: folder, isPartial: request.selection.isPartial || request.changedFiles != nil)
        run.expected = request.expected
        let sign = request.signs.flatMap { try? LiveSign(run, in: $0) }
        self.sign = sign
        self.progress = { news in
            sign?.update { $0.take(news) }
            progress(news)
        }
        pulse = Task {
            while let sign, !Task.isCancelled {
                sign.write()
                try? await Task.sleep(for: Self.interval)
            }
        }
    }

    /// Ends the signs of life.
    func end() {
        pulse.cancel()
        sign?.end()
    }
}
