import Access
import Evidence
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import RunModel
import Storage

extension DashboardResponder {
    /// Shows how a run on another machine goes, until it is delivered or nothing is heard of it any more.
    func takeProgress(
        _ name: String, _ request: Request, _ context: DashboardContext, _ call: inout DeliveryCall
    ) async throws -> Answer {
        let (token, deliveries) = try sender(request.head, context, &call)
        guard let id = RunID(name) else { throw CallError(.badRequest, "'\(name)' is no run id") }
        let length = try Self.length(of: request.head, limit: RemoteLiveRuns.largest)
        let share = try checkMemory(length, token)
        defer { withExtendedLifetime(share) {} }
        let body = try await request.body.collect(upTo: RemoteLiveRuns.largest)
        guard body.readableBytes == length else { throw CallError(.badRequest, "the body is shorter than it says") }
        guard var run = LiveRun(encoded: Data(body.readableBytesView)), run.runID == id,
            (1...LiveRun.longestText).contains(run.project.utf8.count)
        else { throw CallError(.badRequest, "the body is no run in progress of this id") }
        guard token.covers(run.project) else { throw CallError.otherProject(token) }
        // Whoever only saw the id learns nothing by it, and keeps nobody out.
        guard let seed = run.seed, id.isMade(of: seed, in: run.project) else {
            throw CallError(.unprocessableContent, "the id was not made of the seed and the project")
        }
        run.project = try deliveries.currentName(of: run.project)
        call.project = run.project
        // What is late must not come back.
        guard try store.summary(of: id) == nil else { return .json(ProgressResponse(isShown: false), .ok) }
        let moment = now()
        let isShown = try live.remote.show(
            run.admitted(at: moment), of: token, machine: call.claim.host, at: moment)
        return .json(ProgressResponse(isShown: isShown), .ok)
    }
}

/// What became of the progress of a run.
struct ProgressResponse: Encodable {
    /// Whether it is shown; it is not once the run is stored, nor while there are too many that are trusted more.
    let isShown: Bool
}
