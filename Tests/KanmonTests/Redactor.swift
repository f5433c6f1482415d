import Foundation

/// Replaces what differs from run to run and from machine to machine: paths, ids, times, durations, versions.
struct Redactor: Sendable {
    /// Each path and the word for it.
    let paths: [(path: String, word: String)]
    /// Whether what a test printed is left out, its heading too: what a crash prints has addresses in it, and where it comes
    /// before the mark of its test it is no output of that test.
    var hidesTestOutput = false

    func callAsFunction(_ text: String) -> String {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line($0) }
        if hidesTestOutput { lines.removeAll { $0.hasPrefix("    │ ") || $0 == "    Output:" } }
        return lines.joined(separator: "\n")
    }

    private func line(_ original: Substring) -> String {
        var line = String(original)
        // The longest first: one folder may lie in another.
        for (path, word) in paths.sorted(by: { $0.path.utf8.count > $1.path.utf8.count }) {
            line = line.replacingOccurrences(of: path, with: word)
        }
        line.replace(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/, with: "{id}")
        line.replace(/\b[0-9a-f]{64}\b/, with: "{sha256}")
        line.replace(/\b[0-9a-f]{12}\b/, with: "{short}")
        line.replace(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?( ?(Z|UTC))?/, with: "{time}")
        line.replace(/\b\d+ (min|h|d) ago\b/, with: "{age}")
        line.replace(/\b\d+ (min \d+ s|h \d+ min)\b/, with: "{duration}")
        line.replace(/\b\d+(\.\d+)? (µs|ms|s)\b/, with: "{duration}")
        line.replace(/(?<name>"(\w*[dD]uration\w*|\w*[nN]anoseconds)" ?: ?)\d+/) { "\($0.output.name){nanoseconds}" }
        line.replace(/(?<name> (time|timestamp)=")[^"]*/) { "\($0.output.name){time}" }
        line.replace(/(?<name>"kanmonVersion" ?: ?)"[^"]*"/) { "\($0.output.name)\"{version}\"" }
        line.replace(/(?<name>"host" ?: ?)"[^"]*"/) { "\($0.output.name)\"{host}\"" }
        line.replace(/(?<name>[kK]anmon )\d+\.\d+\.\d+/) { "\($0.output.name){version}" }
        line.replace(/Swift version [^"]*\)/, with: "{swift}")
        // Columns are as wide as what was in them.
        if line != original { line.replace(/(?<text>\S) {2,}/) { "\($0.output.text)  " } }
        return line
    }
}
