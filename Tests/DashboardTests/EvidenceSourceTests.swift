import HTTPTypes
import Pages
import RunModel
import Synchronization
import Testing

@testable import Dashboard

/// Pages of runs whose files are kept elsewhere.
@Suite struct EvidenceSourceTests {
    private static let run = ResponderTests.run

    /// The runs whose files were asked for, and fetched.
    private final class Requests: Sendable {
        private let runs = Mutex<[RunID]>([])

        var all: [RunID] { runs.withLock { $0 } }

        func add(_ run: RunID) { runs.withLock { $0.append(run) } }
    }

    @Test func `pages say which runs they need files of, and others of none`() {
        let routes = ServedPages.samples(of: Self.run) + [.coverage(Self.run, module: "m")]
        let needing = routes.filter { $0.served.evidence(asData: false) == [Self.run] }
        #expect(
            Set(needing) == [
                .run(Self.run), .source(Self.run, path: "p"), .who(Self.run, path: "p", line: 1),
                .coverage(Self.run, module: "m"), .evidence(Self.run, file: "f"),
            ])
        #expect(routes.allSatisfy { [[], [Self.run]].contains($0.served.evidence(asData: false)) })
        let data = routes.filter { !$0.served.evidence(asData: true).isEmpty }
        #expect(Set(data) == [.who(Self.run, path: "p", line: 1), .evidence(Self.run, file: "f")])
    }

    @Test func `files that are elsewhere are fetched before the page is made, and only then`() async throws {
        let (asked, fetched) = (Requests(), Requests())
        let source = EvidenceSource { run in
            asked.add(run)
            return !fetched.all.contains(run)
        } bring: {
            fetched.add($0)
        }
        let dashboard = try SampleDashboard(evidence: source)
        for target in ["/runs/\(Self.run).json", "/runs/\(Self.run)/coverage", "/runs/\(Self.run)/evidence.json", "/"] {
            _ = try await dashboard.send(.get, target)
        }
        #expect(asked.all == [] && fetched.all == [])
        for _ in 0..<2 {
            let status = try await dashboard.send(.get, "/runs/\(Self.run)").status
            #expect(status == 200)
        }
        #expect(asked.all == [Self.run, Self.run] && fetched.all == [Self.run])
    }

    @Test func `a page says why files cannot be fetched, and that it may be asked for again`() async throws {
        let source = EvidenceSource { _ in
            true
        } bring: { _ in
            throw EvidenceUnavailable("the object store does not have its file <b>")
        }
        let dashboard = try SampleDashboard(evidence: source)
        let page = try await dashboard.send(.get, "/runs/\(Self.run)")
        #expect(page.status == 503 && page["retry-after"] == "10")
        #expect(page.text.contains("the object store does not have its file &lt;b&gt;."), "\(page.text)")
        let data = try await dashboard.send(.get, "/runs/\(Self.run).json")
        #expect(data.status == 200)
    }
}
