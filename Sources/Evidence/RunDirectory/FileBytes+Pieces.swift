import Foundation

extension FileBytes {
    /// The least that is read at once.
    private static let pieceSize = 256 << 10

    /// Reads a regular file piece by piece.
    ///
    /// - Parameters:
    ///   - each: Is lent every piece once, before `body` takes it.
    ///   - body: Takes the bytes that it left before and those behind them, and whether these are the last; tells how many
    ///     it is done with, or `nil` to stop.
    /// - Returns: Whether all bytes were taken.
    static func pieces(
        of path: String, limit: Int, each: (UnsafeRawBufferPointer) throws(EvidenceError) -> Void = { _ in },
        _ body: (UnsafeBufferPointer<UInt8>, Bool) -> Int?
    ) throws(EvidenceError) -> Bool {
        guard let (descriptor, _) = try openRegular(path, limit: limit) else {
            throw .unreadable(path: path, reason: "there is no such file")
        }
        defer { close(descriptor) }
        var buffer = UnsafeMutablePointer<UInt8>.allocate(capacity: 2 * pieceSize)
        var capacity = 2 * pieceSize
        defer { buffer.deallocate() }
        var (held, all) = (0, 0)
        while true {
            if capacity - held < pieceSize {
                let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: 2 * capacity)
                larger.update(from: buffer, count: held)
                buffer.deallocate()
                buffer = larger
                capacity *= 2
            }
            let got = Foundation.read(descriptor, buffer + held, capacity - held)
            if got < 0 {
                if errno == EINTR { continue }
                throw .unreadable(path: path, reason: systemError())
            }
            all += got
            // Somebody may still be writing it.
            guard all <= limit else { throw .tooLarge(file: path, reason: "\(all) bytes, the limit is \(limit)") }
            try each(UnsafeRawBufferPointer(start: buffer + held, count: got))
            held += got
            guard let taken = body(UnsafeBufferPointer(start: buffer, count: held), got == 0) else { return false }
            if got == 0 { return taken == held }
            memmove(buffer, buffer + taken, held - taken)
            held -= taken
        }
    }
}
