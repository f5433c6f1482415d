import Evidence
import Foundation
import Gate
import HTTPTypes
import Hummingbird
import Logging
import Pages
import RunModel
import TestSupport
import Testing

@testable import Dashboard
@testable import Storage

/// A run under way with a real folder, asked for through the responder.
@Suite struct LiveTests {
    static let id = SampleRuns.id(6)
    static let moment = SampleRuns.moment.addingTimeInterval(7200)

    /// A run that holds its folder.
    final class Underway: Sendable {
        let folder: TemporaryFolder
        let progressFiles: ProgressFiles
        let writer: RunDirectory.Writer
        let progressFile: ProgressFile

        init() throws {
            folder = try TemporaryFolder()
            progressFiles = ProgressFiles(path: "\(folder.path)/running") { Date() }
            writer = try RunDirectory.Writer(creating: "\(folder.path)/runs/\(LiveTests.id)")
            progressFile = try Self.begin(in: progressFiles, folder: writer.path)
            progressFile.update { progress in
                progress.step = .test
                (progress.discovered, progress.ended, progress.failed) = (10, 4, 1)
                progress.failures = ["S/<t>"]
            }
            progressFile.write()
            try add("one\n\u{1B}[31m<two>\u{1B}[0m\n")
        }

        static func begin(in progressFiles: ProgressFiles, folder: String) throws -> ProgressFile {
            var run = LiveRun(
                runID: LiveTests.id, project: "example/video-kit",
                revision: Revision(
                    commit: "5c1f8e02", tree: nil, branch: "fix/<b>", subject: "<i>Decode", isDirty: false),
                startedAt: LiveTests.moment.addingTimeInterval(-20), folder: folder, isPartial: false)
            run.expected = ExpectedTime(medianOf: [.seconds(95)])
            return try ProgressFile(run, in: progressFiles)
        }

        /// Writes more of the log.
        func add(_ text: String) throws {
            let path = "\(writer.path)/transcript.log"
            if !FileManager.default.fileExists(atPath: path) { try Data().write(to: URL(filePath: path)) }
            let handle = try #require(FileHandle(forWritingAtPath: path))
            try handle.seekToEnd()
            try handle.write(contentsOf: Data(text.utf8))
            try handle.close()
        }

        func dashboard(clients: Int = 2) throws -> SampleDashboard {
            var configuration = DashboardConfiguration()
            configuration.live.clients = clients
            configuration.live.interval = .milliseconds(5)
            configuration.live.heartbeat = 3
            return try SampleDashboard(
                progressFiles: progressFiles, configuration: configuration, clock: { LiveTests.moment })
        }
    }

    /// The answer to a request as it is, its body unwritten.
    private func response(_ dashboard: SampleDashboard, _ target: String) async -> Response {
        let head = HTTPRequest(method: .get, scheme: "http", authority: "localhost", path: target)
        let request = Request(head: head, body: RequestBody(buffer: ByteBuffer()))
        let logger = Logger(label: "test") { _ in dashboard.log }
        return await dashboard.responder.respond(to: request, context: DashboardContext(logger: logger))
    }

    /// Waits until what was sent has a text.
    private func wait(_ sink: BodySink, for text: String) async throws {
        for _ in 0..<12_000 where !sink.text.contains(text) { try await Task.sleep(for: .milliseconds(5)) }
        #expect(sink.text.contains(text), "was sent: \(sink.text)")
    }

    @Test func `home and project tell what runs and how long it will still take`() async throws {
        let run = try Underway()
        let dashboard = try run.dashboard()
        for target in ["/", "/project?project=example/video-kit"] {
            let page = try await dashboard.page(target)
            #expect(page.contains("Running now") && page.contains("Testing, 4 of 10, 1 failed"))
            #expect(page.contains("href=\"/runs/\(Self.id)/live\""))
            #expect(page.contains("about 1 min 15 s") && page.contains("usually 1 min 35 s"))
        }
        run.progressFile.end()
        #expect(try await !dashboard.page("/").contains("Running now"))
    }

    @Test func `a run that begins, goes on or ends is seen at once`() async throws {
        let run = try Underway()
        let dashboard = try run.dashboard()
        for ended in [5, 6] {
            run.progressFile.update { $0.ended = ended }
            run.progressFile.write()
            #expect(try await dashboard.page("/").contains("Testing, \(ended) of 10"))
        }
        run.progressFile.end()
        for _ in 0..<2 { #expect(try await !dashboard.page("/").contains("Running now")) }
        let next = try Underway.begin(in: run.progressFiles, folder: run.writer.path)
        #expect(try await dashboard.page("/").contains("Running now"))
        next.end()
    }

    @Test func `a run of this machine is seen by the name that its project has now, or by nobody`() throws {
        struct Unknown: Error {}
        let run = try Underway()
        let renamed = LiveRuns(
            run.progressFiles, name: { $0 == "example/video-kit" ? "other" : $0 }, now: { LiveTests.moment })
        #expect(renamed.running().map(\.run.project) == ["other"])
        #expect(renamed.running { $0 == "example/video-kit" } == [])
        #expect(renamed.running { $0 == "other" }.map(\.run.runID) == [Self.id])
        #expect(renamed.find(Self.id)?.run.project == "other")
        let unknown = LiveRuns(run.progressFiles, name: { _ in throw Unknown() }, now: { LiveTests.moment })
        #expect(unknown.running() == [])
        #expect(unknown.find(Self.id) == nil)
        run.progressFile.end()
    }

    @Test func `the page of a run under way has its log, and reloads without its script`() async throws {
        let dashboard = try Underway().dashboard()
        #expect(await dashboard.ask("/runs/\(Self.id)/live").status == 404)
        let run = try Underway()
        let live = try run.dashboard()
        let reply = await live.ask("/runs/\(Self.id)/live")
        #expect(reply.status == 200)
        let page = try await live.page("/runs/\(Self.id)/live")
        #expect(page.contains("<span class=\"ansi-1\">&lt;two&gt;</span>"))
        #expect(page.contains("<script src=\"/assets/kanmon.js\" defer></script>"))
        #expect(page.contains("<noscript><meta http-equiv=\"refresh\" content=\"10\"></noscript>"))
        #expect(page.contains("<li>S/&lt;t&gt;</li>"))
    }

    @Test func `the address of a run leads to where it is: under way, stored, or nowhere`() async throws {
        let run = try Underway()
        let dashboard = try run.dashboard()
        let early = await dashboard.ask("/runs/\(Self.id)")
        #expect(early.status == 302)
        #expect(early["Location"] == "/runs/\(Self.id)/live")
        let late = await dashboard.ask("/runs/\(SampleRuns.id(2))/live")
        #expect(late.status == 302)
        #expect(late["Location"] == "/runs/\(SampleRuns.id(2))")
        run.progressFile.end()
        let page = try await dashboard.page("/runs/\(Self.id)/live")
        #expect(page.contains("Aborted: its process is gone") && !page.contains("data-events"))
        run.progressFiles.remove(Self.id)
        for target in ["/runs/\(Self.id)", "/runs/\(Self.id)/live", "/runs/\(Self.id)/events"] {
            #expect(await dashboard.ask(target).status == 404)
        }
    }

    @Test func `the data of a run under way is at its address`() async throws {
        let run = try Underway()
        let body = try await run.dashboard().page("/runs/\(Self.id)/live.json")
        let answer = try #require(try JSONSerialization.jsonObject(with: Data(body.utf8)) as? [String: Any])
        let data = try #require(answer["data"] as? [String: Any])
        #expect(data["status"] as? String == "running")
        let tests = try #require(data["tests"] as? [String: Int])
        #expect(tests == ["done": 4, "total": 10])
        #expect(data["elapsedNanoseconds"] as? Int == 20_000_000_000)
        // Its files are not yet known to be those of the commit.
        #expect(data["isExact"] as? Bool == false)
        let home = try await run.dashboard().page("/index.json")
        #expect(home.contains("\"running\":[{"))
    }

    @Test func `what changes is sent as it changes, and the end last`() async throws {
        let run = try Underway()
        let dashboard = try run.dashboard()
        let response = await response(dashboard, "/runs/\(Self.id)/events")
        #expect(response.status == .ok)
        #expect(response.headers[.contentType] == "text/event-stream; charset=utf-8")
        #expect(response.headers[.contentLength] == nil)
        let sink = BodySink()
        let stream = Task { try await response.body.write(sink) }
        try await wait(sink, for: "{\"style\":\"ansi-1\",\"text\":\"<two>\"}")
        #expect(sink.text.contains("event: state\ndata: {\"detail\":"))
        #expect(sink.text.contains("\"isRestart\":true"))
        run.progressFile.update { $0.ended = 5 }
        run.progressFile.write()
        try await wait(sink, for: "Testing, 5 of 10, 1 failed")
        try run.add("three\n")
        try await wait(
            sink,
            for:
                "event: log\ndata: {\"isRestart\":false,\"lines\":[{\"pieces\":[{\"style\":\"\",\"text\":\"three\"}]}]}"
        )
        try await wait(sink, for: ": still here\n\n")
        run.progressFiles.remove(Self.id)
        try await stream.value
        #expect(sink.text.hasSuffix("event: end\ndata: {\"isRestart\":false,\"lines\":[]}\n\n"))
    }

    @Test func `a killed run is reported as gone, and the stream ends`() async throws {
        let run = try Underway()
        let response = await response(try run.dashboard(), "/runs/\(Self.id)/events")
        let sink = BodySink()
        let stream = Task { try await response.body.write(sink) }
        try await wait(sink, for: "event: log")
        run.progressFile.end()
        try await stream.value
        #expect(sink.text.contains("Aborted: its process is gone") && sink.text.contains("event: end\n"))
    }

    @Test func `so many may follow, and one more when a reader is gone`() async throws {
        let run = try Underway()
        let dashboard = try run.dashboard(clients: 2)
        var streams: [Response] = []
        for _ in 0..<2 { streams.append(await response(dashboard, "/runs/\(Self.id)/events")) }
        #expect(streams.map(\.status) == [.ok, .ok])
        let refused = await dashboard.ask("/runs/\(Self.id)/events")
        #expect(refused.status == 503)
        #expect(refused["Retry-After"] == "10")
        #expect(await dashboard.ask("/runs/\(Self.id)/live").status == 200)
        streams.removeLast()
        #expect(await dashboard.ask("/runs/\(Self.id)/events").status == 200)
    }
}
