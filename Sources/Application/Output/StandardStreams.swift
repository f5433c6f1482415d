import Exports
import Foundation
import Gate
import RunModel
import Synchronization

/// Results go to standard output, everything else to standard error.
package enum StandardStreams {
    /// The first error that cut a result short.
    private static let outputError = Mutex<Int32?>(nil)

    /// Why the output on standard output is incomplete; `nil` if it is complete or the reader closed it.
    package static var outputFailure: Problem? {
        outputError.withLock { $0 }.map {
            Problem(.ioError, "failed to write to standard output: \(String(cString: strerror($0)))")
        }
    }

    /// Writes a result.
    package static func print(_ text: String) {
        guard let error = write(text + (text.hasSuffix("\n") ? "" : "\n"), to: STDOUT_FILENO) else { return }
        outputError.withLock { $0 = $0 ?? error }
    }

    /// Writes a message to standard error. Control characters are made safe and credentials removed, because logs are
    /// kept.
    package static func tell(_ text: String) {
        _ = write(TerminalText.safeLines(Redaction.clean(text)).joined(separator: "\n") + "\n", to: STDERR_FILENO)
    }

    /// Writes all bytes, also to a slow reader; a closed pipe ends the writing, not the program.
    ///
    /// - Returns: The error that cut the text short, unless the pipe was closed.
    @discardableResult
    package static func write(_ text: String, to descriptor: Int32) -> Int32? {
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
