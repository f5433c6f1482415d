import Gate
import Pages
import RunModel
import Storage

extension DashboardResponder {
    /// Who owns tests, as the latest run of all tests on the default branch says; those of nobody are missing.
    func owners(of tests: [TestID], project: String) async throws -> [TestID: [String]] {
        guard !tests.isEmpty else { return [:] }
        try demand(project)
        guard let latest = try latestState(of: project).run, try store.mayHaveOwners(latest.id),
            let judged = try store.run(latest.id, RunPart(tests: .none, files: .none)),
            judged.verdict.owners != nil || !judged.verdict.quarantine.isEmpty
        else { return [:] }
        var run = judged.run
        run.tests = try store.results(of: tests, in: run.id)
        let owners = RunOwners(run, judged.verdict, others: run.tests)
        var found: [TestID: [String]] = [:]
        for test in run.tests {
            let names = owners.names(of: test)
            if !names.isEmpty { found[test.id] = names }
        }
        return found
    }

    /// What of every owner of a project needs a look, or of one.
    func owners(of project: String, only owner: String? = nil) async throws -> ProjectOwners {
        let (summary, judged) = try await latestWholeRun(of: project, RunPart(tests: .notable))
        guard let summary, let judged, let file = judged.verdict.owners else { return ProjectOwners(run: summary) }
        let list = CodeOwners(file)
        guard list.fault == nil else { return ProjectOwners(run: summary, list: list) }
        let all = ListRequest(project: project)
        // A broken test is red, and no repetition helps it.
        let flakyTests = try await flaky(ListRequest(project: project, kept: FlakyTest.Kind.flaky.rawValue))
        let slowTests = try await slow(all)
        let digests = OwnerDigest.all(
            of: judged.run, judged.verdict, flaky: flakyTests, slow: slowTests,
            described: try store.results(of: flakyTests.map(\.id) + slowTests.map(\.id), in: summary.id),
            today: CalendarDay(now()), only: owner)
        return ProjectOwners(run: summary, list: list, digests: digests)
    }
}
