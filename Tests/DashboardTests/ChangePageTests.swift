import Foundation
import Pages
import RunModel
import Storage
import TestSupport
import Testing

@testable import Dashboard
@testable import Gate

/// The page of a branch that is a change: what it does to the branch that it was made for.
@Suite struct ChangePageTests {
    private let sample: SampleStore

    init() throws { sample = try SampleStore() }

    /// Stores a run of a branch; tests take as long as is said, and some are there only then.
    private func ingest(
        _ number: Int, on branch: String, lasting time: Duration = .milliseconds(10), base: RunID? = nil,
        _ edit: (inout TestRun) -> Void = { _ in }
    ) throws {
        var run = SampleRuns.passing(number)
        run.revision?.branch = branch
        run.revision?.author = "Ana <b>Souza</b>"
        for index in run.tests.indices where run.tests[index].outcome == .passed {
            run.tests[index].attempts = [TestAttempt(outcome: .passed, duration: time)]
        }
        edit(&run)
        var verdict = SampleStore.verdict(run)
        verdict.base = BaseReview(commit: BaseCommit(commit: "0a", kind: .mergeBase, name: "main"))
        if let base {
            verdict.change = ChangeStatus(
                base: BaseCommit(commit: String(repeating: "0a", count: 20), kind: .mergeBase, name: "main"),
                baseRun: base, lines: CoverageTally(covered: 2, total: 5),
                files: [
                    ChangedFile(
                        path: "Sources/Core/Core.swift", tally: CoverageTally(covered: 2, total: 5), missed: [8...10])
                ])
        }
        _ = try sample.store.ingest(run, verdict: verdict, runDirectory: nil)
    }

    private func page(_ branch: String, isData: Bool = false) async throws -> String {
        let route = Route.branch(branch, project: SampleRuns.passing().project)
        return try await SampleDashboard(store: sample.store).page(Address(route, isData: isData).href)
    }

    @Test func `a change is compared with the run of its base, line by line, test by test`() async throws {
        try ingest(1, on: "main")
        try ingest(2, on: "main")
        try ingest(3, on: "topic/関門", lasting: .seconds(1), base: SampleRuns.id(1)) { $0.tests.removeFirst() }
        let text = try await page("topic/関門")
        #expect(text.contains("What it changes") && text.contains("against run \(SampleRuns.id(1).short)"))
        #expect(text.contains("Ana &lt;b&gt;Souza&lt;/"))
        #expect(text.contains("<strong>2 of 5 changed lines are covered (40.0 %)</strong>"))
        #expect(text.contains("<bdi>Removed:") && text.contains("<bdi>Slower:"))
        let data = try await page("topic/関門", isData: true)
        #expect(data.contains("\"change\":{") && data.contains("\"beforeNanoseconds\":10000000,"))
        #expect(data.contains("\"missed\":[[8,10]]"))
    }

    @Test func `without a run of its base it is compared with the latest of the default branch`() async throws {
        try ingest(1, on: "main")
        try ingest(2, on: "main")
        try ingest(3, on: "topic", base: SampleRuns.id(99))
        #expect(try await page("topic").contains("against run \(SampleRuns.id(2).short)"))
    }

    @Test func `the default branch, and a change without any other run, are compared with nothing`() async throws {
        try ingest(3, on: "topic")
        #expect(try await !page("topic").contains("What it changes"))
        try ingest(4, on: "main")
        #expect(try await !page("main").contains("What it changes"))
        #expect(try await !page("main", isData: true).contains("\"change\""))
    }

    @Test func `the first page leads to changes, those of nobody else's projects`() async throws {
        try ingest(1, on: "main")
        try ingest(3, on: "topic")
        let dashboard = try SampleDashboard(store: sample.store)
        let home = try await dashboard.page("/")
        let project = SampleRuns.passing().project
        #expect(
            home.contains("Latest changes")
                && home.contains(Route.branch("topic", project: project).href.replacing("&", with: "&amp;")))
        #expect(!home.contains("<h2>Latest changes</h2>\n<p"))
    }
}
