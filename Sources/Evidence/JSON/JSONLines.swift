/// Reading JSON Lines: one value a line, every line complete with its newline.
///
/// A writer that was killed leaves half a line at the end. That is told apart from a line that is wrong.
package enum JSONLines {
    /// How many bytes one line may have: 32 MiB.
    static let lineLimit = 32 << 20

    /// How a file of lines ended.
    package struct Ending: Equatable {
        /// How many lines were read.
        package var lines = 0
        /// Whether the last line is cut off.
        package var isTruncated = false
    }

    /// Calls `body` with a cursor for every line that is not empty.
    ///
    /// - Throws: `EvidenceError.malformed` with the line and column of the fault, `.tooLarge` with the line where there is more of
    ///   something than is read; a cut last line is no fault.
    package static func read(
        _ document: LentBytes,
        file: String,
        _ body: (inout JSONCursor) throws(JSONFault) -> Void
    ) throws(EvidenceError) -> Ending {
        let buffer = document.bytes
        var ending = Ending()
        var (start, number, released) = (0, 0, 0)
        while start < buffer.count {
            if start - released >= 1 << 20 {
                released = start
                document.release(released)
            }
            number += 1
            let rest = UnsafeBufferPointer(rebasing: buffer[start...])
            let length = LineBytes(rest).upTo(lineLimit).find("\n")
            guard length != nil || rest.count <= lineLimit else {
                throw .tooLarge(file: file, reason: "line \(number): more than \(lineLimit) bytes in a line")
            }
            var cursor = JSONCursor(UnsafeBufferPointer(rebasing: rest[..<(length ?? rest.count)]))
            start += (length ?? rest.count) + 1
            if cursor.next() == nil { continue }
            do throws(JSONFault) {
                try body(&cursor)
                try cursor.end()
                ending.lines += 1
            } catch {
                guard !error.isLimit else {
                    throw .tooLarge(file: file, reason: "line \(number): \(error.reason)")
                }
                // Without a newline it was never written to its end: anything may be missing.
                guard length != nil else {
                    ending.isTruncated = true
                    break
                }
                throw .malformed(file: file, line: number, column: error.offset + 1, reason: error.reason)
            }
        }
        return ending
    }
}
