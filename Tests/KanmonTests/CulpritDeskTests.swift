import Foundation
import Gate
import Repository
import RunModel
import Storage
import TestSupport
import Testing

@testable import Application

/// Between which commits a search is made, and which searches are wanted.
@Suite struct CulpritDeskTests {
    private let history: CulpritHistory

    /// Five commits: the test passed on the first and, by chance, on the third, and fails on the last.
    init() async throws {
        history = try await CulpritHistory()
        try await history.commit("a", "b", "c", "d", "e")
        try await history.ingest(1, .passed, of: "main~4")
        try await history.ingest(2, .passed, of: "main~2")
        try await history.ingest(3, .failed, of: "main")
    }

    private func commit(_ revision: String) async throws -> String {
        try await history.folder.git("rev-parse", revision)
    }

    private func answer(good: String, bad: String, reason: CulpritSearch.Reason? = nil) throws {
        let culprit = Culprit(
            test: CulpritHistory.test, good: good, bad: bad,
            suspects: [Culprit.Suspect(commit: bad, subject: "s", author: "A", committedAt: SampleRuns.moment)],
            probability: 0.9993, reason: reason, runs: 9, builds: 5, duration: .seconds(1), foundAt: SampleRuns.moment)
        try history.store.add([ProjectCulprit(culprit, project: CulpritHistory.project)])
    }

    @Test func `ends that nobody named are those of stored runs, and one that is named is the end`() async throws {
        #expect(try await history.line() == ["c", "d", "e"])
        #expect(try await history.line(from: "main~4") == ["a", "b", "c", "d", "e"])
        #expect(try await history.line(from: "main~3") == ["b", "c", "d", "e"])
        #expect(try await history.line(to: "main~1") == ["c", "d"])
        #expect(try await history.line(to: "main~2") == ["a", "b", "c"])
        #expect(try await history.line(from: "main~4", to: "main~3") == ["a", "b"])
    }

    @Test func `ends that are none are refused`() async throws {
        for (good, bad) in [("main", "main~1"), ("main", "main"), ("none", "main"), ("main~1", "none")] {
            await #expect(throws: Problem.self, "\(good), \(bad)") { try await history.line(from: good, to: bad) }
        }
        // The only run that is stored of these passed.
        try await history.folder.git("checkout", "--quiet", "main~2")
        await #expect(throws: Problem.self) { try await history.line() }
        // Nothing is known of the time before.
        await #expect(throws: Problem.self) { try await history.line(to: "main~4") }
    }

    @Test func `a search is wanted until it was made, and again when another commit fails`() async throws {
        let (passed, failed) = (try await commit("main~2"), try await commit("main"))
        let wanted = CulpritDesk.Wanted(test: CulpritHistory.test, good: passed, bad: failed)
        #expect(try history.desk.wanted() == [wanted])
        #expect(try await history.desk.question(wanted).line.map(\.subject) == ["c", "d", "e"])
        try answer(good: passed, bad: failed, reason: .failsAtGoodEnd)
        #expect(try history.desk.wanted() == [])
        try await history.commit("f")
        try await history.ingest(4, .failed, of: "main")
        let again = CulpritDesk.Wanted(test: CulpritHistory.test, good: passed, bad: try await commit("main"))
        #expect(try history.desk.wanted() == [again])
        try answer(good: passed, bad: failed)
        #expect(try history.desk.wanted() == [])
        try await history.commit("g")
        try await history.ingest(5, .passed, of: "main")
        #expect(try history.desk.wanted() == [])
    }

    @Test func `where the branch was written anew, stored runs tell where a search begins`() async throws {
        try await history.branch("old", from: "main~2")
        try await history.commit("gone")
        let gone = CulpritDesk.Wanted(
            test: CulpritHistory.test, good: try await commit("old"), bad: try await commit("main"))
        #expect(try await history.desk.question(gone).line.map(\.subject) == ["c", "d", "e"])
    }

    @Test func `a test is found by its name or a part of it that is of no other`() throws {
        #expect(try history.desk.test(named: "counts") == CulpritHistory.test)
        #expect(try history.desk.test(named: CulpritHistory.test.description) == CulpritHistory.test)
        #expect(throws: Problem.self) { try history.desk.test(named: "CoreTests") }
        #expect(throws: Problem.self) { try history.desk.test(named: "none") }
    }
}
