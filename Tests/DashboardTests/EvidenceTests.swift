import Foundation
import RunModel
import TestSupport
import Testing

@testable import Dashboard

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
        #expect(reply.lines == (ResponderTests.guarded + own).sorted())
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
