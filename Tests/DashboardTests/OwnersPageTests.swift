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
    private func data(_ list: ProjectList, _ dashboard: SampleDashboard) async throws -> Any? {
        let text = try await dashboard.page(Address(.list(list, project: project), isData: true).href)
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
        for list in [ProjectList.flaky, .slow] {
            let tests = try #require(try await data(list, dashboard) as? [[String: Any]])
            #expect(!tests.isEmpty)
            #expect(tests.allSatisfy { $0["owners"] as? [String] == ["@tests"] })
            #expect(
                try await dashboard.page(Route.list(list, project: project).href)
                    .contains("owned by @tests"))
        }
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
