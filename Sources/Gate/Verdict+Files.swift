public import RunModel

extension Verdict {
    /// The files of a run whose lines counted in this verdict about it, in the order of the coverage.
    ///
    /// What an exclude takes out that is new since the base still counts, until a waiver lets the exclude pass.
    public func countedFiles(of run: TestRun) -> [FileCoverage] {
        let counts = countedPaths
        return (run.coverage?.files ?? []).filter { counts($0.path) }
    }

    /// Tells of the path of a file, relative to the package, whether its lines counted.
    public var countedPaths: (String) -> Bool {
        guard !policy.excludes.isEmpty else { return { _ in true } }
        let excludes = policy.excludes.map { (glob: Glob($0.pattern), refused: refusedFiles(of: $0)) }
        return { path in !excludes.contains { $0.glob.matches(path) && !$0.refused.contains(Name(path)) } }
    }

    /// The files that an exclude would take out, but that count as they did at the base.
    private func refusedFiles(of exclude: Exclusion) -> Set<Name> {
        let changes = (base?.blocking ?? []).filter { change in
            (change.code == .excludeAdded || change.code == .excludeWidened)
                && Name(change.subject) == Name(exclude.pattern)
        }
        return Set(changes.flatMap(\.items).map { Name($0) })
    }
}
