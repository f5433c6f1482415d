import Evidence
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
public import RunModel
import Synchronization

/// A server for deliveries that answers as a real one would, or with a fault that a test chooses.
public final class FaultServer: Sendable {
    /// A request as it came in.
    public struct Request: Sendable, Hashable {
        /// The method and the address, such as `PUT /api/v1/blobs/…`.
        public let line: String
        /// The field `Authorization`.
        public let authorization: String?
        /// The number of bytes of the body.
        public let size: Int
        /// The fields `User-Agent`, `Kanmon-Machine` and `Kanmon-Waiting`, each empty if it is absent.
        public let claim: [String]
        /// The message of a webhook: `webhook-id`, `webhook-timestamp`, `webhook-signature` and the body; `nil` for other requests.
        public let message: [String]?

        /// Whether a run is offered.
        public var isOffer: Bool { line.hasPrefix("PUT /api/v1/runs/") }
        /// Whether the progress of a run is told.
        public var isProgress: Bool { line.hasPrefix("PUT /api/v1/live/") }
        /// Whether a file is sent.
        public var isBlob: Bool { line.hasPrefix("PUT /api/v1/blobs/") }
    }

    /// What the server does with a request instead of answering it.
    public enum Fault: Sendable, Hashable {
        /// Answers with a status and fields.
        case status(Int, [String: String] = [:], body: String = #"{"error":"a fault","hint":"wait"}"#)
        /// Closes the connection.
        case cut
        /// Never answers.
        case silent
        /// Does what was asked for at once, and answers later.
        case late(milliseconds: Int64)
        /// Answers as always, but does not keep what was sent.
        case forget
    }

    /// What the server has.
    struct State {
        var requests: [Request] = []
        var blobs: [String: Int] = [:]
        /// The files of each server behind the address.
        var held: [Set<String>]
        var connections = 0
        var runs: [String: [UInt8]] = [:]
        var stored: [String: Int] = [:]
        var told: [LiveRun] = []
        var fault: @Sendable (Request, _ number: Int) -> Fault? = { _, _ in nil }
    }

    let state: Mutex<State>
    private let channel: any Channel

    /// Starts a server on a free port of this machine.
    ///
    /// - Parameter members: How many servers there are behind the address: each connection leads to the next one, and each
    ///   has only the files that it was sent itself.
    public init(members: Int = 1) async throws {
        state = Mutex(State(held: Array(repeating: [], count: members)))
        let bootstrap = ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
        let box = ServerBox()
        channel = try await bootstrap.childChannelInitializer { channel in
            channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                try channel.pipeline.syncOperations.addHandler(FaultHandler(box))
            }
        }.bind(host: "127.0.0.1", port: 0).get()
        box.server.withLock { $0 = self }
    }

    /// Ends the server.
    public func stop() async throws { try await channel.close() }

    /// The address.
    public var address: String { "http://127.0.0.1:\(channel.localAddress?.port ?? 0)" }
    /// The requests so far.
    public var requests: [Request] { state.withLock { $0.requests } }
    /// How often each run was stored anew, by its id.
    public var stored: [String: Int] { state.withLock { $0.stored } }
    /// What was told of runs in progress.
    public var told: [LiveRun] { state.withLock { $0.told } }
    /// How often each file was received, by its hash.
    public var blobs: [String: Int] { state.withLock { $0.blobs } }

    /// Chooses the fault for each request; `number` counts the requests from 1 on.
    public func fail(_ fault: @escaping @Sendable (Request, _ number: Int) -> Fault?) {
        state.withLock { $0.fault = fault }
    }

    /// Answers everything as a real server would.
    public func recover() { fail { _, _ in nil } }

    /// The server to which a new connection leads.
    func nextMember() -> Int {
        state.withLock { state in
            state.connections += 1
            return (state.connections - 1) % state.held.count
        }
    }

    /// Records a request and chooses its fault.
    func take(_ request: Request) -> Fault? {
        let (fault, number) = state.withLock { state in
            state.requests.append(request)
            return (state.fault, state.requests.count)
        }
        return fault(request, number)
    }

    /// The answer to a request.
    func answer(
        _ request: Request, _ body: [UInt8], keeps: Bool, member: Int
    ) -> (status: Int, body: String) {
        guard request.authorization == "Bearer \(Self.token)" else { return (401, #"{"error":"no such token"}"#) }
        let path = request.line.split(separator: " ").last.map(String.init) ?? ""
        if path == "/api/v1/whoami" {
            return (200, #"{"token":"laptop","scope":"submit","projects":["*"],"expires":"2027-01-31"}"#)
        }
        if request.isBlob { return blob(path, body, keeps: keeps, member) }
        if request.isOffer { return run(path, body, member) }
        if request.isProgress { return progress(body) }
        return (404, #"{"error":"there is no such page"}"#)
    }

    /// The token that the server knows.
    public static let token = "kanmon_test"

    private func blob(_ path: String, _ body: [UInt8], keeps: Bool, _ member: Int) -> (Int, String) {
        let hash = String(path.dropFirst("/api/v1/blobs/".count))
        guard Digest.sha256(body) == hash else { return (422, #"{"error":"the bytes have another hash"}"#) }
        if keeps {
            state.withLock { state in
                state.blobs[hash, default: 0] += 1
                state.held[member].insert(hash)
            }
        }
        return (201, "{}")
    }

    private func progress(_ body: [UInt8]) -> (Int, String) {
        guard let run = LiveRun(encoded: Data(body)) else { return (400, #"{"error":"no run in progress"}"#) }
        state.withLock { $0.told.append(run) }
        return (200, #"{"isShown":true}"#)
    }

    private func run(_ path: String, _ body: [UInt8], _ member: Int) -> (Int, String) {
        let id = String(path.dropFirst("/api/v1/runs/".count))
        guard let delivery = try? JSONDecoder().decode(Delivery.self, from: Data(body)) else {
            return (400, #"{"error":"no delivery"}"#)
        }
        let hashes = Set(delivery.files.map(\.sha256))
        let sorted = Array(hashes.sorted().joined().utf8)
        return state.withLock { state in
            let missing = hashes.subtracting(state.held[member]).sorted()
            guard missing.isEmpty else {
                return (202, Self.receipt(DeliveryReceipt(.incomplete, missing: missing)))
            }
            if let known = state.runs[id], known != sorted { return (409, #"{"error":"the id has other bytes"}"#) }
            let isNew = state.runs.updateValue(sorted, forKey: id) == nil
            if isNew { state.stored[id, default: 0] += 1 }
            let receipt = DeliveryReceipt(isNew ? .stored : .known, decision: "passed", page: "/runs/\(id)")
            return (isNew ? 201 : 200, Self.receipt(receipt))
        }
    }

    private static func receipt(_ receipt: DeliveryReceipt) -> String {
        String(decoding: (try? JSONEncoder().encode(receipt)) ?? Data(), as: UTF8.self)
    }
}

/// The server of a connection, which exists only after its first connection could come.
final class ServerBox: Sendable {
    let server = Mutex<FaultServer?>(nil)
}
