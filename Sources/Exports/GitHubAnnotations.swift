public import Gate
public import RunModel
import Wording

/// The problems of a run as workflow commands of GitHub Actions, which shows them at the lines of a change.
///
/// GitHub shows ten errors and ten warnings of a step and silently drops the rest, so the tenth says how many more
/// there are. Untrusted text can end neither a property nor the command.
public enum GitHubAnnotations {
    /// How many of one level GitHub shows.
    private static let most = 10

    /// The commands, one on each line; empty if there are no problems.
    ///
    /// - Parameters:
    ///   - run: The run.
    ///   - verdict: Its verdict.
    ///   - pathPrefix: The package's folder relative to the repository, where it is not the repository itself.
    public static func render(_ run: TestRun, _ verdict: Verdict, pathPrefix: String = "") -> String {
        let findings = Finding.all(run, verdict, pathPrefix: pathPrefix)
        let errors = findings.filter(\.kind.isError)
        let warnings = findings.filter { !$0.kind.isError }
        let lines = shown(errors, as: "error") + shown(warnings, as: "warning")
        return lines.map { $0 + "\n" }.joined()
    }

    private static func shown(_ findings: [Finding], as level: String) -> [String] {
        guard findings.count > most else { return findings.map { command($0, level) } }
        let left = findings.count - (most - 1)
        return findings.prefix(most - 1).map { command($0, level) }
            + [
                "::\(level) title=Kanmon::\(data(Figures.counted(left, "more \(level)") + ", see the report of the run"))"
            ]
    }

    private static func command(_ finding: Finding, _ level: String) -> String {
        var properties: [String] = []
        if let path = finding.path { properties.append("file=\(property(path))") }
        if let lines = finding.lines {
            properties.append("line=\(lines.lowerBound)")
            if lines.count > 1 { properties.append("endLine=\(lines.upperBound)") }
        }
        if let column = finding.column { properties.append("col=\(column)") }
        properties.append("title=\(property(TerminalText.cut(finding.title, to: 200)))")
        let origin = finding.origin.map { "%0A" + data($0) } ?? ""
        return "::\(level) \(properties.joined(separator: ","))::\(data(finding.message))\(origin)"
    }

    /// A value between the two double colons: its percent signs, colons and commas are escaped.
    private static func property(_ text: String) -> String {
        escaped(TerminalText.safe(text), ["%": "%25", ":": "%3A", ",": "%2C"])
    }

    /// The text after them: at most twenty lines, the line breaks escaped.
    private static func data(_ text: String) -> String {
        let lines = TerminalText.safeLines(text)
        let more = lines.count > 20 ? ["… \(Figures.counted(lines.count - 20, "more line"))"] : []
        return (lines.prefix(20) + more).map { escaped($0, ["%": "%25"]) }.joined(separator: "%0A")
    }

    private static func escaped(_ text: String, _ table: [Unicode.Scalar: String]) -> String {
        text.unicodeScalars.reduce(into: "") { result, scalar in
            if let escape = table[scalar] { result += escape } else { result.unicodeScalars.append(scalar) }
        }
    }
}
