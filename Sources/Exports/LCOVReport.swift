public import Gate
public import RunModel
import Wording

/// The coverage of a run as an LCOV tracefile: the executable lines of every own file that counts.
public enum LCOVReport {
    /// Renders the coverage; `nil` when there is none.
    ///
    /// - Parameters:
    ///   - run: The run.
    ///   - verdict: Says which files are excluded.
    ///   - packageRoot: The package's folder as an absolute path, put in front of every file; without it paths are
    ///     relative to the package.
    public static func render(_ run: TestRun, _ verdict: Verdict, packageRoot: String? = nil) -> String? {
        let files = verdict.countedFiles(of: run.coverage)
        guard !files.isEmpty else { return nil }
        // The only text that the format has room for: the name of the test, of letters and `_`.
        let test = verdict.reservation(of: run) == nil ? "" : "kanmon_\(verdict.decision.word.lowercased())"
        var lines: [String] = []
        for file in files {
            let path = packageRoot.map { "\($0)/\(file.path)" } ?? file.path
            // A record ends with its line, so a path must not contain a line break.
            lines += ["TN:\(test)", "SF:\(TerminalText.safe(path))"]
            lines += file.lines.map { "DA:\($0.line),\($0.count.value ?? 1)" }
            let tally = file.lineTally
            lines += ["LF:\(tally.total)", "LH:\(tally.covered)", "end_of_record"]
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
