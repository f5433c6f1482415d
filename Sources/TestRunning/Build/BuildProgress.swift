/// Finds SwiftPM's count, `[12/345] …`, in the output of a build, chunk by chunk.
struct BuildProgress: Sendable, Hashable {
    private var line: [UInt8] = []

    /// A count is at the beginning of a line; the rest of the line is ignored.
    private static let longestCount = 32

    init() {}

    /// Takes bytes and returns the last count in the lines that they begin or complete.
    mutating func receive(_ bytes: some Sequence<UInt8>) -> (done: Int, total: Int)? {
        var last: (done: Int, total: Int)?
        for byte in bytes {
            // A terminal's progress bar ends its lines with a carriage return.
            if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") {
                line.removeAll(keepingCapacity: true)
            } else if line.count < Self.longestCount {
                line.append(byte)
                if byte == UInt8(ascii: "]"), let count = Self.count(in: line) { last = count }
            }
        }
        return last
    }

    private static func count(in line: [UInt8]) -> (done: Int, total: Int)? {
        guard line.first == UInt8(ascii: "["), line.last == UInt8(ascii: "]") else { return nil }
        let parts = line.dropFirst().dropLast().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard parts.count == 2, let done = Int(String(decoding: parts[0], as: UTF8.self)),
            let total = Int(String(decoding: parts[1], as: UTF8.self)), done >= 0, total >= done
        else { return nil }
        return (done, total)
    }
}
