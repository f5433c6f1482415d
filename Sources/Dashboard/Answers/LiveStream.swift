import Evidence
import Foundation
import Hummingbird
import Pages
import RunModel
import ServiceLifecycle
import Synchronization

/// Limits for pages that follow runs in progress.
public struct LiveLimits: Sendable, Hashable {
    /// How many pages may follow at once, a quarter of them of one reader; further pages reload themselves instead.
    public var clients = 32
    /// How often a run is looked at.
    public var interval = Duration.seconds(1)
    /// After this many intervals without a change something is sent, to notice that a reader is gone.
    public var heartbeat = 15
    /// After this many intervals the stream ends; the browser opens another.
    public var looks = 900

    /// The limits of a server.
    public init() {}
}

/// Counts the readers that follow a run.
final class StreamLimiter: Sendable {
    /// The permission to follow; it is returned when the object is released, however the connection ended.
    final class Permit: Sendable {
        private let limiter: StreamLimiter
        private let reader: Name?

        fileprivate init(_ limiter: StreamLimiter, _ reader: Name?) { (self.limiter, self.reader) = (limiter, reader) }

        deinit { limiter.free(of: reader) }
    }

    private struct State {
        var taken = 0
        var byReader: [Name: Int] = [:]
    }

    private let state = Mutex(State())
    private let most: Int
    private let mostOfOne: Int

    /// - Parameter most: How many readers may follow at once; one of them has at most a quarter of that.
    init(_ most: Int) {
        self.most = most
        mostOfOne = max(1, most / 4)
    }

    /// A permit; `nil` if all are taken, or all of this reader.
    ///
    /// - Parameter reader: Who follows; `nil` for one who cannot be told from others.
    func take(for reader: String?) -> Permit? {
        let reader = reader.map { Name($0) }
        let isFree = state.withLock { state in
            guard state.taken < most else { return false }
            if let reader {
                guard state.byReader[reader, default: 0] < mostOfOne else { return false }
                state.byReader[reader, default: 0] += 1
            }
            state.taken += 1
            return true
        }
        return isFree ? Permit(self, reader) : nil
    }

    private func free(of reader: Name?) {
        state.withLock { state in
            state.taken -= 1
            guard let reader, let own = state.byReader[reader] else { return }
            state.byReader[reader] = own > 1 ? own - 1 : nil
        }
    }
}

/// One run in progress as server-sent events: its state and the new lines of its log, whenever they change.
struct LiveStream: Sendable {
    let id: RunID
    let runs: LiveRuns
    let limits: LiveLimits
    let permit: StreamLimiter.Permit
    /// The state in words.
    let state: @Sendable (LiveEntry) -> LiveState

    /// Sends events until the run is over, the server stops, or the reader is gone.
    func write(to writer: inout any ResponseBodyWriter) async throws {
        var tail = LogTail()
        var reader = LogReader()
        var last: LiveState?
        var quiet = 0
        for _ in 0..<limits.looks {
            guard !Task.isShuttingDownGracefully, !Task.isCancelled else { break }
            guard let entry = runs.find(id) else {
                try await writer.write(Self.event("end", LogPiece()))
                break
            }
            var news = ByteBuffer()
            let now = state(entry)
            if now != last { try news.writeImmutableBuffer(Self.event("state", now)) }
            last = now
            let piece = LogPiece(tail.read(entry.run.log), &reader)
            if piece.isRestart || !piece.lines.isEmpty { try news.writeImmutableBuffer(Self.event("log", piece)) }
            quiet = news.readableBytes > 0 ? 0 : quiet + 1
            if quiet >= limits.heartbeat {
                news.writeString(": still here\n\n")
                quiet = 0
            }
            if news.readableBytes > 0 { try await writer.write(news) }
            if entry.status == .gone {
                try await writer.write(Self.event("end", LogPiece()))
                break
            }
            try? await cancelWhenGracefulShutdown { try await Task.sleep(for: limits.interval) }
        }
        try await writer.finish(nil)
    }

    /// An event with its data in one line: JSON has no line breaks of its own.
    private static func event(_ name: String, _ value: some Encodable) throws -> ByteBuffer {
        var buffer = ByteBuffer(string: "event: \(name)\ndata: ")
        buffer.writeBytes(try JSONEncoder.steady.encode(value))
        buffer.writeString("\n\n")
        return buffer
    }
}

/// New lines of a log, as colored text.
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
