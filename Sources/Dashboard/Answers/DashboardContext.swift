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

    /// Whether nobody waits for the answer any more: the connection is closed, or the request was cancelled.
    let isGone: @Sendable () -> Bool

    init(source: ApplicationRequestContextSource) {
        logger = source.logger
        address = source.channel.remoteAddress?.ipAddress
        let channel = source.channel
        isGone = { Task.isCancelled || !channel.isActive }
    }

    init(logger: Logger, address: String? = nil, isGone: @escaping @Sendable () -> Bool = { false }) {
        (self.logger, self.address, self.isGone) = (logger, address, isGone)
    }

    /// The same, with what a trusted proxy says of the request.
    func known(to proxy: TrustedProxy?, _ fields: HTTPFields) -> DashboardContext {
        guard let proxy else { return self }
        var context = self
        (context.address, context.user) = proxy.origin(of: fields, from: address)
        return context
    }

    /// What limits count whoever asks by; all who come through a socket in the file system are one.
    var peer: String { address.map { PeerNetwork.name(of: $0) } ?? "local" }

    /// The id of this request in the log.
    var incident: String { logger[metadataKey: "hb.request.id"]?.description ?? "none" }
}
