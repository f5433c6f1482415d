import Subprocess

/// Reads the output of an interactive git command: lines, and as many bytes as a line announces.
struct GitAnswers {
    private var chunks: SubprocessOutputSequence.Iterator
    private let command: String
    private var bytes: [UInt8] = []
    private var offset = 0

    init(_ chunks: SubprocessOutputSequence.Iterator, command: String) {
        (self.chunks, self.command) = (chunks, command)
    }

    /// The next line without its end.
    mutating func line() async throws -> [UInt8] {
        var start = offset
        while true {
            if let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
                defer { offset = end + 1 }
                return Array(bytes[offset..<end])
            }
            start = bytes.count - offset
            try await more()
        }
    }

    /// The next `count` bytes.
    mutating func take(_ count: Int) async throws -> [UInt8] {
        while bytes.count - offset < count { try await more() }
        defer { offset += count }
        return Array(bytes[offset..<offset + count])
    }

    /// Waits for more output and drops what was read.
    private mutating func more() async throws {
        bytes.removeFirst(offset)
        offset = 0
        guard let chunk = try await chunks.next() else {
            throw GitError.unexpectedOutput(command: command, detail: "it ended before it had answered")
        }
        chunk.withUnsafeBytes { bytes.append(contentsOf: $0) }
    }
}
