import Foundation
import Pages
import RunModel
import TestSupport
import Testing

@testable import Dashboard
@testable import Gate
@testable import Storage

/// Display names, and the lines of a change, on pages as the router answers them.
@Suite struct DisplayNamesTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "kanmon-names-\(UUID())")
    private let dashboard: SampleDashboard
    private let run: TestRun
    private let test = TestID(module: "CoreTests", suite: "Flags", name: "counts()")
    private let title = "the parser › counts がぎ flags"

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let store = try RunStore(path: folder.appending(path: "kanmon.sqlite").path())
        var earlier = SampleRuns.passing(1)
        earlier.tests = [
            TestResult(
                id: test, library: .swiftTesting, outcome: .passed, displayName: "counts がぎ flags",
                suiteDisplayName: "the parser",
                attempts: [TestAttempt(outcome: .passed, duration: .milliseconds(3))])
        ]
        var later = SampleRuns.passing(2)
        later.tests = earlier.tests
        later.tests[0].outcome = .failed
        later.tests[0].attempts[0].outcome = .failed
        run = later
        var verdict = try Verdict(judging: later, by: Policy())
        verdict.change = ChangeStatus(
            base: BaseCommit(commit: String(repeating: "0a", count: 20), kind: .mergeBase, name: "origin/main"),
            lines: CoverageTally(covered: 1, total: 3),
            files: [
                ChangedFile(
                    path: "Sources/Core/Core.swift", tally: CoverageTally(covered: 1, total: 3), missed: [8...9],
                    added: [7...9])
            ])
        _ = try store.ingest(earlier, verdict: Verdict(judging: earlier, by: Policy()), runDirectory: nil)
        _ = try store.ingest(later, verdict: verdict, runDirectory: nil)
        dashboard = try SampleDashboard(store: store)
    }

    private func remove() { try? FileManager.default.removeItem(at: folder) }

    @Test(arguments: ["counts か\u{3099}き\u{3099} FLAGS", "the parser", "Flags/counts"])
    func `search finds a test by its name, by that of its suite and by its identity`(text: String) async throws {
        defer { remove() }
        let page = try await dashboard.page(Route.search(text).href)
        #expect(page.contains(title))
        #expect(page.contains("<small><bdi>CoreTests.Flags/counts()</bdi></small>"))
        let data = try await dashboard.page(Route.search(text).href.replacing("/search", with: "/search.json"))
        #expect(data.contains("\"title\":\"\(title)\""))
    }

    @Test func `lists and pages show the name as title and the identity next to it`() async throws {
        defer { remove() }
        let project = run.project
        let routes: [Route] = [
            .test(test, project: project), .list(.slow, project: project), .project(project), .home(),
            .compare(SampleRuns.id(1), run.id), .run(run.id),
        ]
        for route in routes {
            let page = try await dashboard.page(route.href).replacing("<wbr>", with: "")
            #expect(page.contains(title), "\(route.href)")
            #expect(page.contains("CoreTests.Flags/counts()"), "\(route.href)")
        }
        let tests = try await dashboard.page(Route.tests(run.id, target: "CoreTests").href)
        #expect(tests.contains("the parser") && tests.contains("<small><bdi>Flags</bdi></small>"))
        #expect(tests.contains("counts がぎ flags") && tests.contains("<small><bdi>counts()</bdi></small>"))
    }

    @Test func `the missed lines of a change lead to the source, and a run without a base says so`() async throws {
        defer { remove() }
        let page = try await dashboard.page(Route.run(run.id).href)
        #expect(page.contains("<strong>1 of 3 changed lines are covered (33.3 %)</strong>"))
        let line = (Route.source(run.id, path: "Sources/Core/Core.swift").href + "#L8").replacing("&", with: "&amp;")
        #expect(page.contains("missed <a href=\"\(line)\">8–9</a>"))
        let first = try await dashboard.page(Route.run(SampleRuns.id(1)).href)
        #expect(first.contains("No base is known, so changed lines cannot be shown"))
    }
}
