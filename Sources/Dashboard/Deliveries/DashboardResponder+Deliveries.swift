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
        let (token, deliveries) = try sender(request.head, context, &call)
        guard let id = RunID(name) else { throw CallError(.badRequest, "'\(name)' is no run id") }
        let length = try Self.length(of: request.head, limit: Delivery.largestList)
        guard deliveries.hasRoom else { throw CallError.full }
        let share = try checkMemory(length, token)
        defer { withExtendedLifetime(share) {} }
        if let seconds = runLimit.admit(id.description, of: token.sha256, at: now()) {
            throw CallError(.tooManyRequests, "too many runs in a minute", retryAfter: seconds)
        }
        let body = try await request.body.collect(upTo: Delivery.largestList)
        guard body.readableBytes == length else { throw CallError(.badRequest, "the body is shorter than it says") }
        guard let delivery = try Delivery.read(Array(body.readableBytesView)) else {
            throw CallError(.badRequest, "the body is no list of files")
        }
        guard delivery.schemaVersion == 1 else {
            throw CallError(
                .badRequest, "the list has version \(delivery.schemaVersion), this server reads 1",
                hint: "update the server")
        }
        try delivery.checkProject()
        guard token.covers(delivery.project) else { throw CallError.otherProject(token) }
        call.project = try deliveries.currentName(of: delivery.project)
        try delivery.check()
        try checkProjects(token, delivery.project)
        let reservation = try checkQuota(delivery, token)
        let record = DeliveryRecord(
            token: token.name, isAttested: token.scope.attests, receivedAt: now(), address: context.address)
        var receipt = try await deliveries.take(
            id, delivery, from: DeliverySender(record: record, identity: token.sha256))
        if receipt.state == .stored {
            reservation.keep(at: now())
            // Of a run that is known the list may name anything.
            pending.settle(delivery.files.lazy.map(\.sha256), of: token.sha256)
        }
        if receipt.state != .incomplete {
            receipt.page = links.href(.run(id))
            call.isDelivered = true
            live.remote.remove(id)
        }
        return .json(receipt, receipt.state.status)
    }

    /// Takes in a file. What others have sent makes no difference: a token is told of its own files only.
    func takeBlob(
        _ name: String, _ request: Request, _ context: DashboardContext, _ call: inout DeliveryCall
    ) async throws -> Answer {
        let (token, deliveries) = try sender(request.head, context, &call)
        guard Digest.isWellFormed(name) else { throw CallError(.badRequest, "the address names no SHA-256") }
        let length = try Self.length(of: request.head, limit: BlobStore.largest)
        let blobs = deliveries.blobs.sent(by: token.sha256)
        if blobs.size(of: name) != nil {
            blobs.touch(name)
            return .json(BlobResponse(sha256: name), .ok)
        }
        guard deliveries.hasRoom else { throw CallError.full }
        let arrival = try checkPending(length, token)
        let blob = try blobs.receive(name)
        for try await buffer in request.body {
            try buffer.withUnsafeReadableBytes { try blob.append($0) }
        }
        try Self.check(blob.count, of: length)
        try blob.finish()
        arrival.end(name, at: now())
        counts.received(length)
        return .json(BlobResponse(sha256: name), .created)
    }

    /// Refuses a file that did not arrive whole.
    private static func check(_ count: Int, of length: Int) throws {
        guard count == length else {
            throw CallError(.unprocessableContent, "\(count) bytes arrived of \(length)")
        }
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
