import Foundation
import RunModel
import TestSupport
import Testing

@testable import Dashboard
@testable import Evidence

@Suite struct EvidenceTests {
    private static let run = SampleRuns.id(2)

    @Test func `a run leads to its log in two clicks`() async throws {
        let dashboard = try SampleDashboard()
        let list = "/runs/\(Self.run)/evidence"
        #expect(try await dashboard.page("/runs/\(Self.run)").contains("href=\"\(list)\""))
        let page = try await dashboard.page(list)
        #expect(page.contains("href=\"\(list)?file=transcript.log\""))
        #expect(page.contains("output of the tests"))
        #expect(
            try await dashboard.page(list + ".json").contains(
                "{\"bytes\":31,\"path\":\"transcript.log\",\"role\":\"transcript\"}"))
    }

    @Test func `a file is kept and never shown as a page`() async throws {
        let dashboard = try SampleDashboard()
        let target = "/runs/\(Self.run)/evidence?file=transcript.log"
        let reply = await dashboard.ask(target)
        #expect(reply.status == 200)
        let own = [
            "Cache-Control: no-store", "Content-Type: application/octet-stream", "Content-Length: 31",
            "Content-Disposition: attachment; filename=\"\(Self.run.short)-transcript.log\"",
        ]
        let guarded = ResponderTests.guarded.filter { !$0.hasPrefix("Content-Security-Policy") }
        let sandbox = ["Content-Security-Policy: default-src 'none'; frame-ancestors 'none'; sandbox"]
        #expect(reply.lines == (guarded + sandbox + own).sorted())
        #expect(try await dashboard.page(target) == String(decoding: SampleStore.log, as: UTF8.self))
    }

    @Test(arguments: [
        "manifest.json", "../transcript.log", "./transcript.log", "transcript.log/", "Transcript.log", "sources", "",
        "/etc/passwd",
        "transcript.log%00", "%2e%2e/kanmon.sqlite",
    ])
    func `what the manifest does not name is not there`(file: String) async throws {
        #expect(await (try SampleDashboard()).ask("/runs/\(Self.run)/evidence?file=\(file)").status == 404)
    }

    @Test(arguments: [
        ("page.html", "application/octet-stream", "page.html"),
        ("picture.svg", "application/octet-stream", "picture.svg"),
        ("shot.PNG", "image/png", "shot.PNG"), ("log.txt", "text/plain; charset=utf-8", "log.txt"),
        ("../../x\"\r\n.txt", "text/plain; charset=utf-8", ".._.._x___.txt"),
        ("cod.\u{202E}txt.exe", "application/octet-stream", "cod.___txt.exe"),
        (String(repeating: "n", count: 300) + ".jpeg", "image/jpeg", String(repeating: "n", count: 95) + ".jpeg"),
    ])
    func `what a test attached is a download of an inert kind, under a plain name`(
        name: String, type: String, fileName: String
    ) async throws {
        let (sample, run, target) = try attaching(name)
        let dashboard = try SampleDashboard(store: sample.store)
        let reply = await dashboard.ask(target)
        #expect(reply.status == 200)
        #expect(reply["Content-Type"] == type)
        #expect(reply["Content-Disposition"] == "attachment; filename=\"\(run.id.short)-\(fileName)\"")
        #expect(reply["X-Content-Type-Options"] == "nosniff")
        #expect(reply["Content-Security-Policy"]?.hasSuffix("; sandbox") == true)
        #expect(try await dashboard.page(target) == String(decoding: SampleStore.log, as: UTF8.self))
        // Its folder goes with it.
        withExtendedLifetime(sample) {}
    }

    @Test func `the pages of the run and of the test link what the test attached`() async throws {
        let (sample, run, target) = try attaching("<b>.txt")
        let dashboard = try SampleDashboard(store: sample.store)
        let id = run.tests[0].id
        let query = "project=\(run.project)&module=\(id.module)&suite=\(id.suite)&name=\(id.name)"
        for page in ["/runs/\(run.id)/tests?target=\(id.module)", "/test?\(query)"] {
            let html = try await dashboard.page(page)
            #expect(html.contains("&lt;b&gt;.<wbr>txt</bdi></a>"))
            #expect(!html.contains("<b>"))
            #expect(html.contains("href=\"\(target)\""))
        }
        #expect(
            try await dashboard.page("/test.json?\(query)").contains("\"mediaType\":\"text/plain; charset=utf-8\""))
        withExtendedLifetime(sample) {}
    }

    /// A run with one attachment, of the bytes of the log.
    private func attaching(_ name: String) throws -> (sample: SampleStore, run: TestRun, target: String) {
        let sample = try SampleStore()
        var run = SampleRuns.failing()
        let file = "attachments/\(Digest.sha256(SampleStore.log))"
        run.tests[0].attachments = [TestAttachment(name: name, path: file, bytes: SampleStore.log.count)]
        try sample.ingest(run)
        let folder = "\(sample.runDirectory(run.id))/attachments"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data(SampleStore.log).write(to: URL(filePath: "\(sample.runDirectory(run.id))/\(file)"))
        return (sample, run, "/runs/\(run.id)/evidence?file=\(file)")
    }

    @Test func `a changed file is not sent, and a missing directory is reported`() async throws {
        let sample = try SampleStore()
        try sample.ingest(SampleRuns.failing())
        let directory = sample.runDirectory(Self.run)
        let dashboard = try SampleDashboard(store: sample.store)
        try Data("other".utf8).write(to: URL(filePath: directory + "/transcript.log"))
        #expect(await dashboard.ask("/runs/\(Self.run)/evidence?file=transcript.log").status == 500)
        try FileManager.default.removeItem(atPath: directory)
        #expect(await dashboard.ask("/runs/\(Self.run)/evidence?file=transcript.log").status == 404)
        #expect(try await dashboard.page("/runs/\(Self.run)/evidence").contains("The run directory is gone."))
        #expect(await dashboard.ask("/runs/\(SampleRuns.id(50))/evidence").status == 404)
    }
}
