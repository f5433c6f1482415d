import Foundation
import HTTPTypes
import Pages
import RunModel
import Storage
import Synchronization
import TestSupport
import Testing

@testable import Dashboard
@testable import Gate

/// The page and the data that compare two runs: which changed lines the later one covers.
@Suite struct ComparisonPageTests {
    private static let file = "Sources/Core/Core.swift"
    private let sample: SampleStore
    private let first = SampleRuns.passing(1)
    private let second = SampleRuns.passing(2)
    private let third = SampleRuns.passing(3)

    init() throws {
        sample = try SampleStore()
        try sample.ingest(first, keeping: nil)
        try sample.ingest(third, keeping: nil)
        var verdict = SampleStore.verdict(second)
        verdict.change = Self.change(since: first)
        _ = try sample.store.ingest(second, verdict: verdict, runDirectory: nil)
    }

    private static func change(since run: TestRun) -> ChangeStatus {
        ChangeStatus(
            base: BaseCommit(commit: String(repeating: "0a", count: 20), kind: .named, name: "run \(run.id.short)"),
            baseRun: run.id, lines: CoverageTally(covered: 2, total: 5),
            files: [ChangedFile(path: file, tally: CoverageTally(covered: 2, total: 5), missed: [8...10])])
    }

    private func page(
        _ before: TestRun, _ after: TestRun, _ changedLines: @escaping LineComparison
    ) async throws -> String {
        try await SampleDashboard(store: sample.store, changedLines: changedLines)
            .page(Route.compare(before.id, after.id).href)
    }

    @Test func `a run and its base are compared as the run was judged, with links to its lines`() async throws {
        let page = try await page(first, second) { _, _, _ in
            Issue.record("nobody is to be asked")
            return nil
        }
        #expect(page.contains("<strong>2 of 5 changed lines are covered (40.0 %)</strong>"))
        #expect(page.contains("against run \(first.id.short) at 0a0a0a0a0a0a"))
        #expect(page.contains("2 of 5, missed <a href=\"/runs/\(second.id)/source?path=\(Self.file)#L8\">8–10</a>"))
        let data = try await SampleDashboard(store: sample.store)
            .page(Address(.compare(first.id, second.id), isData: true).href)
        #expect(data.contains("\"changedLines\":{"))
        #expect(data.contains("\"missed\":[[8,10]]"))
    }

    @Test func `any other two runs are compared by a repository, or the page says that none knows them`() async throws {
        let known = try await page(first, third) { before, after, project in
            #expect(before == first.id && after == third.id && project == third.project)
            return Self.change(since: first)
        }
        #expect(known.contains("2 of 5 changed lines are covered") && known.contains("/runs/\(third.id)/source?"))
        let unknown = try await page(first, third) { _, _, _ in nil }
        let absence = "Changed lines are unknown: git here does not have the exact files of both runs"
        #expect(unknown.contains(absence))
        let data = try await SampleDashboard(store: sample.store)
            .page(Address(.compare(first.id, third.id), isData: true).href)
        #expect(!data.contains("changedLines"))
    }

    @Test func `what a repository tells is asked for again each time, since git changes without the store`()
        async throws
    {
        let hasFiles = Mutex(false)
        let known = Self.change(since: first)
        let dashboard = try SampleDashboard(
            store: sample.store, changedLines: { _, _, _ in hasFiles.withLock { $0 } ? known : nil })
        let target = Route.compare(first.id, third.id).href
        let before = try await dashboard.send(.get, target)
        #expect(before.text.contains("Changed lines are unknown"))
        hasFiles.withLock { $0 = true }
        let fields: HTTPFields = [.ifNoneMatch: before["ETag"] ?? "*"]
        let after = try await dashboard.send(.get, target, fields: fields)
        #expect(after.status == 200)
        #expect(after.text.contains("2 of 5 changed lines are covered"))
    }

    @Test func `a partial run says nothing of changed lines`() async throws {
        var part = SampleRuns.passing(4)
        part.selection.filters = ["Core"]
        try sample.ingest(part, keeping: nil)
        let page = try await page(first, part) { _, _, _ in
            Issue.record("nobody is to be asked")
            return nil
        }
        #expect(!page.contains("hanged lines"))
    }
}
