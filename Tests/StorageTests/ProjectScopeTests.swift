import Foundation
import Gate
import RunModel
import TestSupport
import Testing

@testable import Storage

/// Questions about some projects, beside many runs of another one that are all newer.
@Suite struct ProjectScopeTests {
    private let place: TemporaryStore
    private let store: RunStore
    private static let own = SampleRuns.passing().project
    private let scope = ProjectScope.named([Self.own, "none"])

    init() throws {
        place = try TemporaryStore()
        store = try place.open()
        for number in 1...3 { try ingest(number, of: Self.own) }
        for number in 4...30 { try ingest(number, of: "hidden") }
    }

    private func ingest(_ number: Int, of project: String, by token: String? = nil) throws {
        var run = SampleRuns.passing(number)
        run.project = project
        run.delivery = token.map {
            DeliveryRecord(token: $0, isAttested: false, receivedAt: SampleRuns.moment, address: nil)
        }
        _ = try store.ingest(run, verdict: try Verdict(judging: run, by: Policy()), runDirectory: nil)
    }

    private func ids(_ runs: [RunSummary]) -> [RunID] { runs.map(\.id) }

    @Test func `what is beyond the projects takes no place of a list`() throws {
        let own = [3, 2, 1].map { SampleRuns.id($0) }
        #expect(ids(try store.runs(in: scope, limit: 9)) == own)
        #expect(ids(try store.runs(in: scope, limit: 2)) == Array(own.prefix(2)))
        #expect(ids(try store.runs(in: scope, before: own[0], limit: 2)) == Array(own.dropFirst()))
        #expect(ids(try store.runs(RunFilter(branch: "main"), in: scope, limit: 9)) == own)
        #expect(ids(try store.runs(in: scope, order: ListOrder(.duration), limit: 2)) == Array(own.prefix(2)))
        #expect(ids(try store.runs(in: scope, order: ListOrder(.duration), limit: 9)) == own)
        #expect(ids(try store.runs(commit: "9f3c", in: scope, limit: 2)) == Array(own.prefix(2)))
        #expect(try store.runIDs(matching: "019b", in: scope, limit: 2) == Array(own.prefix(2)))
        #expect(try store.runIDs(matching: SampleRuns.id(30).short, in: scope) == [])
        #expect(try store.runIDs(matching: SampleRuns.id(30).short) == [SampleRuns.id(30)])
    }

    @Test func `the project of a run is found by two rows, however many projects there are`() throws {
        #expect(try store.project(of: SampleRuns.id(99)) == nil)
        let run = try #require(try store.runs(in: scope, order: ListOrder(.duration), limit: 1).first)
        #expect(try store.project(of: run.id) == run.project)
        let plan = try store.plan(of: PageQuery.projectOfRun.rawValue)
        #expect(plan.count == 2 && plan.allSatisfy { $0.hasPrefix("SEARCH ") }, "\(plan)")
    }

    @Test func `all projects are in the list of all`() throws {
        #expect(ids(try store.runs(in: .all, limit: 2)) == [SampleRuns.id(30), SampleRuns.id(29)])
        #expect(try store.runs(in: .all, limit: 99).count == 30)
        #expect(try store.runs(in: .all, order: ListOrder(.coverage), limit: 99).count == 30)
        #expect(try store.projectNames() == [Self.own, "hidden"].sorted())
        #expect(try store.project(named: Self.own)?.runs == 3)
        #expect(try store.project(named: "none") == nil)
    }

    @Test func `the projects of a token are those that it delivered to`() throws {
        try ingest(31, of: "x", by: "laptop")
        try ingest(32, of: "y", by: "laptop")
        try ingest(33, of: "y", by: "laptop")
        try ingest(34, of: "z", by: "other")
        let asked = [("laptop", "y"), ("laptop", "z"), ("nobody", "z")]
        let found = try asked.map { try store.projects(ofSender: $0, with: $1) }
        #expect(found.map(\.count) == [2, 2, 0])
        #expect(found.map(\.isOneOfThem) == [true, false, false])
    }

    @Test func `a project is removed with everything that only it has`() throws {
        let before = try store.runs(in: scope, limit: 9)
        #expect(try store.remove(project: "hidden", isDryRun: true).count == 27)
        #expect(try store.projects().map(\.runs).sorted() == [3, 27])
        #expect(try store.remove(project: "hidden", isDryRun: false).map(\.id).first == SampleRuns.id(30))
        #expect(try store.projects().map(\.name) == [Self.own])
        #expect(try store.runs(in: scope, limit: 9) == before)
        #expect(try store.remove(project: "hidden", isDryRun: false) == [])
    }

    @Test func `a project is renamed, but never to the name of another`() throws {
        #expect(try store.rename(project: "hidden", to: "seen"))
        #expect(try store.project(named: "seen")?.runs == 27)
        #expect(try !store.rename(project: "hidden", to: "other"))
        #expect(throws: StorageError.nameTaken(path: place.path, name: "seen")) {
            try store.rename(project: Self.own, to: "seen")
        }
    }
}
