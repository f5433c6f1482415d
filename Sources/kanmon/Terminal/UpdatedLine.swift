import Application
import Foundation

/// A status line of a terminal that is updated in place; nothing if the output is no terminal.
struct UpdatedLine: Sendable {
    private let isShown: Bool

    init(_ process: ProcessContext) { isShown = process.updatesLines }

    /// Writes the line in place of what it said before.
    func show(_ words: @autoclosure () -> String) {
        if isShown { StandardStreams.write("\r\u{1B}[K\(words())", to: STDERR_FILENO) }
    }

    /// Takes it away.
    func clear() { show("") }
}
