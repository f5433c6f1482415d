import HTTPTypes
import Hummingbird
public import Logging

/// The least that Hummingbird can do: what `scripts/bench` holds the dashboard against.
public struct HelloServer: Sendable {
    private let logger: Logger

    /// Makes the server; nothing listens yet.
    public init(logger: Logger) { self.logger = logger }

    /// Answers every request in two words until a signal ends it.
    ///
    /// - Parameter onReady: Called once with the address that is listened on.
    public func run(onReady: @escaping @Sendable (DashboardConfiguration.Address) async -> Void) async throws {
        let router = Router()
        router.get("/") { _, _ in "Hello, world" }
        let application = Application(
            router: router, configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in
                await onReady(.tcp(host: "127.0.0.1", port: channel.localAddress?.port ?? 0))
            },
            logger: logger)
        try await application.runService()
    }
}
