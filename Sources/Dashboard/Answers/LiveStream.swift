import Evidence
import Foundation
import Hummingbird
import Pages
import RunModel
import ServiceLifecycle
import Synchronization

/// How much following runs under way may cost the server.
public struct LiveLimits: Sendable, Hashable {
    /// How many pages may follow at once; whoever comes later is asked to load the page again instead.
    public var clients = 32
    /// How often a run is looked at.
    public var interval = Duration.seconds(1)
    /// After so many looks without a change something is sent all the same, so that a reader who is gone is noticed.
    public var heartbeat = 15
    /// After so many looks the stream ends; the browser asks for another.
    public var looks = 900

    /// The limits of a server.
    public init() {}
}

/// The seats of those who follow a run.
final class LiveSeats: Sendable {
    /// A right to follow; it is given back when nobody holds it any more, whatever became of the connection.
    final class Seat: Sendable {
        private let seats: LiveSeats

        fileprivate init(_ seats: LiveSeats) { self.seats = seats }

        deinit { seats.taken.withLock { $0 -= 1 } }
    }

    private let taken = Mutex(0)
    private let most: Int

    init(_ most: Int) { self.most = most }

    /// A seat; `nil` when all are taken.
    func take() -> Seat? {
        let isFree = taken.withLock { taken in
            guard taken < most else { return false }
            taken += 1
            return true
        }
        return isFree ? Seat(self) : nil
    }
}

/// One run under way as server-sent events: how it stands and what its log was given, whenever that changes.
struct LiveStream: Sendable {
    let id: RunID
    let signs: LiveSigns
    let limits: LiveLimits
    let seat: LiveSeats.Seat
    /// The words for how it stands.
    let state: @Sendable (LiveRun, LiveSigns.Standing) -> LiveState

    /// Sends until the run is over, the server stops, or the reader is gone.
    func write(to writer: inout any ResponseBodyWriter) async throws {
        var tail = LogTail()
        var reader = LogReader()
        var last: LiveState?
        var quiet = 0
        for _ in 0..<limits.looks {
            guard !Task.isShuttingDownGracefully, !Task.isCancelled else { break }
            guard let (run, standing) = signs.find(id) else {
                try await writer.write(Self.event("end", LogPiece()))
                break
            }
            var news = ByteBuffer()
            let now = state(run, standing)
            if now != last { try news.writeImmutableBuffer(Self.event("state", now)) }
            last = now
            let piece = LogPiece(tail.read(run.log), &reader)
            if piece.isRestart || !piece.lines.isEmpty { try news.writeImmutableBuffer(Self.event("log", piece)) }
            quiet = news.readableBytes > 0 ? 0 : quiet + 1
            if quiet >= limits.heartbeat {
                news.writeString(": still here\n\n")
                quiet = 0
            }
            if news.readableBytes > 0 { try await writer.write(news) }
            if standing == .gone {
                try await writer.write(Self.event("end", LogPiece()))
                break
            }
            try? await cancelWhenGracefulShutdown { try await Task.sleep(for: limits.interval) }
        }
        try await writer.finish(nil)
    }

    /// An event with its data in one line: JSON has no line breaks of its own.
    private static func event(_ name: String, _ value: some Encodable) throws -> ByteBuffer {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        var buffer = ByteBuffer(string: "event: \(name)\ndata: ")
        buffer.writeBytes(try encoder.encode(value))
        buffer.writeString("\n\n")
        return buffer
    }
}

/// What a log was given, as lines of colored text.
struct LogPiece: Encodable {
    var isRestart = false
    var lines: [LogLine] = []

    init() {}

    init(_ piece: LogTail.Piece, _ reader: inout LogReader) {
        if piece.isRestart { reader = LogReader() }
        isRestart = piece.isRestart
        if piece.skipped > 0, !piece.isRestart {
            lines.append(reader.line(Array("[\(piece.skipped) bytes are left out here]".utf8)))
        }
        for bytes in piece.lines { lines.append(reader.line(bytes)) }
    }
}
