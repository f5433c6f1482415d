import Evidence
import Hummingbird
import NIOCore

extension Answer {
    /// What is handed to a connection at once; the next piece is made when the client has read enough of those before.
    private static let pieceSize = 64 << 10

    /// How fast an answer must be read for which no other has room, in bytes a second on average after the first seconds: as fast as a
    /// line of a megabit.
    private static let leastReading = (after: 30.0, bytes: 100.0 * 1024)

    /// The same, sent piece by piece as it is read; it takes its share of the memory until then.
    ///
    /// - Parameter now: The time.
    func streamed(
        _ share: BodyMemory.Share, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) -> Answer {
        var answer = self
        let body = body
        answer.length = body.count
        answer.body = []
        answer.stream = { writer in
            let begun = now()
            var rest = body[...]
            while !rest.isEmpty {
                let piece = rest.prefix(Self.pieceSize)
                rest = rest.dropFirst(piece.count)
                try await writer.write(ByteBuffer(bytes: piece))
                let most = Self.leastReading.after + Double(rest.startIndex) / Self.leastReading.bytes
                if share.isApart, now() - begun > .seconds(most) { throw ReadTooSlowly() }
            }
            withExtendedLifetime(share) {}
            try await writer.finish(nil)
        }
        return answer
    }

    /// Sends a file from the disk; no more than a piece of it is in memory.
    mutating func send(_ file: OpenRunFile, on threads: WorkThreads) {
        length = file.size
        stream = { writer in
            var offset = 0
            while offset < file.size {
                let (start, most) = (offset, min(Self.pieceSize, file.size - offset))
                let piece = try await threads.run { try file.bytes(from: start, most: most) }
                // It was cut short; so is the answer, and the client sees that by the length.
                guard !piece.isEmpty else { throw EvidenceError.damaged(file: "the file", reason: "it was cut short") }
                offset += piece.count
                try await writer.write(ByteBuffer(bytes: piece))
            }
            try await writer.finish(nil)
        }
    }
}

/// Who reads an answer so slowly that others wait for its room; their connection ends.
struct ReadTooSlowly: Error {}
