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

    private func add(_ culprit: Culprit, project: String? = nil, to store: RunStore) throws {
        try store.add([ProjectCulprit(culprit, project: project ?? self.project)])
    }

    @Test func `the newest answer between two commits is kept, the newest of all first`() throws {
        let store = try place.open()
        let other = culprit(2, bad: "e", of: TestID(module: "A", suite: "", name: "b"))
        for found in [culprit(1), other, culprit(3, commit: "b")] { try add(found, to: store) }
        #expect(try store.culprits(project: project, limit: 10) == [culprit(3, commit: "b"), other])
        #expect(try store.culprits(project: project, limit: 1) == [culprit(3, commit: "b")])
        #expect(try store.culprits(project: "other", limit: 10) == [])
        #expect(try store.culprits(commit: name("b"), project: project, limit: 10) == [culprit(3, commit: "b")])
        #expect(try store.culprits(commit: name("c"), project: project, limit: 10) == [other])
        #expect(try store.culprits(commit: name("c"), project: "other", limit: 10) == [])
    }

    @Test func `a commit without a name has broken nothing, and so has none that is named with others`() throws {
        let store = try place.open()
        try add(culprit(1, commit: nil), to: store)
        var several = culprit(2, bad: "e")
        several.suspects.append(several.suspects[0])
        try add(several, to: store)
        #expect(try store.culprits(project: project, limit: 10).count == 2)
        #expect(try store.culprits(commit: "", project: project, limit: 10) == [])
        #expect(try store.culprits(commit: name("c"), project: project, limit: 10) == [])
    }

    @Test func `of more answers than are kept the newest of each project are`() throws {
        let store = try place.open()
        func bad(_ number: Int) -> Culprit {
            var found = culprit(number)
            found.bad = "\(number)"
            return found
        }
        let most = RunStore.mostCulprits
        try store.add((0..<most).map { ProjectCulprit(bad($0), project: project) })
        try add(bad(0), project: "other", to: store)
        #expect(try store.culprits(project: project, limit: most).last == bad(0))
        try add(bad(most), to: store)
        let kept = try store.culprits(project: project, limit: most + 2)
        #expect(kept.count == most)
        #expect(kept.first == bad(most))
        #expect(kept.last == bad(1))
        #expect(try store.culprits(project: "other", limit: 9) == [bad(0)])
    }

    /// - Parameter branch: Where the commit is.
    private func ingest(
        _ number: Int, _ commit: Character, _ outcome: Outcome, branch: String = "main", into store: RunStore
    ) throws {
        try store.ingest(run(number, commit, outcome, branch: branch))
    }

    private func run(_ number: Int, _ commit: Character, _ outcome: Outcome, branch: String = "main") -> TestRun {
        var run = SampleRuns.passing(number)
        run.revision?.commit = name(commit)
        run.revision?.tree = name(commit)
        run.revision?.branch = branch
        run.tests[0].outcome = outcome
        run.tests[0].attempts = [TestAttempt(outcome: outcome)]
        return run
    }

    private func found(_ branch: String? = "main", in store: RunStore) throws -> [Culprit?] {
        try store.regressions(of: [test], project: project, branch: branch, runs: 9).map(\.culprit)
    }

    @Test func `a regression and the past of a later run say what was found`() throws {
        let store = try place.open()
        try ingest(1, "a", .passed, into: store)
        try ingest(2, "d", .failed, into: store)
        #expect(try found(in: store) == [nil])
        try add(culprit(3), to: store)
        #expect(try found(in: store) == [culprit(3)])
        #expect(try found(nil, in: store) == [culprit(3)])
        let later = run(4, "f", .failed)
        #expect(try store.past(of: [test], before: later).culprits == [culprit(3)])
        // Of what was found out later nothing is said, nor of tests that passed.
        #expect(try store.past(of: [test], before: run(2, "d", .failed)).culprits == [])
        #expect(try store.past(of: [test], before: run(4, "f", .passed)).culprits == [])
    }

    @Test func `an answer is of failures between the commits of its search alone`() throws {
        let store = try place.open()
        try ingest(1, "a", .passed, into: store)
        try ingest(2, "d", .failed, into: store)
        try add(culprit(3, good: "b"), to: store)
        try add(culprit(4, bad: "e", commit: nil), to: store)
        try add(culprit(5, of: TestID(module: "A", suite: "", name: "b")), to: store)
        try add(culprit(6), project: "other", to: store)
        #expect(try found(in: store) == [nil])
        try add(culprit(7), to: store)
        #expect(try found(in: store) == [culprit(7)])
        // Another branch left the first one where the test passed last, and broke it by a commit of its own.
        try ingest(8, "a", .passed, branch: "topic", into: store)
        try ingest(9, "f", .failed, branch: "topic", into: store)
        #expect(try found("topic", in: store) == [nil])
        // One that has the culprit itself has what it broke.
        try ingest(10, "c", .failed, branch: "topic", into: store)
        #expect(try found("topic", in: store) == [culprit(7)])
    }

    @Test func `answers go with the name of their project`() throws {
        let store = try place.open()
        try ingest(1, "a", .passed, into: store)
        try add(culprit(1), to: store)
        try add(culprit(2), project: "new", to: store)
        #expect(try store.rename(project: project, to: "new"))
        #expect(try store.culprits(project: "new", limit: 9) == [culprit(1)])
        #expect(try store.culprits(project: project, limit: 9) == [])
        _ = try store.remove(project: "new", isDryRun: false)
        #expect(try store.culprits(project: "new", limit: 9) == [])
        // One without a run is removed, too.
        try add(culprit(3), project: "none", to: store)
        #expect(try store.remove(project: "none", isDryRun: true) == [])
        #expect(try store.culprits(project: "none", limit: 9) == [culprit(3)])
        #expect(try store.remove(project: "none", isDryRun: false) == [])
        #expect(try store.culprits(project: "none", limit: 9) == [])
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
                TreeExecution(tree: name("b"), outcome: .failed, hasRecovered: false, inputs: SampleRuns.inputs),
                TreeExecution(tree: name("a"), outcome: .passed, hasRecovered: false, inputs: SampleRuns.inputs),
            ])
        #expect(try store.executions(of: test, project: project, runs: 2).count == 1)
        #expect(try store.executions(of: test, project: "other", runs: 9) == [])
    }
}
