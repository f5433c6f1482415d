public import Logging

/// Formats the id of a request only when something is logged.
///
/// Every request has a logger with its own id, and most requests log nothing. The wrapped handler would format the id
/// for each request.
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
    /// The logger of a dashboard: warnings and errors on standard error.
    public static func dashboard(label: String) -> Logger {
        Logger(label: label) {
            RequestLogHandler(StreamLogHandler.standardError(label: $0), level: .warning)
        }
    }
}
