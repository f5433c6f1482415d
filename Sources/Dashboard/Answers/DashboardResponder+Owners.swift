import Gate
import Pages
import RunModel
import Storage

extension DashboardResponder {
    /// Who owns tests, as the latest full run on the default branch says; those of nobody are missing.
    func owners(of tests: [TestID], project: String) async throws -> [TestID: [String]] {
        try knownOwners(of: tests, project: project)
    }

    /// Those of some tests that an owner owns; of more than `RunOwners.mostTests` those of the first.
    func owned(by owner: String, among tests: [TestID], project: String) throws -> Set<TestID> {
        let known = try knownOwners(of: tests, project: project)
        return Set(known.filter { $0.value.contains { Name($0) == Name(owner) } }.keys)
    }

    private func knownOwners(of tests: [TestID], project: String) throws -> [TestID: [String]] {
        guard !tests.isEmpty else { return [:] }
        try demand(project)
        return try store.owners(of: tests, project: project)
    }

    /// What of every owner of a project needs a look, or of one.
    func owners(of project: String, only owner: String? = nil) async throws -> ProjectOwners {
        let latest = try latestWholeRun(of: project)
        guard let latest, let verdict = try store.verdict(of: latest), let file = verdict.owners,
            let targets = try store.facts(of: latest.id)?.modules
        else { return ProjectOwners(run: latest) }
        let list = CodeOwners(file)
        guard list.fault == nil else { return ProjectOwners(run: latest, list: list) }
        let all = ListRequest(project: project)
        // A broken test is red, and no repetition helps it.
        let flakyTests = try await flaky(ListRequest(project: project, kept: FlakyTest.Kind.flaky.rawValue))
        let slowTests = try await slow(all)
        let digests = OwnerDigest.all(
            of: try store.notableResults(of: latest.id), targets: targets, try store.coverage(of: latest.id), verdict,
            flaky: flakyTests, slow: slowTests,
            described: try store.results(of: flakyTests.map(\.id) + slowTests.map(\.id), in: latest.id),
            today: CalendarDay(now()), only: owner)
        return ProjectOwners(run: latest, list: list, digests: digests)
    }
}
