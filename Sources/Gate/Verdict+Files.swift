public import RunModel

extension Verdict {
    /// The files whose lines counted in this verdict, of the coverage of its run and in its order; none without coverage.
    ///
    /// What an exclude takes out that is new since the base still counts, until a waiver lets the exclude pass.
    public func countedFiles(of coverage: Coverage?) -> [FileCoverage] {
        let counts = countedPaths
        return (coverage?.files ?? []).filter { counts($0.path) }
    }

    /// Tells of the path of a file, relative to the package, whether its lines counted.
    public var countedPaths: (String) -> Bool {
        guard !policy.excludes.isEmpty else { return { _ in true } }
        let refused = (base?.blocking ?? []).filter { $0.code == .excludeAdded || $0.code == .excludeWidened }
        let patterns = Set(refused.map { Name($0.subject) })
        // The files that these would take out, but that count as they did at the base.
        let files = Set(refused.flatMap(\.items).map { Name($0) })
        let all = PatternSet(policy.excludes.map(\.pattern))
        let inForce = PatternSet(policy.excludes.map(\.pattern).filter { !patterns.contains(Name($0)) })
        return { path in !all.matches(path) || (files.contains(Name(path)) && !inForce.matches(path)) }
    }
}
