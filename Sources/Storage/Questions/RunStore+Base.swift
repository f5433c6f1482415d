public import Gate
public import RunModel

extension RunStore {
    /// The run that the latest run of a branch is compared with: that of its base, or else the latest full run of the branch that
    /// changes are made for. `nil` on that branch itself, and where no such run is stored.
    public func baseRun(of branch: String, latest: RunSummary) throws(StorageError) -> RunID? {
        guard let target = try defaultBranch(of: latest.project), Name(target.name) != Name(branch) else { return nil }
        if let base = try verdict(of: latest)?.change?.baseRun,
            try project(of: base).map({ Name($0) }) == Name(latest.project)
        {
            return base
        }
        return try wholeRuns(project: latest.project, branch: target.name, limit: 1).first?.id
    }

    /// What changed from one run to another, with the display names of the tests; both must belong to one project.
    public func titledComparison(_ before: RunID, _ after: RunID) throws(StorageError) -> RunComparison {
        var found = try compare(before, after)
        found.titles = try titles(of: found.tests.map(\.id) + found.slower.map(\.id), project: found.after.project)
        return found
    }
}
