import RunModel

/// What excludes that are new take out of the coverage, compared with those of the base.
struct NewlyExcludedFiles {
    /// The patterns that are not among those of the base, in the order of the policy.
    let new: [String]
    /// By the index of a new pattern: the files that it takes out and that count at the base. A file is listed once, with the
    /// first pattern that takes it, so a later pattern may have none.
    private(set) var files: [Int: [String]] = [:]
    /// The patterns of the base that are gone.
    private let gone: [String]
    /// By the index of a pattern that is gone: the new ones that match all that it matched, `nil` before the first file.
    private var heirs: [Int: Set<Int>] = [:]

    /// How many patterns that are gone are compared with the new ones. It affects only the code and the words of a gate change.
    private static let mostGone = 20

    init(of run: TestRun, by now: [Exclusion], against before: [Exclusion]) {
        let (known, kept) = (Set(before.map { Name($0.pattern) }), Set(now.map { Name($0.pattern) }))
        new = now.map(\.pattern).filter { !known.contains(Name($0)) }
        gone = Array(before.map(\.pattern).filter { !kept.contains(Name($0)) }.prefix(Self.mostGone))
        guard !new.isEmpty else { return }
        let (taking, base) = (PatternSet(new), PatternSet(before.map(\.pattern)))
        let dropped = PatternSet(gone)
        var seen: Set<Name> = []
        let paths = run.modules.flatMap(\.sourcePaths) + (run.coverage?.files.map(\.path) ?? [])
        for path in paths where seen.insert(Name(path)).inserted {
            let takers = taking.all(for: path)
            for index in dropped.all(for: path) {
                heirs[index] = heirs[index].map { $0.intersection(takers) } ?? Set(takers)
            }
            guard let first = takers.first, !base.matches(path) else { continue }
            for index in takers where files[index] == nil { files[index] = [] }
            files[first]?.append(path)
        }
    }

    /// The patterns of the base that a new one replaces: it matches all that they matched.
    func widened(to index: Int) -> [String] {
        gone.indices.filter { heirs[$0]?.contains(index) == true }.map { gone[$0] }
    }
}
