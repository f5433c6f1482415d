package import Evidence
import Foundation
import RunModel

/// Lines of the sources in a run directory, read once per file. Errors are ignored, because they are only for
/// excerpts.
package final class KeptLines: @unchecked Sendable {
    private let sources: KeptSources?
    private let lock = NSLock()
    private var files: [Name: [Substring]] = [:]

    /// The sources kept in a run directory.
    package init(_ directory: RunDirectory) { sources = try? KeptSources(in: directory) }

    /// The bytes of a file; `nil` when it was not kept, or is damaged.
    package func bytes(of path: String) -> [UInt8]? { try? sources?.bytes(of: path) }

    /// One line, counted from 1, without its end; `nil` when the file was not kept or has no such line.
    package func line(_ number: Int, of path: String) -> String? {
        let lines = lock.withLock {
            let key = Name(path)
            if let known = files[key] { return known }
            let read = String(decoding: bytes(of: path) ?? [], as: UTF8.self).split(
                separator: "\n", omittingEmptySubsequences: false)
            files[key] = read
            return read
        }
        return lines.indices.contains(number - 1) ? String(lines[number - 1]) : nil
    }
}
