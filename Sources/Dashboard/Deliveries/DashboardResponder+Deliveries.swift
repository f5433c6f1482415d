import Access
import Evidence
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import Pages
import RunModel

extension DashboardResponder {
    /// Takes in a run, or says what is missing of it.
    func takeRun(
        _ name: String, _ request: Request, _ context: DashboardContext, _ call: inout DeliveryCall
    ) async throws -> Answer {
        let (token, desk) = try sender(request.head, context, &call)
        guard let id = RunID(name) else { throw DeliveryError(.badRequest, "'\(name)' is no run id") }
        let length = try Self.length(of: request.head, limit: Delivery.largestList)
        guard desk.hasRoom else { throw DeliveryError.full }
        if let seconds = runLimit.admit(id.description, of: token.sha256, at: now()) {
            throw DeliveryError(.tooManyRequests, "too many runs in a minute", retryAfter: seconds)
        }
        let body = try await request.body.collect(upTo: Delivery.largestList)
        guard body.readableBytes == length else { throw DeliveryError(.badRequest, "the body is shorter than it says") }
        let delivery: Delivery
        do {
            delivery = try JSONDecoder().decode(Delivery.self, from: Data(body.readableBytesView))
        } catch {
            throw DeliveryError(.badRequest, "the body is no list of files")
        }
        guard delivery.schemaVersion == 1 else {
            throw DeliveryError(
                .badRequest, "the list has version \(delivery.schemaVersion), this server reads 1",
                hint: "update the server")
        }
        guard token.covers(delivery.project) else { throw DeliveryError.otherProject(token) }
        call.project = delivery.project
        try delivery.check()
        let record = DeliveryRecord(
            token: token.name, isAttested: token.scope.attests, receivedAt: now(), address: context.address)
        var receipt = try await desk.take(
            id, delivery, from: DeliverySender(record: record, isAdmin: token.scope == .admin))
        if receipt.state != .incomplete {
            receipt.page = links.href(.run(id))
            call.isDelivered = true
            live.board.remove(id)
        }
        return .json(receipt, receipt.state.status)
    }

    /// Takes in a file.
    func takeBlob(
        _ name: String, _ request: Request, _ context: DashboardContext, _ call: inout DeliveryCall
    ) async throws -> Answer {
        let (_, desk) = try sender(request.head, context, &call)
        guard Digest.isWellFormed(name) else { throw DeliveryError(.badRequest, "the address names no SHA-256") }
        let length = try Self.length(of: request.head, limit: BlobStore.largest)
        if desk.blobs.size(of: name) != nil {
            desk.blobs.touch(name)
            return .json(BlobResponse(sha256: name), .ok)
        }
        guard desk.hasRoom else { throw DeliveryError.full }
        let blob = try desk.blobs.receive(name)
        for try await buffer in request.body {
            try buffer.withUnsafeReadableBytes { try blob.append($0) }
        }
        guard blob.count == length else {
            throw DeliveryError(.unprocessableContent, "\(blob.count) bytes arrived of \(length)")
        }
        try blob.finish()
        counts.received(blob.count)
        return .json(BlobResponse(sha256: name), .created)
    }
}

extension DeliveryReceipt.State {
    /// The status that tells it.
    fileprivate var status: HTTPResponse.Status {
        switch self {
        case .stored: .created
        case .known: .ok
        case .incomplete: .accepted
        }
    }
}
