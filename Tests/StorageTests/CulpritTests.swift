import Foundation
import Gate
import RunModel
import TestSupport
import Testing

@testable import Storage

/// What searches for the commits that broke tests have found.
@Suite struct CulpritTests {
    private let place: TemporaryStore
    private let project = SampleRuns.passing().project
    private let test = SampleRuns.passing().tests[0].id

    init() throws { place = try TemporaryStore() }

    private func name(_ letter: Character) -> String { String(repeating: letter, count: 40) }

    /// An answer of the n-th second; without a commit one that names none.
    private func culprit(
        _ number: Int, good: Character = "a", bad: Character = "d", commit: Character? = "c", of test: TestID? = nil
    ) -> Culprit {
        Culprit(
            test: test ?? self.test, good: name(good), bad: name(bad),
            suspects: commit.map { commit in
                [
                    Culprit.Suspect(
                        commit: name(commit), subject: SampleRuns.hostile, author: "Ana",
                        committedAt: SampleRuns.moment)
                ]
            } ?? [],
            probability: 0.9993, reason: commit == nil ? .failsAtGoodEnd : nil, runs: 9, builds: 5,
            duration: .seconds(125), foundAt: SampleRuns.moment.addingTimeInterval(Double(number)))
    }

    @Test func `the newest answer between two commits is kept, the newest of all first`() throws {
        let store = try place.open()
        let other = culprit(2, bad: "e", of: TestID(module: "A", suite: "", name: "b"))
        for found in [culprit(1), other, culprit(3, commit: "b")] { try store.add(found, project: project) }
        #expect(try store.culprits(project: project, limit: 10) == [culprit(3, commit: "b"), other])
        #expect(try store.culprits(project: project, limit: 1) == [culprit(3, commit: "b")])
        #expect(try store.culprits(project: "other", limit: 10) == [])
        #expect(try store.culprits(commit: name("b"), project: project, limit: 10) == [culprit(3, commit: "b")])
        #expect(try store.culprits(commit: name("c"), project: project, limit: 10) == [other])
        #expect(try store.culprits(commit: name("c"), project: "other", limit: 10) == [])
    }

    @Test func `a test that passed last where the search began is answered, by answers with a name alone`() throws {
        let store = try place.open()
        try store.add(culprit(1), project: project)
        try store.add(culprit(2, bad: "e", commit: nil), project: project)
        #expect(try store.culprit(of: test, project: project, lastPassedOn: name("a")) == culprit(1))
        #expect(try store.culprit(of: test, project: project, lastPassedOn: name("b")) == nil)
        #expect(try store.culprit(of: test, project: project, lastPassedOn: nil) == nil)
        #expect(try store.culprit(of: test, project: "other", lastPassedOn: name("a")) == nil)
    }

    private func ingest(_ number: Int, _ commit: Character, _ outcome: Outcome, into store: RunStore) throws {
        var run = SampleRuns.passing(number)
        run.revision?.commit = name(commit)
        run.revision?.tree = name(commit)
        run.tests[0].outcome = outcome
        run.tests[0].attempts = [TestAttempt(outcome: outcome)]
        try store.ingest(run)
    }

    @Test func `a regression and the past of a later run say what was found`() throws {
        let store = try place.open()
        try ingest(1, "a", .passed, into: store)
        try ingest(2, "d", .failed, into: store)
        func found() throws -> [Culprit?] {
            try store.regressions(of: [test], project: project, branch: "main", runs: 9).map(\.culprit)
        }
        #expect(try found() == [nil])
        try store.add(culprit(3), project: project)
        #expect(try found() == [culprit(3)])
        let (before, after) = (SampleRuns.passing(2), SampleRuns.passing(4))
        #expect(try store.past(of: [test], before: after).culprits == [culprit(3)])
        // Of what was found out later nothing is said.
        #expect(try store.past(of: [test], before: before).culprits == [])
    }

    @Test func `answers go with the name of their project`() throws {
        let store = try place.open()
        try ingest(1, "a", .passed, into: store)
        try store.add(culprit(1), project: project)
        try store.add(culprit(2), project: "new")
        #expect(try store.rename(project: project, to: "new"))
        #expect(try store.culprits(project: "new", limit: 9) == [culprit(1)])
        #expect(try store.culprits(project: project, limit: 9) == [])
        _ = try store.remove(project: "new", isDryRun: false)
        #expect(try store.culprits(project: "new", limit: 9) == [])
    }

    @Test func `how a test ended on trees is told of full runs that answer for them`() throws {
        let store = try place.open()
        try ingest(1, "a", .passed, into: store)
        try ingest(2, "b", .failed, into: store)
        try ingest(3, "c", .skipped, into: store)
        var recovered = SampleRuns.passing(4)
        recovered.revision?.tree = name("d")
        recovered.inputs = RunInputs(platform: "p", checkout: "c", environment: "e", settings: "s")
        recovered.tests[0].attempts = [TestAttempt(outcome: .failed), TestAttempt(outcome: .passed)]
        try store.ingest(recovered)
        var partial = SampleRuns.passing(5)
        partial.selection = Selection(filters: ["x"])
        try store.ingest(partial)
        var changed = SampleRuns.passing(6)
        changed.revision?.tree = nil
        try store.ingest(changed)
        #expect(
            try store.executions(of: test, project: project, runs: 9) == [
                TreeExecution(tree: name("d"), outcome: .passed, hasRecovered: true, inputs: recovered.inputs),
                TreeExecution(tree: name("b"), outcome: .failed, hasRecovered: false, inputs: nil),
                TreeExecution(tree: name("a"), outcome: .passed, hasRecovered: false, inputs: nil),
            ])
        #expect(try store.executions(of: test, project: project, runs: 2).count == 1)
        #expect(try store.executions(of: test, project: "other", runs: 9) == [])
    }
}
