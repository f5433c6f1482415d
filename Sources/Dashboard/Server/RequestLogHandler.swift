public import Logging

/// Puts what is known of a request into words when something is logged about it.
///
/// Every request has a logger with an id of its own, and hardly one is ever logged about. The handler that writes puts the id
/// into words at once.
struct RequestLogHandler: LogHandler {
    var metadata: Logger.Metadata = [:]
    var logLevel: Logger.Level
    private let base: any LogHandler

    init(_ base: any LogHandler, level: Logger.Level) {
        self.base = base
        logLevel = level
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var event = event
        event.metadata = metadata.merging(event.metadata ?? [:]) { _, said in said }
        base.log(event: event)
    }
}

extension Logger {
    /// The logger of a dashboard: warnings and worse on the error output.
    public static func dashboard(label: String) -> Logger {
        Logger(label: label) {
            RequestLogHandler(StreamLogHandler.standardError(label: $0), level: .warning)
        }
    }
}
