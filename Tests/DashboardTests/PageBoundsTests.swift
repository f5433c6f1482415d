import Foundation
import Gate
import HTTPTypes
import Pages
import RunModel
import Storage
import TestSupport
import Testing

@testable import Dashboard

/// What a page costs at most, whatever the run is that a machine has delivered.
@Suite struct PageBoundsTests {
    private let sample: SampleStore

    init() throws { sample = try SampleStore() }

    private static let path = "Sources/Core/Large.swift"
    private static let lineFeed = UInt8(ascii: "\n")

    /// A run that failed at the same line of two sources.
    private static func failing() -> TestRun {
        var run = SampleRuns.failing()
        run.tests = [path, SampleStore.core].map { path in
            TestResult(
                id: TestID(module: "CoreTests", suite: "", name: path), library: .xctest, outcome: .failed,
                attempts: [
                    TestAttempt(
                        outcome: .failed,
                        issues: [Issue(message: "no", location: SourceLocation(path: path, line: 2))])
                ])
        }
        return run
    }

    @Test func `a source that is too large has no text on any page, and the pages say so or go without`() async throws {
        let run = Self.failing()
        let large = Array(repeating: Self.lineFeed, count: SourceText.largest + 1)
        try sample.ingest(run, keeping: [(Self.path, large), (SampleStore.core, SampleStore.text)])
        let dashboard = try SampleDashboard(store: sample.store)
        let source = try await dashboard.send(.get, Route.source(run.id, path: Self.path).href)
        #expect(source.status == 200)
        #expect(source.text.contains("This file is too large to be shown: the limit is 4 MiB."))
        #expect(!source.text.contains("id=\"L1\""))
        // The excerpt of the other one is there.
        let page = try await dashboard.send(.get, Route.run(run.id).href)
        #expect(page.status == 200)
        #expect(page.text.contains("let pattern: String"))
        let all = try sample.store.sources(of: run.id, [Self.path, SampleStore.core])
        #expect(all == [nil, SampleStore.text])
    }

    @Test func `the sources of one page have a limit all together`() throws {
        let run = SampleRuns.passing()
        let sources: [(String, [UInt8])] = [("a", [1, 1, 1]), ("b", [2, 2, 2, 2]), ("c", [3, 3]), ("d", [4])]
        try sample.ingest(run, keeping: sources)
        let found = try sample.store.sources(of: run.id, ["a", "b", "c", "d", "a"], most: 6)
        #expect(found == [[1, 1, 1], nil, [3, 3], [4], nil])
    }

    @Test func `reading sources is given up when nobody waits`() async throws {
        let run = SampleRuns.passing()
        try sample.ingest(run, keeping: [("a", [1])])
        let store = sample.store
        await #expect(throws: (any Error).self) {
            try await RunStore.reading(until: { true }) { try store.checkAwaited() }
        }
    }

    @Test func `the lines of a file as data are limited, with a word about the rest`() throws {
        let run = SampleRuns.passing()
        let file = try #require(run.coverage?.files.first { $0.lines.count > 1 })
        let cut = FileResponse(file, isExcluded: false, lines: 1)
        #expect(cut.lines?.count == 1 && cut.linesLeftOut == file.lines.count - 1)
        let whole = FileResponse(file, isExcluded: false, lines: SourceFilePage.mostLines)
        #expect(whole.lines?.count == file.lines.count && whole.linesLeftOut == nil)
        let none = FileResponse(file, isExcluded: false)
        #expect(none.lines == nil && none.linesLeftOut == nil)
    }

    @Test func `a page of tests has a limit, and leads to the others`() async throws {
        var run = SampleRuns.passing()
        run.tests = (0...TestsPage.most).map { number in
            TestResult(
                id: TestID(module: "T", suite: "S", name: "t\(number)"), library: .xctest, outcome: .passed,
                attempts: [TestAttempt(outcome: .passed)])
        }
        try sample.ingest(run, keeping: nil)
        let dashboard = try SampleDashboard(store: sample.store)
        func rows(_ page: String) -> Int { page.components(separatedBy: "<tr class=\"").count - 1 }
        let next = Route.tests(run.id, target: "T", from: TestsPage.most + 1)
        let first = try await dashboard.page(Route.tests(run.id, target: "T").href)
        #expect(rows(first) == TestsPage.most)
        #expect(first.contains("<a href=\"\(next.href.replacing("&", with: "&amp;"))\"><bdi>and 1 more test</bdi></a>"))
        let second = try await dashboard.page(next.href)
        #expect(rows(second) == 1)
        let rest = try await dashboard.page(Address(next, isData: true).href)
        #expect(rest.components(separatedBy: "\"outcome\"").count == 2 && !rest.contains("\"next\""))
    }

    @Test func `a comparison lists the first tests of each kind, and counts the others`() async throws {
        let (before, after) = (SampleRuns.passing(1), SampleRuns.passing(2))
        var runs = [before, after]
        for index in runs.indices {
            runs[index].tests = (0...500).map { number in
                TestResult(
                    id: TestID(module: "T", suite: "S", name: "t\(number)"), library: .xctest,
                    outcome: index == 0 ? .passed : .failed,
                    attempts: [TestAttempt(outcome: index == 0 ? .passed : .failed)])
            }
            try sample.ingest(runs[index], keeping: nil)
        }
        let page = try await SampleDashboard(store: sample.store).page(Route.compare(before.id, after.id).href)
        #expect(page.contains("The first 500, and 1 more."))
        #expect(page.components(separatedBy: "name=t").count - 1 == 500)
    }
}
