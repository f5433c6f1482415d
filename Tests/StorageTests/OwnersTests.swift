import Gate
import RunModel
import TestSupport
import Testing

@testable import Storage

@Suite struct OwnersTests {
    private func contents(_ store: RunStore) throws -> Int {
        try store.read { try $0.statement("SELECT count(*) FROM content").first { $0.int(0) } ?? 0 }
    }

    private func judged(_ number: Int, _ text: String?) -> (run: TestRun, verdict: Verdict) {
        let run = SampleRuns.failing(number)
        var verdict = Verdict.sample(for: run)
        verdict.owners = text.map {
            CodeOwnersFile(path: "CODEOWNERS", form: .gitea, text: $0, commit: "c1", folder: "kit")
        }
        verdict.authors = FailureAuthors([FailureAuthors.Entry(test: run.failures[0].id, name: SampleRuns.hostile)])
        return (run, verdict)
    }

    @Test func `owners and authors are kept with a verdict, and one file of many runs once`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        let known = [
            judged(1, "a @a\n"), judged(2, "a @a\n"), judged(3, "a @a\n"), judged(4, "b @b\n"), judged(5, nil),
        ]
        for (run, verdict) in known.prefix(2) { _ = try store.ingest(run, verdict: verdict, runDirectory: nil) }
        let before = try contents(store)
        _ = try store.ingest(known[2].run, verdict: known[2].verdict, runDirectory: nil)
        #expect(try contents(store) == before)
        for (run, verdict) in known.suffix(2) { _ = try store.ingest(run, verdict: verdict, runDirectory: nil) }
        for (run, verdict) in known { #expect(try store.run(run.id)?.verdict == verdict) }
        #expect(try store.check() == [])
    }

    @Test func `a file that no run has any more is removed, and no other`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        for (run, verdict) in [judged(1, "a @a\n"), judged(2, "b @b\n"), judged(3, "b @b\n")] {
            _ = try store.ingest(run, verdict: verdict, runDirectory: nil)
        }
        func kept() throws -> Int {
            try store.read {
                try $0.statement("SELECT count(DISTINCT owners) FROM verdict").first { $0.int(0) } ?? 0
            }
        }
        #expect(try kept() == 2)
        let before = try contents(store)
        _ = try store.prune(keeping: Retention(newest: 2), isDryRun: false)
        #expect(try kept() == 1)
        #expect(try contents(store) < before)
        #expect(try store.run(SampleRuns.id(3))?.verdict == judged(3, "b @b\n").verdict)
        #expect(try store.check() == [])
    }
}
