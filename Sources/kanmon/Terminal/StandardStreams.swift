import Exports
import Foundation
import Gate
import RunModel
import Synchronization

/// Results go to standard output, everything else to standard error.
enum StandardStreams {
    /// The number of the first error that cut a result short.
    private static let outputError = Mutex<Int32?>(nil)

    /// Why the results on standard output are not whole; `nil` where they are, or where nobody wanted to read more.
    static var outputFailure: Problem? {
        outputError.withLock { $0 }.map {
            Problem(.ioError, "failed to write to standard output: \(String(cString: strerror($0)))")
        }
    }

    /// Writes a result.
    static func print(_ text: String) {
        guard let error = write(text + (text.hasSuffix("\n") ? "" : "\n"), to: STDOUT_FILENO) else { return }
        outputError.withLock { $0 = $0 ?? error }
    }

    /// Writes a message for the person who watches; what a file, a name or another program said in it commands no terminal and
    /// gives no credentials away: logs are kept.
    static func tell(_ text: String) {
        _ = write(TerminalText.safeLines(Redaction.clean(text)).joined(separator: "\n") + "\n", to: STDERR_FILENO)
    }

    /// Writes all bytes, however slow the reader is; a closed pipe ends the writing, not the program.
    ///
    /// - Returns: The number of the error that cut the text short, if it was another one.
    @discardableResult
    static func write(_ text: String, to descriptor: Int32) -> Int32? {
        var text = text
        return text.withUTF8 { bytes -> Int32? in
            var rest = UnsafeRawBufferPointer(bytes)
            while !rest.isEmpty {
                let count = Foundation.write(descriptor, rest.baseAddress, rest.count)
                if count >= 0 {
                    rest = UnsafeRawBufferPointer(rebasing: rest[count...])
                    continue
                }
                let error = errno
                switch error {
                case EINTR: continue
                case EAGAIN:
                    var waited = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                    _ = poll(&waited, 1, -1)
                case EPIPE: return nil
                default: return error
                }
            }
            return nil
        }
    }
}
