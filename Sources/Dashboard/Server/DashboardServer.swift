public import Access
public import Evidence
public import Foundation
public import Gate
import Hummingbird
import HummingbirdCore
import HummingbirdTLS
public import Logging
import NIOCore
import NIOPosix
public import Pages
public import RunModel
import ServiceLifecycle
public import Storage
import UnixSignals

/// An error that keeps the dashboard from running.
public enum DashboardError: Error, Sendable, CustomStringConvertible {
    /// The templates could not be read.
    case pages(PageError)
    /// The certificate or its key cannot be used.
    case certificate(TLSError)
    /// The server could not listen on the address, or stopped listening.
    case cannotServe(DashboardConfiguration.Address, reason: String)

    /// A fragment that fits "kanmon: failed to …".
    public var description: String {
        switch self {
        case .pages(let error): error.description
        case .certificate(let error): error.description
        case .cannotServe(let address, let reason): "serve the dashboard on \(address): \(reason)"
        }
    }

    /// What to try.
    public var hint: String? {
        switch self {
        case .pages(let error): error.hint
        case .certificate: "--tls-certificate takes a PEM file with the server's certificate first, --tls-key its key"
        case .cannotServe: "choose another address, or stop what listens there"
        }
    }
}

/// Finds the commits of a branch of a project that have not passed; `nil` if no repository of the project is
/// available.
public typealias BranchAudit = @Sendable (_ project: String, _ branch: String) async throws -> CommitAudit?

/// Finds how the later of two runs of a project covers the lines that changed since the earlier one; `nil` if no
/// repository of the project has the files of both.
public typealias LineComparison =
    @Sendable (_ before: RunID, _ after: RunID, _ project: String) async throws -> ChangeStatus?

/// The dashboard over HTTP, until a signal ends it.
public struct DashboardServer: Sendable {
    private let configuration: DashboardConfiguration
    private let responder: DashboardResponder
    private let certificate: ServerCertificate?
    private let logger: Logger

    /// Makes the server; nothing listens yet.
    ///
    /// - Parameters:
    ///   - store: The runs.
    ///   - progressFiles: The progress of runs; `nil` if they are not watched.
    ///   - audit: Finds the commits of a branch that have not passed.
    ///   - changedLines: Finds the lines that changed from one run to another.
    ///   - configuration: Where to listen.
    ///   - control: Checks credentials; `nil` where anyone may read.
    ///   - deliveries: Where deliveries are taken in; `nil` where none are.
    ///   - key: What verdicts for other machines are signed with; `nil` where none are given.
    ///   - ledger: What is remembered of the machines that deliver.
    ///   - webhooks: Whom somebody else tells what happens; they are only shown here.
    ///   - evidence: Where files of runs are fetched that are elsewhere; `nil` where all are in their run directories.
    ///   - now: The clock that relative times refer to.
    ///   - access: Logs every request and its answer.
    ///   - logger: Logs errors in full.
    public init(
        store: RunStore,
        progressFiles: ProgressFiles? = nil,
        audit: @escaping BranchAudit = { _, _ in nil },
        changedLines: @escaping LineComparison = { _, _, _ in nil },
        configuration: DashboardConfiguration,
        control: AccessControl? = nil,
        deliveries: DeliveryService? = nil,
        key: ServerKey? = nil,
        ledger: MachineLedger = MachineLedger(path: nil),
        webhooks: WebhookFolder? = nil,
        evidence: EvidenceSource? = nil,
        now: @escaping @Sendable () -> Date,
        access: (@Sendable (AccessEntry) -> Void)? = nil,
        logger: Logger
    ) throws(DashboardError) {
        self.configuration = configuration
        self.logger = logger
        do throws(TLSError) {
            certificate = try configuration.tls.map { files throws(TLSError) in
                try ServerCertificate(files, now: now, logger: logger)
            }
        } catch {
            throw .certificate(error)
        }
        do {
            responder = try DashboardResponder(
                store: store, progressFiles: progressFiles, audit: audit, changedLines: changedLines,
                configuration: configuration, control: control, deliveries: deliveries, key: key, ledger: ledger,
                webhooks: webhooks, evidence: evidence, now: now, access: access)
        } catch {
            throw .pages(error)
        }
    }

    /// Serves until SIGINT or SIGTERM, or until the task is cancelled; open requests are answered.
    ///
    /// - Parameter onReady: Called once with the address that the server listens on.
    public func run(
        onReady: @escaping @Sendable (DashboardConfiguration.Address) async -> Void = { _ in }
    ) async throws(DashboardError) {
        let socketFile = try UnixSocketFile(configuration.address)
        let application = try application { address in
            socketFile?.open()
            await onReady(address)
        }
        // The last one hears first that the server is to end.
        let services: [any Service] =
            [application] + (responder.deliveries.map { [DeliveryShutdown(deliveries: $0)] } ?? [])
        var group = ServiceGroupConfiguration(
            services: services, gracefulShutdownSignals: [.sigterm, .sigint], logger: logger
        )
        defer { socketFile?.restoreMask() }
        // A browser that keeps its connection open does not keep the server up.
        group.maximumGracefulShutdownDuration = .seconds(5)
        do {
            try await ServiceGroup(configuration: group).run()
        } catch {
            throw .cannotServe(configuration.address, reason: "\(error)")
        }
    }

    /// The event loop of all connections. It lives as long as the process, because connections may end after their
    /// server.
    ///
    /// Other threads make the pages, and a second loop would compete with them: on two processors, both new and
    /// unchanged pages took less CPU time with one loop.
    static let loops = MultiThreadedEventLoopGroup(numberOfThreads: 1)

    /// The time limit for an idle connection, for the arrival of a request, and for a client that does not read.
    private static let timeout = TimeAmount.seconds(30)

    /// How many connections may be open; for one more, the one that has been idle for longest is closed.
    ///
    /// Each is an open file, may send one more, and some files are needed for other purposes.
    static func mostConnections(ofFiles files: Int) -> Int { max(8, min(1024, (files - 100) * 2 / 5)) }

    /// What stands between a connection and the answers.
    private func handlers(_ registry: ConnectionRegistry) -> [any RemovableChannelHandler] {
        guard let control = responder.control else {
            return [ConnectionWatch(registry, timeout: Self.timeout), ContinueHandler()]
        }
        let now = responder.now
        let holder: CredentialWatch.Holder = { control.holder(of: $0, at: now()) }
        return [
            ConnectionWatch(registry, timeout: Self.timeout, holder: { holder($0)?.sha256.hashValue ?? 0 }),
            ContinueHandler(), CredentialWatch(holder),
        ]
    }

    private func application(
        onReady: @escaping @Sendable (DashboardConfiguration.Address) async -> Void
    ) throws(DashboardError) -> Application<DashboardResponder> {
        let address = configuration.address
        let most = Self.mostConnections(ofFiles: OpenFiles.raiseLimit())
        let registry = ConnectionRegistry(most: most)
        // By default Hummingbird waits for ever and reads 80 KiB of headers.
        let plain = HTTPServerBuilder.http1(
            configuration: HTTP1Channel.Configuration(
                additionalChannelHandlers: handlers(registry),
                idleTimeout: Self.timeout,
                httpDecoderConfiguration: HTTP1Channel.Configuration.DecoderConfiguration(
                    maxHeaderFieldSize: 16 << 10, maxHeaderListSize: 32 << 10, maxHeaderFieldCount: 100
                )
            )
        )
        return Application(
            responder: responder,
            server: try encrypted(plain),
            configuration: ApplicationConfiguration(
                address: address.bindAddress,
                // Room for connections that are being closed.
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

/// Refuses runs that wait to be judged as soon as the server is to end, so that it need not wait for them.
private struct DeliveryShutdown: Service {
    let deliveries: DeliveryService

    func run() async throws {
        try? await gracefulShutdown()
        deliveries.close()
    }
}

extension DashboardServer {
    /// The same over TLS if there is a certificate.
    private func encrypted(_ plain: HTTPServerBuilder) throws(DashboardError) -> HTTPServerBuilder {
        guard let certificate else { return plain }
        do {
            return try .tls(plain, tlsConfiguration: certificate.configuration)
        } catch {
            throw .cannotServe(configuration.address, reason: "\(error)")
        }
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
