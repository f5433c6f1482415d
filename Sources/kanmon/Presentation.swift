import Evidence
import Exports
import Foundation
import Gate
import RunModel

/// Shows a judgement: the report on standard output, what is beside it on standard error.
struct Presentation: Sendable {
    let surroundings: Surroundings

    /// Prints the report, as text for a person or as JSON for a program.
    func show(_ judgement: Judgement, json: Bool) throws {
        if let failure = judgement.storeFailure {
            StandardStreams.tell(
                "kanmon: warning: the run is kept in \(judgement.directory.path), but not stored: \(failure.reason)")
        }
        if json {
            StandardStreams.print(try JSONReport.render(judgement.run, judgement.verdict))
        } else {
            show(judgement.run, verdict: judgement.verdict, sources: KeptSources(judgement.directory))
        }
    }

    /// Prints the text report.
    func show(_ run: TestRun, verdict: Verdict, sources: KeptSources?) {
        let style = TextStyle(color: surroundings.wantsColor(STDOUT_FILENO), columns: surroundings.columns)
        StandardStreams.print(
            TextReport.render(run, verdict, style: style) { path, line in sources?.line(line, of: path) })
    }
}

/// Lines of the sources that a run directory keeps, read once per file.
final class KeptSources: @unchecked Sendable {
    private let directory: RunDirectory
    private let lock = NSLock()
    private var files: [String: [Substring]] = [:]

    /// The sources kept in a run directory.
    init(_ directory: RunDirectory) { self.directory = directory }

    /// The whole text; empty when the file was not kept. An excerpt is worth no error.
    private func text(of path: String) -> String {
        let kept = try? directory.manifest().sources.first { $0.path.utf8.elementsEqual(path.utf8) }
        guard let kept, let bytes = try? directory.source(kept.sha256) else { return "" }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// One line, counted from 1, without its end; `nil` when the file was not kept or has no such line.
    func line(_ number: Int, of path: String) -> String? {
        let lines = lock.withLock {
            if let known = files[path] { return known }
            let read = text(of: path).split(separator: "\n", omittingEmptySubsequences: false)
            files[path] = read
            return read
        }
        return lines.indices.contains(number - 1) ? String(lines[number - 1]) : nil
    }
}
