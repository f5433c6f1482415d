import Exports
import Foundation

/// Results go to standard output, everything else to standard error.
enum StandardStreams {
    /// Writes a result.
    static func print(_ text: String) { write(text + (text.hasSuffix("\n") ? "" : "\n"), to: STDOUT_FILENO) }

    /// Writes a message for the person who watches.
    static func tell(_ text: String) { write(text + "\n", to: STDERR_FILENO) }

    /// Writes all bytes; a closed pipe ends the writing, not the program.
    static func write(_ text: String, to descriptor: Int32) {
        var text = text
        text.withUTF8 { bytes in
            var rest = UnsafeRawBufferPointer(bytes)
            while !rest.isEmpty {
                let count = Foundation.write(descriptor, rest.baseAddress, rest.count)
                if count < 0 {
                    if errno == EINTR { continue }
                    return
                }
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            }
        }
    }
}
