import Foundation
import Gate
import HTTPTypes
import Hummingbird
import Logging
import Pages
import RunModel
import TestSupport
import Web

@testable import Dashboard
@testable import Storage

/// A responder over three sample runs, asked directly and without a socket.
struct SampleDashboard {
    static let core = "Sources/Core/URLRule.swift"
    static let text = Array("public struct URLRule {\n    let pattern: String\n}\n".utf8)
    static let judged: [DashboardData.JudgedRun] = [SampleRuns.undecided(), SampleRuns.failing(), SampleRuns.passing()]
        .map { .init(run: $0, verdict: verdict($0)) }

    let responder: DashboardResponder
    let log = LogRecorder()

    init(
        data: DashboardData = Self.data,
        configuration: DashboardConfiguration = DashboardConfiguration(),
        clock: @escaping @Sendable () -> Date = { SampleRuns.moment.addingTimeInterval(7200) }
    ) throws {
        responder = try DashboardResponder(data: data, configuration: configuration, now: clock)
    }

    static let data = DashboardData(
        projects: { [ProjectListEntry(name: "example/video-kit", runs: 3)] },
        runs: { project, before, limit in
            guard before.map({ id in judged.contains { $0.run.id == id } }) ?? true else { return nil }
            return judged.map(entry).filter {
                $0.project == project ?? $0.project && $0.id < before ?? SampleRuns.id(99)
            }
            .prefix(limit).map { $0 }
        },
        run: { id in judged.first { $0.run.id == id } },
        sources: { _, paths in paths.map { $0 == core ? text : nil } },
        runsOfBranch: { project, _, limit in
            judged.map(entry).filter { $0.project == project }.prefix(limit).map { $0 }
        },
        wholeRuns: { project, _, limit in
            judged.map(entry).filter { $0.project == project }.prefix(limit).map { $0 }
        },
        defaultBranch: { _ in ProjectBranch(name: "main", hasRuns: true) },
        branches: { project in judged.map(entry).filter { $0.project == project }.prefix(1).map { $0 } },
        modules: { _, _, _ in [] }, history: { _, _, _ in [] }, flaky: { _, _, _ in [] }, slow: { _, _, _ in [] },
        compare: { _, _ in nil }, tests: { _ in judged.last?.run.tests.map(\.id) ?? [] },
        files: { _ in (SampleRuns.id(1), [core]) },
        find: { text, _ in judged.map(entry).filter { $0.id.description == text } },
        version: { StoreVersion(opening: 1, data: 1) }
    )

    static func verdict(_ run: TestRun) -> Verdict {
        let failures = run.tests.filter(\.outcome.isFailure).map {
            Violation.testFailed(id: $0.id, outcome: $0.outcome, issue: $0.firstFailure)
        }
        return Verdict(
            decision: !run.gaps.isEmpty ? .undecided : failures.isEmpty ? .passed : .failed, violations: failures,
            gaps: run.gaps, modules: [], policy: Policy()
        )
    }

    private static func entry(_ judged: DashboardData.JudgedRun) -> RunListEntry {
        let run = judged.run
        return RunListEntry(
            id: run.id, project: run.project, package: run.package, revision: run.revision, startedAt: run.startedAt,
            duration: run.duration, decision: judged.verdict.decision, exitStatus: judged.verdict.exitStatus,
            outcomes: run.outcomes, lines: nil
        )
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

    /// The body of a page, as a reader gets it.
    func page(_ target: String) async throws -> String {
        let head = HTTPRequest(method: .get, scheme: "http", authority: "localhost", path: target)
        let request = Request(head: head, body: RequestBody(buffer: ByteBuffer()))
        let logger = Logger(label: "test") { _ in log }
        let response = await responder.respond(to: request, context: DashboardContext(logger: logger))
        let sink = BodySink()
        try await response.body.write(sink)
        return sink.text
    }
}
