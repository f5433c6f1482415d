import Access
import Evidence
import Foundation
import HTTPTypes
import RunModel
import TestSupport
import Testing

@testable import Dashboard

/// Runs in progress on other machines.
@Suite struct ProgressTests {
    private static let id = id()

    /// The id of a run of a project that was made of a seed.
    private static func id(_ project: String = "kit", seed: String = "seed") -> RunID {
        RunID(of: project, seed: seed, at: SampleRuns.moment)
    }

    private let tokens: TokenFolder
    /// A store without runs, which lasts as long as the test.
    private let empty: SampleStore
    private let clock = MovingClock()

    init() throws {
        tokens = try TokenFolder()
        empty = try SampleStore()
    }

    private func dashboard() throws -> SampleDashboard {
        let clock = clock
        return try tokens.dashboard(store: empty, clock: { clock.now })
    }

    private static func underway(
        project: String = "kit", seed: String = "seed", _ change: (inout LiveRun) -> Void = { _ in }
    ) -> LiveRun {
        var run = LiveRun(
            runID: id(project, seed: seed), project: project,
            revision: Revision(commit: "5c1f8e02", tree: "41d0", branch: "main", subject: "<i>Decode", isDirty: false),
            startedAt: SampleRuns.moment.addingTimeInterval(-20), folder: "", isPartial: false)
        run.seed = seed
        run.progress.step = .test
        (run.progress.discovered, run.progress.ended, run.progress.failed) = (10, 4, 1)
        run.progress.failures = ["S/<t>"]
        change(&run)
        return run
    }

    private func tell(
        _ dashboard: SampleDashboard, _ run: LiveRun, _ token: String, at id: RunID? = nil
    ) async throws -> Int {
        var fields: HTTPFields = [:]
        if let name = HTTPField.Name("Kanmon-Machine") { fields[name] = "agent-3" }
        return try await dashboard.send(
            .put, "/api/v1/live/\(id ?? run.runID)", try run.encoded(), fields: fields, token: token
        ).status
    }

    @Test func `a project is seen by the name that it has now, whatever its machines say`() async throws {
        let secret = try tokens.token("ci", .attest)
        let (old, new) = (
            try tokens.token("old", .read, projects: ["kit"]), try tokens.token("new", .read, projects: ["other"])
        )
        let clock = clock
        let dashboard = try tokens.dashboard(
            store: empty, name: { $0 == "kit" ? "other" : $0 }, clock: { clock.now })
        #expect(try await tell(dashboard, Self.underway(), secret) == 200)
        for (reader, status) in [(old, 404), (new, 200)] {
            #expect(try await dashboard.send(.get, "/runs/\(Self.id)/live.json", token: reader).status == status)
            let machines = try await dashboard.send(.get, "/machines.json", token: reader).text
            #expect(machines.contains("agent-3") == (status == 200))
        }
    }

    @Test func `a run of another machine is shown with the machine and its token, and dropped when it is silent`()
        async throws
    {
        let (secret, reader) = (try tokens.token("ci", .attest), try tokens.token("reader", .read))
        let dashboard = try dashboard()
        let quiet = try await dashboard.send(.get, "/", token: reader)
        #expect(try await tell(dashboard, Self.underway(), secret) == 200)
        // A page without it is not taken for the one with it.
        let tag = try #require(quiet["ETag"])
        let home = try await dashboard.send(.get, "/", fields: [.ifNoneMatch: tag], token: reader)
        #expect(home.status == 200 && home.text.contains("Running now"))
        #expect(home.text.contains("Testing, 4 of 10, 1 failed") && home.text.contains("on agent-3, token ci"))
        let page = try await dashboard.send(.get, "/runs/\(Self.id)/live", token: reader).text
        #expect(page.contains("<bdi>on agent-3, token ci</bdi>") && page.contains("<li>S/&lt;t&gt;</li>"))
        #expect(page.contains("The log is on the machine") && !page.contains("<pre"))
        let data = try await dashboard.send(.get, "/runs/\(Self.id)/live.json", token: reader).text
        #expect(data.contains("\"toldBy\":\"ci\"") && data.contains("\"machine\":\"agent-3\""))
        #expect(
            try await dashboard.send(.get, "/runs/\(Self.id)", token: reader)["Location"] == "/runs/\(Self.id)/live")
        clock.pass(29)
        #expect(try await tell(dashboard, Self.underway { $0.progress.ended = 9 }, secret) == 200)
        clock.pass(30)
        #expect(try await dashboard.send(.get, "/", token: reader).text.contains("Testing, 9 of 10"))
        clock.pass(1)
        #expect(try await !dashboard.send(.get, "/", token: reader).text.contains("Running now"))
        #expect(try await dashboard.send(.get, "/runs/\(Self.id)/live", token: reader).status == 404)
    }

    @Test func `a run is shown on the page of its project, and to nobody who may not see that`() async throws {
        let project = SampleRuns.passing().project
        let store = try SampleStore()
        try store.ingest(SampleRuns.passing())
        let (secret, reader) = (try tokens.token("ci", .attest), try tokens.token("reader", .read))
        let other = try tokens.token("other", .read, projects: ["x"])
        let clock = clock
        let dashboard = try tokens.dashboard(store: store, clock: { clock.now })
        #expect(try await tell(dashboard, Self.underway(project: project), secret) == 200)
        let page = try await dashboard.send(.get, "/project?project=\(project)", token: reader).text
        #expect(page.contains("Running now") && page.contains("on agent-3, token ci"))
        for target in ["", "/live", "/live.json", "/events"] {
            let reply = try await dashboard.send(.get, "/runs/\(Self.id(project))\(target)", token: other)
            #expect(reply.status == 404, "\(target)")
        }
        #expect(try await !dashboard.send(.get, "/", token: other).text.contains("agent-3"))
    }

    @Test func `a delivered run is under way no more, and what is late does not come back`() async throws {
        let (secret, reader) = (try tokens.token("ci", .attest), try tokens.token("reader", .read))
        let store = try SampleStore()
        let clock = clock
        let dashboard = try tokens.dashboard(store: store, clock: { clock.now })
        #expect(try await tell(dashboard, Self.underway(), secret) == 200)
        let manifest = Array("{}".utf8)
        _ = try await dashboard.send(.put, "/api/v1/blobs/\(Digest.sha256(manifest))", manifest, token: secret)
        #expect(
            try await dashboard.send(.put, "/api/v1/runs/\(Self.id)", TokenFolder.list(), token: secret).status == 201)
        #expect(try await !dashboard.send(.get, "/", token: reader).text.contains("Running now"))
        var stored = SampleRuns.passing()
        stored.id = Self.id
        try store.ingest(stored)
        clock.pass(1)
        #expect(try await tell(dashboard, Self.underway(), secret) == 200)
        #expect(try await !dashboard.send(.get, "/", token: reader).text.contains("Running now"))
    }

    @Test func `whoever may not deliver tells of nothing, and nobody of the run of another`() async throws {
        let (secret, reader) = (try tokens.token("ci", .attest), try tokens.token("reader", .read))
        let other = try tokens.token("anna", .submit, projects: ["kit"])
        let dashboard = try dashboard()
        #expect(try await tell(dashboard, Self.underway(), "kanmon_x") == 401)
        #expect(try await tell(dashboard, Self.underway(), reader) == 403)
        #expect(try await tell(dashboard, Self.underway(project: "other"), other) == 403)
        #expect(try await tell(dashboard, Self.underway(), secret) == 200)
        clock.pass(1)
        // The other one is trusted less. Whoever only saw the id is answered as if there were no such run.
        #expect(try await tell(dashboard, Self.underway(), other) == 409)
        for seed in [nil, "another"] {
            #expect(try await tell(dashboard, Self.underway { $0.seed = seed }, other) == 422)
            #expect(try await tell(dashboard, Self.underway(seed: "of nobody") { $0.seed = seed }, other) == 422)
        }
        #expect(try await tell(dashboard, Self.underway(), secret, at: SampleRuns.id(8)) == 400)
        #expect(try await dashboard.send(.put, "/api/v1/live/x", [], token: secret).status == 400)
        #expect(try await dashboard.send(.put, "/api/v1/live/\(Self.id)", [1], token: secret).status == 400)
        #expect(try await dashboard.send(.get, "/api/v1/live/\(Self.id)", token: secret).status == 405)
        let long = try await dashboard.send(
            .put, "/api/v1/live/\(Self.id)", [], token: secret, length: (128 << 10) + 1)
        #expect(long.status == 413)
        #expect(try await SampleDashboard().send(.put, "/api/v1/live/\(Self.id)", [], token: secret).status == 401)
        // It is only a picture: no delivery was refused.
        let metrics = try await dashboard.send(.get, "/metrics", token: reader).text
        #expect(!metrics.contains("kanmon_deliveries_refused_total{"))
    }

    @Test func `so often, and so many runs of one token, and no more`() async throws {
        let (secret, other) = (try tokens.token("ci", .attest), try tokens.token("anna", .submit))
        let dashboard = try dashboard()
        for number in 0..<32 {
            #expect(try await tell(dashboard, Self.underway(seed: "\(number)"), secret) == 200)
        }
        #expect(try await tell(dashboard, Self.underway(seed: "0"), secret) == 429)
        #expect(try await tell(dashboard, Self.underway(), secret) == 429)
        #expect(try await tell(dashboard, Self.underway(), other) == 200)
        clock.pass(31)
        #expect(try await tell(dashboard, Self.underway(seed: "8"), secret) == 200)
    }

    @Test func `who is trusted takes over from who is not, and always finds a place`() async throws {
        let (ci, reader) = (try tokens.token("ci", .attest), try tokens.token("reader", .read))
        let dashboard = try dashboard()
        let laptops = try (0..<9).map { try tokens.token("laptop-\($0)", .submit) }
        #expect(try await tell(dashboard, Self.underway(), laptops[0]) == 200)
        #expect(try await tell(dashboard, Self.underway(), ci) == 200)
        #expect(try await tell(dashboard, Self.underway(), laptops[0]) == 409)
        for (number, laptop) in laptops.enumerated() {
            for run in 0..<32 {
                #expect(try await tell(dashboard, Self.underway(seed: "\(number) \(run)"), laptop) == 200)
            }
        }
        #expect(dashboard.responder.live.running().count == 256)
        #expect(try await tell(dashboard, Self.underway(seed: "second"), ci) == 200)
        let shown = dashboard.responder.live.running()
        #expect(shown.count == 256 && shown.count { $0.sender?.token == "ci" } == 2)
        // Those of the others are as many as there is room for, and none has lost all.
        let counts = Dictionary(shown.map { ($0.sender?.token ?? "", 1) }, uniquingKeysWith: +)
        #expect(counts.filter { $0.key != "ci" }.values.sorted() == [28, 28, 28, 28, 28, 28, 28, 29, 29])
        #expect(try await dashboard.send(.get, "/", token: reader).status == 200)
    }

    @Test func `what a machine tells opens no file here, and breaks no page`() async throws {
        let (secret, reader) = (try tokens.token("ci", .attest), try tokens.token("reader", .read))
        let dashboard = try dashboard()
        let folder = try TemporaryFolder()
        try folder.write("a secret of the server\n", to: "transcript.log")
        let run = Self.underway { run in
            run.folder = folder.path
            run.startedAt = Date(timeIntervalSince1970: 1e300)
            run.expected = ExpectedTime(medianOf: [.seconds(Int64.min)])
            (run.progress.built, run.progress.toBuild) = (.min, .max)
            (run.progress.ended, run.progress.discovered, run.progress.failed) = (.max, .min, .max)
            run.progress.failures = Array(repeating: String(repeating: "x", count: 2000), count: 70)
            run.revision?.subject = String(repeating: "é", count: 5000)
        }
        #expect(try await tell(dashboard, run, secret) == 413)
        var shorter = run
        shorter.progress.failures = Array(repeating: "x", count: 60)
        #expect(try await tell(dashboard, shorter, secret) == 200)
        for target in ["/", "/wall", "/index.json", "/runs/\(Self.id)/live", "/runs/\(Self.id)/live.json"] {
            let reply = try await dashboard.send(.get, target, token: reader)
            #expect(reply.status == 200 && !reply.text.contains("a secret of the server"), "\(target)")
        }
        let entry = try #require(dashboard.responder.live.find(Self.id))
        #expect(entry.run.folder.isEmpty && entry.run.log == nil && entry.run.expected == nil)
        #expect(entry.run.startedAt == clock.now && entry.run.progress.failures.count == 50)
        #expect(entry.run.progress.built == 0 && entry.run.progress.ended == 100_000_000)
        #expect(entry.run.revision?.subject?.utf8.count == 1024)
    }
}
