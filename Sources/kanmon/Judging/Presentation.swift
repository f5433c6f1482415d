import Evidence
import Exports
import Foundation
import Gate
import RunModel

/// Shows a judgement: the report on standard output, remarks on standard error.
struct Presentation: Sendable {
    let surroundings: Surroundings

    /// Prints the report, as text for a person or as JSON for a program.
    func show(_ judgement: Judgement, json: Bool) throws {
        if let failure = judgement.storeFailure {
            StandardStreams.tell(
                "kanmon: warning: the run is kept in \(judgement.directory.path), but not stored: \(failure.reason)")
            if let hint = failure.hint { StandardStreams.tell("Try: \(hint)") }
        }
        if json {
            StandardStreams.print(try JSONReport.render(judgement.run, judgement.verdict))
        } else {
            show(judgement.run, verdict: judgement.verdict, sources: KeptLines(judgement.directory))
        }
    }

    /// Prints the text report.
    func show(_ run: TestRun, verdict: Verdict, sources: KeptLines?) {
        let style = TextStyle(color: surroundings.wantsColor(STDOUT_FILENO), columns: surroundings.columns)
        StandardStreams.print(
            TextReport.render(run, verdict, style: style) { path, line in sources?.line(line, of: path) })
    }
}
