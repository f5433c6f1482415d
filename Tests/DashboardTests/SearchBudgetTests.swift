import Pages
import RunModel
import Storage
import TestSupport
import Testing

@testable import Dashboard

/// How much one search looks at.
@Suite struct SearchBudgetTests {
    @Test func `each project has its share, and what one does not need is for those after it`() {
        var budget = SearchBudget(projects: 3, bytes: 3 << 20)
        budget.begin()
        let first = budget.most
        #expect(first > 0)
        budget.begin()
        // The first took nothing but its questions.
        #expect(budget.most > first)
        while budget.take(String(repeating: "x", count: 1_000)) {}
        #expect(budget.isSpent && budget.most == 0 && budget.mostLong == 0)
        budget.begin()
        #expect(!budget.isSpent && budget.most > first)
        budget.spend()
        #expect(budget.isSpent && !budget.take())
    }

    @Test func `thousands of projects in which there is nothing use it up`() {
        var budget = SearchBudget(projects: 100, bytes: 100)
        budget.begin()
        #expect(budget.isSpent)
        var none = SearchBudget(projects: 0)
        none.begin()
        #expect(!none.isSpent)
    }

    @Test func `a project with more tests than are looked at hides no other, and the answer says that it is cut`()
        async throws
    {
        let sample = try SampleStore()
        var large = SampleRuns.passing(1)
        large.project = "example/large"
        large.tests = (0..<2_000).map { number in
            TestResult(
                id: TestID(module: "LargeTests", suite: "Many", name: "test\(1_000 + number)URLRule"), library: .xctest,
                outcome: .passed, attempts: [TestAttempt(outcome: .passed)])
        }
        let small = SampleRuns.passing(2)
        for run in [large, small] { try sample.ingest(run) }
        let responder = try SampleDashboard(store: sample.store).responder
        let name = try #require(small.tests.first?.id.name)
        #expect(try await responder.findings("test2999URLRule").tests.map(\.project) == [large.project])
        let cut = try await responder.findings("test2999URLRule", bytes: 128 << 10)
        #expect(cut.isCut && cut.tests.isEmpty)
        let other = try await responder.findings(name, bytes: 128 << 10)
        #expect(other.isCut && other.tests.contains { $0.project == small.project })
    }
}
