import Foundation

extension FileBytes {
    /// The most that is read at once.
    private static let pieceSize = 256 << 10

    /// Reads a regular file piece by piece.
    package static func pieces(
        of path: String, limit: Int, _ body: (UnsafeRawBufferPointer) throws(EvidenceError) -> Void
    ) throws(EvidenceError) {
        guard let (descriptor, _) = try openRegular(path, limit: limit) else {
            throw .unreadable(path: path, reason: "there is no such file")
        }
        defer { close(descriptor) }
        let buffer = UnsafeMutableRawPointer.allocate(byteCount: pieceSize, alignment: 16)
        defer { buffer.deallocate() }
        var all = 0
        while true {
            let got = Foundation.read(descriptor, buffer, pieceSize)
            if got < 0 {
                if errno == EINTR { continue }
                throw .unreadable(path: path, reason: systemError())
            }
            if got == 0 { return }
            all += got
            // Somebody may still be writing it.
            guard all <= limit else { throw .tooLarge(file: path, reason: "\(all) bytes, the limit is \(limit)") }
            try body(UnsafeRawBufferPointer(start: buffer, count: got))
        }
    }
}
