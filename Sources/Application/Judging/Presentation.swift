import Evidence
import Exports
import Foundation
package import Gate

/// Shows a judgement: the report on standard output, remarks on standard error.
package struct Presentation: Sendable {
    let process: ProcessContext

    package init(process: ProcessContext) { self.process = process }

    /// Prints the report of a judgement, and why it was not stored.
    package func show(_ judgement: Judgement, json: Bool) throws {
        if let failure = judgement.storeFailure {
            StandardStreams.tell(
                "kanmon: warning: the run is kept in \(judgement.judged.runDirectory ?? ""), but not stored: \(failure.reason)"
            )
            if let hint = failure.hint { StandardStreams.tell("Try: \(hint)") }
        }
        try show(judgement.judged, json: json)
    }

    /// Prints the report, as text for a person or as JSON for a program.
    package func show(_ judged: JudgedRun, json: Bool = false) throws {
        if json { return StandardStreams.print(try JSONReport.render(judged.run, judged.verdict)) }
        let sources = judged.directory.map(KeptLines.init)
        let style = TextStyle(color: process.wantsColor(STDOUT_FILENO), columns: process.columns)
        StandardStreams.print(
            TextReport.render(judged.run, judged.verdict, style: style) { path, line in sources?.line(line, of: path) })
    }
}
