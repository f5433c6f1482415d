import AsyncHTTPClient
public import Evidence
import Foundation
import NIOCore
import NIOHTTP1
public import RunModel
import Synchronization

/// Talks to one server with one token. Redirects are not followed, so that the token goes nowhere else.
public final class DeliveryClient: Sendable {
    /// How often the server may ask for files of one run.
    private static let mostRounds = 6
    /// The largest answer that is read, in bytes: one that asks for every file of a large run.
    static let largestAnswer = 16 << 20

    /// The server.
    public let address: ServerAddress
    private let http: HTTPClient
    /// The same over one connection, so with one server where a balancer has several.
    private let single: HTTPClient
    /// Whether several servers answer at the address, each of which has only what it was sent itself.
    private let isSpread = Mutex(false)
    private let headers: HTTPHeaders
    private let machine: MachineReport

    private init(
        _ address: ServerAddress, token: String, proxies: ProxySettings, machine: MachineReport
    ) throws(DeliveryError) {
        let configuration: HTTPClient.Configuration
        do throws(ServerAddressError) {
            configuration = try .calling(address, through: proxies, silence: .seconds(120))
        } catch {
            throw DeliveryError(.settings, "\(error)")
        }
        guard !token.isEmpty, token.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw DeliveryError(.settings, "the token is empty, or has characters that no token has")
        }
        self.address = address
        self.machine = machine
        headers = ["Authorization": "Bearer \(token)", "Accept": "application/json"]
        http = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        var narrow = configuration
        narrow.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 1
        single = HTTPClient(eventLoopGroupProvider: .singleton, configuration: narrow)
    }

    /// Ends its connections.
    private func shutDown() async {
        for client in [http, single] { try? await client.shutdown() }
    }

    /// Makes a client that is valid while `body` runs.
    ///
    /// - Parameters:
    ///   - address: The server.
    ///   - token: The token; sent only to that address.
    ///   - proxies: The proxies of the environment.
    ///   - machine: What this machine says of itself.
    /// - Throws: What `body` throws; `DeliveryError` of kind `.settings` for a token or a proxy that cannot be used.
    public static func with<Result: Sendable>(
        _ address: ServerAddress, token: String, proxies: ProxySettings, machine: MachineReport,
        _ body: (DeliveryClient) async throws(DeliveryError) -> Result
    ) async throws(DeliveryError) -> Result {
        let client = try DeliveryClient(address, token: token, proxies: proxies, machine: machine)
        do throws(DeliveryError) {
            let result = try await body(client)
            await client.shutDown()
            return result
        } catch {
            // Its connections are closed either way, and the first error is the one to report.
            await client.shutDown()
            throw error
        }
    }

    /// Asks whose token this is.
    public func whoAmI(until deadline: ContinuousClock.Instant) async throws(DeliveryError) -> TokenIdentity {
        try await ask(DeliveryRoute.identity.path, .GET, body: nil, type: nil, until: deadline, TokenIdentity.self)
    }

    /// Reports the progress of a run to the server, for those who follow it there.
    public func tell(_ run: LiveRun, until deadline: ContinuousClock.Instant) async throws(DeliveryError) {
        let bytes: [UInt8]
        do {
            bytes = try run.encoded()
        } catch {
            throw DeliveryError(.unreadable, "its progress cannot be written")
        }
        _ = try await answer(
            DeliveryRoute.progress(run.runID.description).path, .PUT, body: .bytes(ByteBuffer(bytes: bytes)),
            type: "application/json",
            until: deadline)
    }

    /// Delivers a run: offers it, sends the files that the server lacks, and offers it again.
    ///
    /// Several connections may lead to several servers. If one asks for what another has taken, everything goes over one connection
    /// from then on, and what the server at its end lacks is sent once more.
    ///
    /// - Parameters:
    ///   - id: The run.
    ///   - directory: Its run directory.
    ///   - deadline: When to give up.
    ///   - slowest: How many bytes a second a slow connection sends: the files that are sent get that much more time; `nil` for
    ///     none.
    ///   - progress: Is called after each file with the bytes sent so far and the bytes in all.
    /// - Throws: `DeliveryError`; what was sent by then is kept by the server, and not sent again.
    public func deliver(
        _ id: RunID, in directory: RunDirectory, until deadline: ContinuousClock.Instant, slowest: Int? = nil,
        progress: @escaping @Sendable (_ sent: Int, _ all: Int) -> Void = { _, _ in }
    ) async throws(DeliveryError) -> DeliveredRun {
        let delivery = try Self.delivery(of: id, in: directory)
        let files = Dictionary(delivery.files.map { ($0.sha256, $0) }) { first, _ in first }
        var (delivered, deadline, sent) = (DeliveredRun(id: id), deadline, Set<String>())
        for _ in 0..<Self.mostRounds {
            let isSingle = isSpread.withLock { $0 }
            let receipt = try await offer(delivery, of: id, single: isSingle, until: deadline)
            guard receipt.state == .incomplete else {
                delivered.isKnown = receipt.state == .known
                delivered.decision = receipt.decision
                delivered.page = receipt.page.flatMap(address.page)
                return delivered
            }
            let wanted = Set(receipt.missing).compactMap { files[$0] }.sorted { $0.size > $1.size }
            guard !wanted.isEmpty, wanted.count == Set(receipt.missing).count else {
                throw DeliveryError(.failed, "it asks for files that the run does not have")
            }
            if !isSingle, wanted.contains(where: { sent.contains($0.sha256) }) {
                // The connection that comes now may lead to any of the servers, which says itself what it lacks.
                isSpread.withLock { $0 = true }
                continue
            }
            if let slowest { deadline += .seconds(wanted.reduce(0) { $0 + $1.size } / slowest) }
            try await send(wanted, of: directory, single: isSingle, until: deadline, &delivered, progress)
            sent.formUnion(wanted.map(\.sha256))
        }
        throw DeliveryError(.failed, "it asks for the same files again and again")
    }

    private func offer(
        _ delivery: Delivery, of id: RunID, single isSingle: Bool, until deadline: ContinuousClock.Instant
    ) async throws(DeliveryError) -> DeliveryReceipt {
        let list: Data
        do {
            list = try JSONEncoder().encode(delivery)
        } catch {
            throw DeliveryError(.unreadable, "its list of files cannot be written")
        }
        return try await ask(
            DeliveryRoute.run(id.description).path, .PUT, body: .bytes(ByteBuffer(bytes: list)),
            type: "application/json", about: id, single: isSingle,
            until: deadline, DeliveryReceipt.self)
    }

    private static func delivery(of id: RunID, in directory: RunDirectory) throws(DeliveryError) -> Delivery {
        do throws(EvidenceError) {
            let manifest = try directory.manifest()
            guard manifest.id == id else {
                throw .damaged(file: directory.path, reason: "it is that of another run")
            }
            return Delivery(project: manifest.project, files: try directory.files())
        } catch {
            throw DeliveryError(.unreadable, "\(error)", hint: error.hint)
        }
    }
}

extension DeliveryClient {
    func ask<Value: Decodable>(
        _ path: String, _ method: HTTPMethod, body: HTTPClientRequest.Body?, type: String?, about id: RunID? = nil,
        single isSingle: Bool = false, until deadline: ContinuousClock.Instant,
        limit: Int = DeliveryClient.largestAnswer, _: Value.Type
    ) async throws(DeliveryError) -> Value {
        let bytes = try await answer(
            path, method, body: body, type: type, about: id, single: isSingle, until: deadline, limit: limit)
        do {
            return try JSONDecoder().decode(Value.self, from: Data(bytes))
        } catch {
            // A portal or another program may answer everything with 200.
            throw DeliveryError(.settings, "its answer is not that of a Kanmon server", hint: "see kanmon doctor")
        }
    }

    /// Sends a request and reads the answer to its end, within the time and the limit.
    ///
    /// - Parameters:
    ///   - id: The run that is offered; the server is told how many others wait.
    ///   - isSingle: Whether it goes over the one connection that leads to one server.
    func answer(
        _ path: String, _ method: HTTPMethod, body: HTTPClientRequest.Body?, type: String?, about id: RunID? = nil,
        single isSingle: Bool = false, until deadline: ContinuousClock.Instant,
        limit: Int = DeliveryClient.largestAnswer
    ) async throws(DeliveryError) -> [UInt8] {
        var request = HTTPClientRequest(url: address.url(path))
        request.method = method
        request.headers = headers
        request.headers.add(contentsOf: machine.fields(about: id))
        if let type { request.headers.add(name: "Content-Type", value: type) }
        request.body = body
        let (http, final) = (isSingle ? single : http, request)
        do {
            return try await Self.limited(until: deadline) {
                // The other limit is the one that counts; this one only has to be somewhere behind it.
                let response = try await http.execute(final, deadline: .distantFuture)
                let isSuccess = (200..<300).contains(response.status.code)
                let content = try await response.body.collect(upTo: isSuccess ? limit : 64 << 10)
                if isSuccess { return Array(content.readableBytesView) }
                let words = try? JSONDecoder().decode(ErrorAnswer.self, from: Data(content.readableBytesView))
                throw DeliveryError(status: response.status, headers: response.headers, answer: words)
            }
        } catch {
            throw DeliveryError(connection: error)
        }
    }

    /// What `body` gives, or `CancellationError` at the deadline.
    static func limited<Value: Sendable>(
        until deadline: ContinuousClock.Instant, _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await withThrowingTaskGroup(of: Value.self) { group in
            group.addTask(operation: body)
            group.addTask {
                try await Task.sleep(until: deadline, clock: .continuous)
                throw CancellationError()
            }
            defer { group.cancelAll() }
            guard let value = try await group.next() else { throw CancellationError() }
            return value
        }
    }
}

/// A run that a server has.
public struct DeliveredRun: Sendable, Hashable {
    /// The run.
    public let id: RunID
    /// Whether the server had it before.
    public internal(set) var isKnown = false
    /// The server's own decision, such as `passed`.
    public internal(set) var decision: String?
    /// The address of its page, if the server named one.
    public internal(set) var page: String?
    /// How many files were sent.
    public internal(set) var sentFiles = 0
    /// How many bytes they have.
    public internal(set) var sentBytes = 0
}
