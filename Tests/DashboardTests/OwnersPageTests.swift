import Foundation
import Gate
import Pages
import RunModel
import TestSupport
import Testing

@testable import Dashboard
@testable import Storage

/// Whom to ask, on the pages of a project.
@Suite struct OwnersPageTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "kanmon-owners-\(UUID())")

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

    private func remove() { try? FileManager.default.removeItem(at: folder) }

    /// A project in which a test passed and then failed on the same tree, judged with a file of owners.
    private func dashboard(_ file: CodeOwnersFile?) throws -> SampleDashboard {
        let store = try RunStore(path: folder.appending(path: "kanmon.sqlite").path())
        for run in [SampleRuns.passing(1), SampleRuns.failing(2)] {
            var verdict = try Verdict(judging: run, by: Policy())
            verdict.owners = file
            _ = try store.ingest(run, verdict: verdict, runDirectory: nil)
        }
        return try SampleDashboard(store: store)
    }

    private var project: String { SampleRuns.passing().project }

    /// The data behind a list.
    private func data(
        _ list: ProjectListKind, of owner: String? = nil, _ dashboard: SampleDashboard
    ) async throws -> Any? {
        let route = Route.list(list, project: project, owner: owner)
        let text = try await dashboard.page(Address(route, isData: true).href)
        return (try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])?["data"]
    }

    @Test func `every owner has what needs a look of it, and the lists of tests name them`() async throws {
        defer { remove() }
        let file = CodeOwnersFile(
            path: "CODEOWNERS", form: .gitHub, text: "/Tests/ @tests\n/Sources/Core/ @core\n",
            commit: String(repeating: "c", count: 40))
        let dashboard = try dashboard(file)
        let answer = try #require(try await data(.owners, dashboard) as? [String: Any])
        #expect(answer["source"] as? String == "CODEOWNERS of cccccccccccc, by the rules of GitHub")
        #expect(answer["isCut"] as? Bool == false)
        let owners = try #require(answer["owners"] as? [[String: Any]])
        #expect(owners.map { $0["owner"] as? String } == ["@tests", "@core", nil])
        #expect((owners[0]["failed"] as? [Any])?.count == SampleRuns.failing().failures.count)
        #expect(owners[1]["lines"] as? [String: Int] == ["covered": 19, "total": 20])
        let page = try await dashboard.page(Route.list(.owners, project: project).href)
        #expect(page.contains("<bdi>@tests</bdi>"))
        for list in [ProjectListKind.flaky, .slow] {
            let tests = try #require(try await data(list, dashboard) as? [[String: Any]])
            #expect(!tests.isEmpty)
            #expect(tests.allSatisfy { $0["owners"] as? [String] == ["@tests"] })
            #expect(
                try await dashboard.page(Route.list(list, project: project).href)
                    .contains("owned by @tests"))
        }
    }

    @Test func `lists and the feed are kept to one owner, however many tests of others come first`() async throws {
        defer { remove() }
        let store = try RunStore(path: folder.appending(path: "kanmon.sqlite").path())
        for (number, outcome) in [(1, Outcome.passed), (2, Outcome.failed)] {
            var run = SampleRuns.passing(number)
            run.tests = (10..<70).map { Self.result("t\($0)()", "A.swift", outcome, .milliseconds(20)) }
            run.tests.append(Self.result("z()", "Z.swift", outcome, .milliseconds(1)))
            var verdict = try Verdict(judging: run, by: Policy())
            verdict.owners = CodeOwnersFile(
                path: "CODEOWNERS", form: .gitHub, text: "/Tests/ @tests\nZ.swift @z\n",
                commit: String(repeating: "c", count: 40))
            _ = try store.ingest(run, verdict: verdict, runDirectory: nil)
        }
        let dashboard = try SampleDashboard(store: store)
        for list in [ProjectListKind.flaky, .slow] {
            func names(of owner: String?) async throws -> [String?] {
                let tests = try #require(try await data(list, of: owner, dashboard) as? [[String: Any]])
                return tests.map { ($0["test"] as? [String: Any])?["name"] as? String }
            }
            #expect(try await names(of: nil).count == 50)
            #expect(try await !names(of: nil).contains("z()"))
            #expect(try await names(of: "@z") == ["z()"])
            #expect(try await names(of: "@tests").count == 50)
            #expect(try await names(of: "@Z") == [])
            let page = try await dashboard.page(Route.list(list, project: project, owner: "@Z").href)
            #expect(page.contains("Nothing in this list matches."))
            #expect(page.contains("name=\"owner\""))
        }
        func feed(_ owner: String) async throws -> String {
            try await dashboard.page(Route.feed(project: project, owner: owner).href)
        }
        let own = try await feed("@z")
        #expect(own.contains("<title>Regressions of \(project) for @z</title>"))
        #expect(own.contains("regressions.atom?project=example/video-kit&amp;owner=%40z</id>"))
        #expect(own.components(separatedBy: "<entry>").count == 2)
        #expect(own.contains("z() fails since"))
        #expect(try await !feed("@nobody").contains("<entry>"))
    }

    private static func result(
        _ name: String, _ file: String, _ outcome: Outcome, _ duration: Duration
    ) -> TestResult {
        TestResult(
            id: TestID(module: "CoreTests", suite: "A", name: name), library: .swiftTesting, outcome: outcome,
            location: SourceLocation(path: "Tests/CoreTests/\(file)", line: 1),
            attempts: [
                TestAttempt(
                    outcome: outcome, duration: duration,
                    issues: outcome.isFailure ? [Issue(message: "no")] : [])
            ])
    }

    @Test func `without a file nobody is known`() async throws {
        defer { remove() }
        let without = try dashboard(nil)
        let answer = try #require(try await data(.owners, without) as? [String: Any])
        #expect((answer["owners"] as? [Any])?.isEmpty == true)
        #expect(answer["source"] == nil)
        #expect(
            try await without.page(Route.list(.owners, project: project).href).contains("No owners are known."))
        #expect(try await !without.page(Route.list(.slow, project: project).href).contains("owned by"))
    }

    @Test func `a file that is not read is said`() async throws {
        defer { remove() }
        let file = CodeOwnersFile(path: "CODEOWNERS", form: nil, text: "", fault: "it is not UTF-8")
        let page = try await dashboard(file).page(Route.list(.owners, project: project).href)
        #expect(page.contains("CODEOWNERS is not read: it is not UTF-8. As it stood in"))
    }
}
