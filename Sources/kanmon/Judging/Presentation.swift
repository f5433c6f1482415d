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
    private let hashes: [[UInt8]: String]
    private let lock = NSLock()
    private var files: [String: [Substring]] = [:]

    /// The sources kept in a run directory.
    init(_ directory: RunDirectory) {
        self.directory = directory
        // An excerpt is worth no error.
        let sources = (try? directory.manifest().sources) ?? []
        hashes = Dictionary(sources.map { (Array($0.path.utf8), $0.sha256) }, uniquingKeysWith: { first, _ in first })
    }

    /// The bytes of a file; `nil` when it was not kept, or is damaged.
    func bytes(of path: String) -> [UInt8]? {
        hashes[Array(path.utf8)].flatMap { try? directory.source($0) }
    }

    /// One line, counted from 1, without its end; `nil` when the file was not kept or has no such line.
    func line(_ number: Int, of path: String) -> String? {
        let lines = lock.withLock {
            if let known = files[path] { return known }
            let read = String(decoding: bytes(of: path) ?? [], as: UTF8.self).split(
                separator: "\n", omittingEmptySubsequences: false)
            files[path] = read
            return read
        }
        return lines.indices.contains(number - 1) ? String(lines[number - 1]) : nil
    }
}
