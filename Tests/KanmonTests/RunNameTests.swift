import Gate
import RunModel
import Storage
import TestSupport
import Testing

@testable import Application

@Suite struct RunNameTests {
    @Test func `a run that is named by a commit is told as it was judged for that commit`() async throws {
        func verdict(_ decision: Decision) -> Verdict {
            Verdict(decision: decision, violations: [], gaps: [], modules: [], policy: Policy())
        }
        let folder = try TestFolder()
        let store = try RunStore(path: "\(folder.path)/kanmon.sqlite")
        let run = SampleRuns.passing()
        _ = try store.ingest(run, verdict: verdict(.failed), runDirectory: nil)
        let commit = String(repeating: "ab", count: 20)
        var later = try #require(run.revision)
        later.commit = commit
        try store.add(verdict(.passed), of: run.id, on: later, at: SampleRuns.moment)

        let stored = StoredRuns(
            Home(folder.path, process: folder.process), process: folder.process)
        func find(_ name: String) async throws -> [String?] {
            let found = try await stored.find(RunName(text: name, package: "."))
            return [found.verdict.decision.rawValue, found.run.revision?.commit]
        }
        #expect(try await find(commit) == ["passed", commit])
        #expect(try await find(run.id.description) == ["failed", run.revision?.commit])
        #expect(try await find(run.revision?.commit ?? "") == ["failed", run.revision?.commit])
    }
}
