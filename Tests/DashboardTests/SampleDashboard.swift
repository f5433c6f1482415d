import Access
import Evidence
import Foundation
import Gate
import HTTPTypes
import Hummingbird
import Logging
import Pages
import RunModel
import Storage
import TestSupport
import Web

@testable import Dashboard

/// A responder over three sample runs, asked directly and without a socket.
struct SampleDashboard {
    let responder: DashboardResponder
    let log = LogRecorder()

    init(
        store: RunStore? = nil,
        progressFiles: ProgressFiles? = nil,
        audit: @escaping BranchAudit = { _, _ in nil },
        changedLines: @escaping LineComparison = { _, _, _ in nil },
        configuration: DashboardConfiguration = DashboardConfiguration(),
        control: AccessControl? = nil,
        deliveries: DeliveryService? = nil,
        key: ServerKey? = nil,
        ledger: MachineLedger = MachineLedger(path: nil),
        evidence: EvidenceSource? = nil,
        clock: @escaping @Sendable () -> Date = { SampleRuns.moment.addingTimeInterval(7200) },
        access: (@Sendable (AccessEntry) -> Void)? = nil
    ) throws {
        responder = try DashboardResponder(
            store: try store ?? SampleStore.three.get().store, progressFiles: progressFiles, audit: audit,
            changedLines: changedLines, configuration: configuration, control: control, deliveries: deliveries,
            key: key, ledger: ledger, evidence: evidence, now: clock, access: access)
    }

    /// What came back.
    struct Reply {
        let status: Int
        let headers: HTTPFields
        let bytes: Int?

        /// The header as lines, in the order of their names.
        var lines: [String] { headers.map { "\($0.name): \($0.value)" }.sorted() }
        subscript(name: String) -> String? { HTTPField.Name(name).flatMap { headers[$0] } }
    }

    func ask(
        _ target: String,
        method: HTTPRequest.Method = .get,
        host: String? = "localhost:8080",
        fields: HTTPFields = [:]
    ) async -> Reply {
        var logger = Logger(label: "test") { _ in log }
        logger[metadataKey: "hb.request.id"] = "incident-1"
        logger.logLevel = .trace
        let head = HTTPRequest(method: method, scheme: "http", authority: host, path: target, headerFields: fields)
        let request = Request(head: head, body: RequestBody(buffer: ByteBuffer()))
        let response = await responder.respond(to: request, context: DashboardContext(logger: logger))
        return Reply(
            status: response.status.code, headers: response.headers, bytes: response.body.contentLength
        )
    }

    /// What came back, with its body.
    struct Message {
        let status: Int
        let headers: HTTPFields
        let text: String

        subscript(name: String) -> String? { HTTPField.Name(name).flatMap { headers[$0] } }
    }

    /// Sends a request with a body from a network address.
    func send(
        _ method: HTTPRequest.Method, _ target: String, _ body: [UInt8] = [], fields: HTTPFields = [:],
        token: String? = nil, length: Int? = nil, from address: String = "192.0.2.1",
        isGone: @escaping @Sendable () -> Bool = { false }
    ) async throws -> Message {
        var fields = fields
        if let token { fields[.authorization] = "Bearer \(token)" }
        if method != .get, fields[.transferEncoding] == nil { fields[.contentLength] = String(length ?? body.count) }
        let head = HTTPRequest(
            method: method, scheme: "http", authority: "localhost", path: target, headerFields: fields)
        let request = Request(head: head, body: RequestBody(buffer: ByteBuffer(bytes: body)))
        let logger = Logger(label: "test") { _ in log }
        let response = await responder.respond(
            to: request, context: DashboardContext(logger: logger, address: address, isGone: isGone))
        let sink = BodySink()
        try await response.body.write(sink)
        return Message(status: response.status.code, headers: response.headers, text: sink.text)
    }

    /// The body of a page, as a reader gets it.
    func page(_ target: String, host: String = "localhost") async throws -> String {
        let head = HTTPRequest(method: .get, scheme: "http", authority: host, path: target)
        let request = Request(head: head, body: RequestBody(buffer: ByteBuffer()))
        let logger = Logger(label: "test") { _ in log }
        let response = await responder.respond(to: request, context: DashboardContext(logger: logger))
        let sink = BodySink()
        try await response.body.write(sink)
        return sink.text
    }
}
