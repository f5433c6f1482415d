import Gate
public import RunModel

extension RunStore {
    /// Who owns tests of a project, as its latest full run on the default branch says, or on any where that has none;
    /// tests of nobody are missing.
    public func owners(of tests: [TestID], project: String) throws(StorageError) -> [TestID: [String]] {
        guard !tests.isEmpty else { return [:] }
        let branch = try testedBranch(of: project)
        guard let latest = try wholeRuns(project: project, branch: branch, limit: 1).first,
            try mayHaveOwners(latest), let verdict = try self.verdict(of: latest),
            verdict.owners != nil || !verdict.quarantine.isEmpty, let targets = try facts(of: latest.id)?.modules
        else { return [:] }
        let results = try self.results(of: tests, in: latest.id)
        let owners = RunOwners(results, targets: targets, verdict, others: results)
        var found: [TestID: [String]] = [:]
        for test in results {
            let names = owners.names(of: test)
            if !names.isEmpty { found[test.id] = names }
        }
        return found
    }
}
