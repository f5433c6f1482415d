import Foundation
import Gate
import Pages
import RunModel
import Storage
import TestSupport
import Testing

@testable import Dashboard

/// Which tests execute a line, on pages and as data.
@Suite struct WhoPageTests {
    private let sample: SampleStore
    private let run: TestRun

    init() throws {
        sample = try SampleStore()
        var run = SampleRuns.passing()
        var map = SampleMaps.map
        map.files[0].path = SampleStore.core
        run.testMap = map
        run.tests = SampleMaps.tests.enumerated().map { index, test in
            TestResult(
                id: test, library: .xctest, outcome: .passed,
                attempts: [TestAttempt(outcome: .passed, duration: .milliseconds(30 - index))])
        }
        // The last line of a function, as far as the map says.
        let index = try #require(run.coverage?.files.firstIndex { $0.path == SampleStore.core })
        run.coverage?.files[index].lines.append(LineCount(line: 9, count: ExecutionCount(0)))
        self.run = run
        try sample.ingest(run)
    }

    private func page(_ route: Route, isData: Bool = false) async throws -> String {
        try await SampleDashboard(store: sample.store).page(Address(route, isData: isData).href)
    }

    @Test func `a source page has the number of tests of each line, with a link to their names`() async throws {
        let text = try await page(.source(run.id, path: SampleStore.core))
        let href = Route.who(run.id, path: SampleStore.core, line: 3).href.replacing("&", with: "&amp;")
        #expect(text.contains("<td class=\"tests\"><a href=\"\(href)\" aria-label=\"2 tests execute it\""))
        #expect(text.contains("Line, tests that execute it, executions, text"))
        let heads = text.matches(of: /<th scope="col" class="\w+">(\w+)<\/th>/).map { String($0.output.1) }
        #expect(heads == ["Line", "Tests", "Executed", "Source"])
    }

    @Test func `a line's page lists its tests, the fastest first, and the functions around it`() async throws {
        let text = try await page(.who(run.id, path: SampleStore.core, line: 7))
        #expect(text.contains("1 test of the 3 that were recorded execute this line."))
        #expect(text.contains("three()") && text.contains("lines 3–9"))
        let missed = try await page(.who(run.id, path: SampleStore.core, line: 9))
        #expect(missed.contains("No test of this run executes this line."))
        #expect(missed.contains("Tests that execute the function around it"))
        let comment = try await page(.who(run.id, path: SampleStore.core, line: 25))
        #expect(comment.contains("This line is not executable, such as a comment or a blank line."))
        let there = try await page(.who(run.id, path: SampleStore.core, line: 25), isData: true)
        #expect(there.contains("\"isExecutable\":false"))
        let last = try #require(missed.range(of: "three()")), first = try #require(missed.range(of: ">one<"))
        #expect(last.lowerBound < first.lowerBound)
    }

    @Test func `a line that only tests without a record execute is not called one that no test executes`()
        async throws
    {
        var more = run
        more.id = SampleRuns.id(3)
        more.tests.append(
            TestResult(
                id: TestID(module: "CoreTests", suite: "", name: "four()"), library: .swiftTesting, outcome: .passed,
                attempts: [TestAttempt(outcome: .passed)]))
        try sample.ingest(more)
        let words = "This line was executed, but by no test that was recorded."
        let line = try await page(.who(more.id, path: SampleStore.core, line: 6))
        #expect(line.contains(words) && line.contains("1 more test ran without being recorded."))
        // Of this file no function is in the map.
        let other = "Sources/tool/main.swift"
        #expect(try await page(.who(more.id, path: other, line: 1)).contains(words))
        let data = try await page(.who(more.id, path: other, line: 1), isData: true)
        #expect(data.contains("\"isExecuted\":true") && data.contains("\"unrecorded\":1"))
        #expect(data.contains("\"tests\":[]"))
    }

    @Test func `the data has the same, and what is not known is not found`() async throws {
        let data = try await page(.who(run.id, path: SampleStore.core, line: 9), isData: true)
        #expect(
            data.contains("\"recorded\":3") && data.contains("\"tests\":[]") && data.contains("\"testsOfFunction\":[{"))
        #expect(data.contains("\"isExecuted\":false") && data.contains("\"unrecorded\":0"))
        let dashboard = try SampleDashboard(store: sample.store)
        for path in ["Sources/Core/Nowhere.swift", "../manifest.json", "<script>"] {
            #expect(await dashboard.ask(Route.who(run.id, path: path, line: 1).href).status == 404)
        }
        for query in ["path=a", "path=a&at=0", "path=a&at=-1", "path=a&at=x", "path=a&at=01", "at=1"] {
            #expect(await dashboard.ask("/runs/\(run.id)/who?\(query)").status == 400)
        }
    }

    @Test func `the ledger of a project that is not there is not found`() async throws {
        let dashboard = try SampleDashboard(store: sample.store)
        for isData in [false, true] {
            let known = Address(.list(.selection, project: run.project), isData: isData)
            #expect(await dashboard.ask(known.href).status == 200)
            let other = Address(.list(.selection, project: "nowhere"), isData: isData)
            #expect(await dashboard.ask(other.href).status == 404)
        }
    }

    @Test func `a test's page has what it executes, and a module's what one test alone executes`() async throws {
        let test = try await page(.test(SampleMaps.tests[2], project: run.project))
        #expect(test.contains(">Executes<") && test.contains("7 lines in 2 files"))
        var judged = run
        judged.id = SampleRuns.id(2)
        _ = try sample.store.ingest(judged, verdict: try Verdict(judging: judged, by: Policy()), runDirectory: nil)
        let module = try await page(.coverage(judged.id, module: "Core"))
        #expect(module.contains("Executed by one test only") && module.contains("$s4Core1fyyFU_"))
    }
}
