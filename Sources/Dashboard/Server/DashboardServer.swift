public import Evidence
public import Foundation
import Hummingbird
import HummingbirdCore
public import Logging
import NIOCore
import NIOPosix
public import Pages
import ServiceLifecycle
public import Storage
import UnixSignals

/// Why the dashboard does not run.
public enum DashboardError: Error, Sendable, CustomStringConvertible {
    /// The templates could not be read.
    case pages(PageError)
    /// The address could not be listened on, or was lost.
    case cannotServe(DashboardConfiguration.Address, reason: String)

    /// A fragment that fits "kanmon: failed to …".
    public var description: String {
        switch self {
        case .pages(let error): error.description
        case .cannotServe(let address, let reason): "serve the dashboard on \(address): \(reason)"
        }
    }

    /// What to try.
    public var hint: String? {
        switch self {
        case .pages(let error): error.hint
        case .cannotServe: "choose another address, or stop what listens there"
        }
    }
}

/// Asks for the commits of a branch of a project that have not passed; `nil` where no repository of the project can be asked.
public typealias BranchAudit = @Sendable (_ project: String, _ branch: String) async throws -> CommitAudit?

/// The dashboard over HTTP, until a signal ends it.
public struct DashboardServer: Sendable {
    private let configuration: DashboardConfiguration
    private let responder: DashboardResponder
    private let logger: Logger

    /// Makes the server; nothing listens yet.
    ///
    /// - Parameters:
    ///   - store: The runs.
    ///   - signs: Where runs under way tell how far they are; `nil` where none are watched.
    ///   - audit: Asks which commits of a branch have not passed.
    ///   - configuration: Where to listen.
    ///   - now: The clock that relative times refer to.
    ///   - access: Who is told of every request and its answer.
    ///   - logger: Where errors are told in full.
    public init(
        store: RunStore,
        signs: LiveSigns? = nil,
        audit: @escaping BranchAudit = { _, _ in nil },
        configuration: DashboardConfiguration,
        now: @escaping @Sendable () -> Date,
        access: (@Sendable (AccessEntry) -> Void)? = nil,
        logger: Logger
    ) throws(DashboardError) {
        self.configuration = configuration
        self.logger = logger
        do {
            responder = try DashboardResponder(
                store: store, signs: signs, audit: audit, configuration: configuration, now: now, access: access)
        } catch {
            throw .pages(error)
        }
    }

    /// Serves until SIGINT or SIGTERM, or until the task is cancelled; what is being answered then is answered.
    ///
    /// - Parameter onReady: Called once with the address that is listened on.
    public func run(
        onReady: @escaping @Sendable (DashboardConfiguration.Address) async -> Void = { _ in }
    ) async throws(DashboardError) {
        let application = application(onReady: onReady)
        var group = ServiceGroupConfiguration(
            services: [application], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger
        )
        // A browser that keeps its connection open does not keep the server up.
        group.maximumGracefulShutdownDuration = .seconds(5)
        do {
            try await ServiceGroup(configuration: group).run()
        } catch {
            throw .cannotServe(configuration.address, reason: "\(error)")
        }
    }

    /// Where connections are read and written, for as long as the process lives: connections may end after their server.
    ///
    /// Pages are made by other threads. A second loop takes its turns from those, and finds less to do at each: on two
    /// processors, pages that are made and pages that are kept took less of them with one.
    static let loops = MultiThreadedEventLoopGroup(numberOfThreads: 1)

    /// How long a connection may be silent, a request take to arrive, and an answer wait to be taken.
    private static let patience = TimeAmount.seconds(30)

    /// How many connections are held open; one more is let in for the one that waits longest.
    ///
    /// Each is a file, and some files are needed for other things.
    static func mostConnections(ofFiles files: Int) -> Int { max(8, min(1024, (files - 100) * 4 / 5)) }

    private func application(
        onReady: @escaping @Sendable (DashboardConfiguration.Address) async -> Void
    ) -> Application<DashboardResponder> {
        let address = configuration.address
        let most = Self.mostConnections(ofFiles: OpenFiles.raiseLimit())
        let registry = ConnectionRegistry(most: most)
        return Application(
            responder: responder,
            // Hummingbird waits for ever and reads 80 KiB of headers unless told otherwise.
            server: .http1(
                configuration: HTTP1Channel.Configuration(
                    additionalChannelHandlers: [ConnectionWatch(registry, patience: Self.patience)],
                    idleTimeout: Self.patience,
                    httpDecoderConfiguration: HTTP1Channel.Configuration.DecoderConfiguration(
                        maxHeaderFieldSize: 16 << 10, maxHeaderListSize: 32 << 10, maxHeaderFieldCount: 100
                    )
                )
            ),
            configuration: ApplicationConfiguration(
                address: address.bindAddress,
                // Room for those that are on their way out.
                availableConnectionsDelegate: MaximumAvailableConnections(most + most / 4)
            ),
            onServerRunning: { channel in
                guard case .tcp(let host, _) = address, let port = channel.localAddress?.port else {
                    return await onReady(address)
                }
                await onReady(.tcp(host: host, port: port))
            },
            eventLoopGroupProvider: .shared(Self.loops),
            logger: logger
        )
    }
}

extension DashboardConfiguration.Address {
    /// The same for Hummingbird.
    fileprivate var bindAddress: BindAddress {
        switch self {
        case .tcp(let host, let port): .hostname(host, port: port)
        case .unixSocket(let path): .unixDomainSocket(path: path)
        }
    }
}
