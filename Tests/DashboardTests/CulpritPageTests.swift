import Access
import Foundation
import Gate
import HTTPTypes
import Pages
import RunModel
import Storage
import TestSupport
import Testing

@testable import Dashboard

/// What broke a test, on the pages of its project.
@Suite struct CulpritPageTests {
    private let sample: SampleStore
    private let test = SampleRuns.passing().tests[0].id
    private let project = SampleRuns.passing().project

    private static func name(_ letter: Character) -> String { String(repeating: letter, count: 40) }

    /// A test that passed on one commit, and fails on another; in between a commit broke it that no run is of.
    init() throws {
        sample = try SampleStore()
        try ingest(1, "a", .passed)
        try ingest(2, "d", .failed)
    }

    private func ingest(
        _ number: Int, _ commit: Character, _ outcome: Outcome, branch: String = "main", project: String? = nil
    ) throws {
        var run = SampleRuns.passing(number)
        run.project = project ?? run.project
        run.revision?.commit = Self.name(commit)
        run.revision?.tree = Self.name(commit)
        run.revision?.branch = branch
        run.tests[0].outcome = outcome
        run.tests[0].attempts = [TestAttempt(outcome: outcome)]
        try sample.ingest(run, keeping: nil)
    }

    private func add(_ commits: Character..., good: Character = "a", project: String? = nil) throws {
        let culprit = Culprit(
            test: test, good: Self.name(good), bad: Self.name("d"),
            suspects: commits.map { commit in
                Culprit.Suspect(
                    commit: Self.name(commit), subject: "Parse signs <b>", author: "Ana",
                    committedAt: SampleRuns.moment)
            },
            probability: 0.9993, merge: commits.count > 1 ? Self.name("e") : nil, runs: 9, builds: 5,
            duration: .seconds(125), foundAt: SampleRuns.moment)
        try sample.store.add([ProjectCulprit(culprit, project: project ?? self.project)])
    }

    private func page(_ route: Route, asData: Bool = false) async throws -> String {
        try await SampleDashboard(store: sample.store).page(Address(route, isData: asData).href)
    }

    @Test func `home and test say which commit broke a test, and its own page which tests it broke`() async throws {
        let address = Route.test(test, project: project)
        #expect(try await !page(.home()).contains("broke it"))
        #expect(try await !page(address).contains("Broken by"))
        try add("c", good: "b")
        #expect(try await !page(.home()).contains("broke it"))
        try add("d")
        for route in [Route.home(), .project(project), .branch("main", project: project)] {
            #expect(try await page(route).contains("commit dddddddddddd by Ana broke it (99.9 %)"), "\(route)")
        }
        let history = try await page(address)
        #expect(history.contains("With a probability of 99.9 %, by 9 runs of 5 commits in 2 min 5 s."))
        #expect(history.contains("Parse signs &lt;b&gt;") && !history.contains("Parse signs <b>"))
        // The run of the commit, where there is one.
        #expect(history.contains("<a href=\"/runs/\(SampleRuns.id(2))\"><bdi>dddddddddddd</bdi></a>"))
        #expect(try await page(.run(SampleRuns.id(2))).contains("Broken by this commit"))
        #expect(try await !page(.run(SampleRuns.id(1))).contains("Broken by this commit"))
        let data = try await page(.home(), asData: true)
        #expect(data.contains("\"culprit\":{"))
        #expect(data.contains("\"probability\":\"0.999\""))
        #expect(data.contains("\"commits\":[{\"author\":\"Ana\",\"commit\":\"\(Self.name("d"))\","))
    }

    @Test func `several commits are all named, and those of another project are nobody's`() async throws {
        try add("b", project: "other")
        #expect(try await !page(.home()).contains("broke it"))
        try add("b", "c")
        #expect(
            try await page(.home())
                .contains("bbbbbbbbbbbb or cccccccccccc, which eeeeeeeeeeee merged, broke it (99.9 %)"))
        let history = try await page(.test(test, project: project))
        #expect(history.contains("<code>bbbbbbbbbbbb</code>") && history.contains("<code>cccccccccccc</code>"))
        #expect(history.contains("It came with the merge eeeeeeeeeeee. Only the last of them can be tested"))
    }

    @Test func `a branch with a culprit of its own is told nothing of that of another one`() async throws {
        try ingest(4, "a", .passed, branch: "topic")
        try ingest(5, "f", .failed, branch: "topic")
        try add("d")
        #expect(try await page(.branch("main", project: project)).contains("broke it"))
        #expect(try await !page(.branch("topic", project: project)).contains("broke it"))
        // The newest run of the test is of that branch.
        #expect(try await !page(.test(test, project: project)).contains("Broken by"))
    }

    @Test func `who may read another project alone does not even learn that there is a culprit`() async throws {
        let tokens = try TokenFolder()
        // The same commit broke nothing there.
        try ingest(3, "d", .failed, project: "other")
        let (one, all) = (try tokens.token("one", .read, projects: ["other"]), try tokens.token("all", .read))
        let dashboard = try tokens.dashboard(store: sample)
        let routes = ["other", project].flatMap { name -> [Route] in
            [.project(name), .branch("main", project: name), .test(test, project: name)]
        }
        let addresses = (routes + [.home(), .wall, .run(SampleRuns.id(2)), .run(SampleRuns.id(3))]).flatMap { route in
            [Address(route).href, Address(route, isData: true).href]
        }
        func answers(_ secret: String) async throws -> [String] {
            var answers: [String] = []
            for address in addresses {
                let reply = try await dashboard.send(.get, address, token: secret)
                answers.append("\(address): \(reply.status) \(reply["ETag"] ?? "–") \(reply.text)")
            }
            return answers
        }
        let before = try await answers(one)
        try add("d")
        #expect(try await answers(one) == before)
        let seen = try await answers(all)
        #expect(seen.contains { $0.contains("broke it") } && seen.contains { $0.contains("Broken by this commit") })
    }
}
