import Hummingbird
import Logging
import NIOCore

/// The context of a request.
struct DashboardContext: InitializableFromSource {
    let logger: Logger
    /// The network address that the request comes from, which may be a proxy's; `nil` for a socket in the file system.
    let address: String?

    init(source: ApplicationRequestContextSource) {
        logger = source.logger
        address = source.channel.remoteAddress?.ipAddress
    }

    init(logger: Logger, address: String? = nil) {
        self.logger = logger
        self.address = address
    }

    /// The id of this request in the log.
    var incident: String { logger[metadataKey: "hb.request.id"]?.description ?? "none" }
}
