import Evidence
import NIOCore

/// The bytes of a file of a run, piece by piece, so that a large one needs little memory.
struct RunFileBody: AsyncSequence, Sendable {
    typealias Element = ByteBuffer

    /// The most that is in memory of one file.
    private static let pieceSize = 256 << 10

    let file: OpenRunFile

    func makeAsyncIterator() -> Iterator { Iterator(file: file) }

    struct Iterator: AsyncIteratorProtocol {
        let file: OpenRunFile
        private var offset = 0

        init(file: OpenRunFile) { self.file = file }

        mutating func next() async throws -> ByteBuffer? {
            let rest = file.size - offset
            guard rest > 0 else { return nil }
            let bytes = try file.bytes(from: offset, most: Swift.min(rest, RunFileBody.pieceSize))
            guard !bytes.isEmpty else { throw DeliveryError(.unreadable, "a file of the run became shorter") }
            offset += bytes.count
            return ByteBuffer(bytes: bytes)
        }
    }
}
