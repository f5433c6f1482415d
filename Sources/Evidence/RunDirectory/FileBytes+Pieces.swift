import Foundation

extension FileBytes {
    /// The least that is read at once.
    private static let pieceSize = 256 << 10

    /// Reads a regular file piece by piece.
    ///
    /// - Parameter body: Takes the bytes that it left before and those behind them, and whether these are the last; tells
    ///   how many it is done with, or `nil` to stop.
    /// - Returns: Whether all bytes were taken.
    static func pieces(
        of path: String, limit: Int, _ body: (UnsafeBufferPointer<UInt8>, Bool) -> Int?
    ) throws(EvidenceError) -> Bool {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { throw .unreadable(path: path, reason: systemError()) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .unreadable(path: path, reason: systemError()) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .damaged(file: path, reason: "not a regular file") }
        let size = Int(status.st_size)
        guard size <= limit else { throw .tooLarge(file: path, reason: "\(size) bytes, the limit is \(limit)") }
        var buffer = UnsafeMutablePointer<UInt8>.allocate(capacity: 2 * pieceSize)
        var capacity = 2 * pieceSize
        defer { buffer.deallocate() }
        var held = 0
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
            held += got
            guard let taken = body(UnsafeBufferPointer(start: buffer, count: held), got == 0) else { return false }
            if got == 0 { return taken == held }
            memmove(buffer, buffer + taken, held - taken)
            held -= taken
        }
    }
}
