import Application
import Foundation

/// Asks on the terminal whether to go on.
enum Confirmation {
    /// Whether `y` or `yes` was typed; never where standard input is no terminal.
    static func ask(_ question: String) -> Bool {
        guard isatty(STDIN_FILENO) == 1 else { return false }
        StandardStreams.write(question, to: STDERR_FILENO)
        return ["y", "yes"].contains((readLine() ?? "").lowercased())
    }
}
