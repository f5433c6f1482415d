import HTTPTypes
import Hummingbird
import Logging
import NIOCore

/// The context of a request.
struct DashboardContext: InitializableFromSource {
    let logger: Logger
    /// The network address that the request comes from, which may be a proxy's; `nil` for a socket in the file system.
    private(set) var address: String?
    /// The user that a trusted proxy has signed in.
    private(set) var user: String?

    init(source: ApplicationRequestContextSource) {
        logger = source.logger
        address = source.channel.remoteAddress?.ipAddress
    }

    init(logger: Logger, address: String? = nil) {
        self.logger = logger
        self.address = address
    }

    /// The same, with what a trusted proxy says of the request.
    func known(to proxy: TrustedProxy?, _ fields: HTTPFields) -> DashboardContext {
        guard let proxy else { return self }
        var context = self
        (context.address, context.user) = proxy.origin(of: fields, from: address)
        return context
    }

    /// The id of this request in the log.
    var incident: String { logger[metadataKey: "hb.request.id"]?.description ?? "none" }
}
