import RunModel
import TestSupport
import Testing

@testable import Dashboard
@testable import Storage

/// What pages read of a run.
@Suite struct PageCostTests {
    @Test func `a page reads of a run what it shows, and nothing else`() async throws {
        let facts = PageQuery.runDetails.rawValue
        let results = PageQuery.results.rawValue
        let coverage = PageQuery.coverage.rawValue
        let findings = PageQuery.findings.rawValue
        let run = "/runs/\(SampleRuns.passing().id)"
        let project = "project=\(SampleRuns.passing().project)"
        let file = "path=\(SampleStore.core)"
        let pages: [(target: String, others: Set<String>)] = [
            ("/exceptions?\(project)", [results, coverage, findings]),
            ("/known-issues?\(project)", [facts, coverage, findings]),
            ("/exclusions?\(project)", [results, findings]),
            ("\(run)/policy", [facts, results, coverage, findings]),
            ("\(run)/policy.json", [facts, results, coverage, findings]),
            ("\(run)/coverage", [results, findings]),
            ("\(run)/coverage.json", [results, findings]),
            ("\(run)/source?\(file)", [results, findings]),
            ("\(run)/source.json?\(file)", [results, findings]),
        ]
        let path = try SampleStore.three.get().store.path
        for (target, others) in pages {
            let trace = StatementTrace()
            let dashboard = try SampleDashboard(store: try RunStore(readOnly: path, trace: trace))
            #expect(await dashboard.ask(target).status == 200, "\(target)")
            #expect(others.isDisjoint(with: trace.figures.keys), "\(target)")
        }
    }
}
