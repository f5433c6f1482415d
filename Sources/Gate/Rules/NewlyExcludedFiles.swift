import RunModel

/// The files that new excludes take out of the coverage. An exclude is new if the base does not have it.
struct NewlyExcludedFiles {
    /// The new patterns, in the order of the policy.
    let new: [String]
    /// By the index of a new pattern: the files that it takes out and that count at the base. A file is listed once,
    /// with the first pattern that matches it, so a later pattern may have none.
    private(set) var files: [Int: [String]] = [:]
    /// The patterns of the base that the policy no longer has.
    private let gone: [String]
    /// By the index of a pattern that is gone: the new ones that match every file it matched. No value until a file
    /// matches.
    private var replacements: [Int: Set<Int>] = [:]

    /// The most patterns that are gone and are compared with the new ones. This affects only the code and the wording
    /// of a gate change.
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
            let matching = taking.all(for: path)
            for index in dropped.all(for: path) {
                replacements[index] = replacements[index].map { $0.intersection(matching) } ?? Set(matching)
            }
            guard let first = matching.first, !base.matches(path) else { continue }
            for index in matching where files[index] == nil { files[index] = [] }
            files[first]?.append(path)
        }
    }

    /// The patterns of the base that a new one replaces, because it matches every file that they matched.
    func widened(to index: Int) -> [String] {
        gone.indices.filter { replacements[$0]?.contains(index) == true }.map { gone[$0] }
    }
}
