import HTTPTypes
import Hummingbird
import Logging
import Synchronization

/// Keeps what is logged.
final class LogRecorder: LogHandler, Sendable {
    private let entries = Mutex<[String]>([])

    var lines: [String] { entries.withLock { $0 } }
    var logLevel: Logger.Level {
        get { .trace }
        set {}
    }
    var metadata: Logger.Metadata {
        get { ["hb.request.id": "incident-1"] }
        set {}
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set {}
    }

    func log(event: LogEvent) {
        let values = (event.metadata ?? [:]).map { "\($0)=\($1)" }.sorted().joined(separator: " ")
        entries.withLock { $0.append("\(event.level) \(event.message) \(values)") }
    }
}

/// Keeps what a body writes.
final class BodySink: ResponseBodyWriter, Sendable {
    private let buffer = Mutex(ByteBuffer())

    var text: String { buffer.withLock { String(buffer: $0) } }

    func write(_ more: ByteBuffer) async throws {
        buffer.withLock { buffer in
            var more = more
            buffer.writeBuffer(&more)
        }
    }

    func finish(_ trailingHeaders: HTTPFields?) async throws {}
}

/// Takes so long for each piece of a body, by a clock of its own.
final class PatientReader: ResponseBodyWriter, Sendable {
    private let moment = Mutex(ContinuousClock.now)
    private let pause: Duration

    init(pause: Duration) { self.pause = pause }

    var now: ContinuousClock.Instant { moment.withLock { $0 } }

    func write(_ more: ByteBuffer) async throws {
        let pause = pause
        moment.withLock { $0 += pause }
    }

    func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
