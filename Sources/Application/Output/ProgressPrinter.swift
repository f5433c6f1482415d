import Foundation
import RunModel
import TestRunning

/// Shows progress on standard error: one updating line on a terminal, plain lines elsewhere.
final class ProgressPrinter: @unchecked Sendable {
    private let lock = NSLock()
    private let begin = ContinuousClock.now
    private var state: ProgressState
    private var isLineShown = false
    private let moves: Bool
    private let columns: Int
    private let isQuiet: Bool

    /// A printer for the terminal of this process.
    ///
    /// - Parameters:
    ///   - expected: How long the run will take, if known.
    ///   - isQuiet: Whether only the updating line tells of the progress, because another text tells what comes of it.
    init(process: ProcessContext, expected: ExpectedTime? = nil, isQuiet: Bool = false) {
        state = ProgressState(expected: expected)
        self.isQuiet = isQuiet
        moves = process.updatesLines
        columns = process.columns
    }

    /// Shows one event.
    func show(_ news: RunProgress) {
        lock.withLock {
            let moment = ContinuousClock.now - begin
            let announcement = state.take(news, at: moment)
            var text = ""
            if isLineShown { text += "\r\u{1B}[K" }
            if let announcement, !isQuiet { text += announcement + "\n" }
            isLineShown = moves
            if moves { text += state.line(columns: columns, at: moment) }
            if !text.isEmpty { StandardStreams.write(text, to: STDERR_FILENO) }
        }
    }

    /// Prints a message above the updating line.
    func tell(_ text: String) {
        lock.withLock {
            if isLineShown { StandardStreams.write("\r\u{1B}[K", to: STDERR_FILENO) }
            isLineShown = false
            StandardStreams.tell(text)
        }
    }

    /// Clears the updating line.
    func finish() {
        lock.withLock {
            if isLineShown { StandardStreams.write("\r\u{1B}[K", to: STDERR_FILENO) }
            isLineShown = false
        }
    }
}
