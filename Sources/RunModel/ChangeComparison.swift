/// The states of the executable lines of one file, without counts.
public struct KnownLines: Sendable, Hashable, Codable {
    /// Relative to the package.
    public var path: String
    /// Lines that were executed, as ascending ranges.
    public var covered: [ClosedRange<Int>]
    /// Lines that were not; a line is in both where several runs of one tree disagree.
    public var missed: [ClosedRange<Int>]

    /// Makes states from their parts.
    public init(path: String, covered: [ClosedRange<Int>], missed: [ClosedRange<Int>]) {
        self.path = path
        self.covered = covered
        self.missed = missed
    }

    /// The states of one file in one run.
    public init(_ file: FileCoverage) {
        self.init(
            path: file.path,
            covered: LineRanges.of(file.lines.lazy.filter(\.count.isCovered).map { Int($0.line) }),
            missed: LineRanges.of(file.lines.lazy.filter { !$0.count.isCovered }.map { Int($0.line) })
        )
    }
}

/// Lines as ranges.
public enum LineRanges {
    /// Ascending lines as ranges; only neighbors are joined, so that no other line is in any of them.
    public static func of(_ lines: some Sequence<Int>) -> [ClosedRange<Int>] {
        var ranges: [ClosedRange<Int>] = []
        for line in lines {
            if let last = ranges.last, last.upperBound == line - 1 {
                ranges[ranges.count - 1] = last.lowerBound...line
            } else {
                ranges.append(line...line)
            }
        }
        return ranges
    }
}

/// What whole runs of one tree have covered.
public struct KnownCoverage: Sendable, Hashable, Codable {
    /// The runs, the one that counts first.
    public var runs: [RunID]
    /// The compiler of the first run; `nil` for another runner's.
    public var swiftVersion: String?
    /// The states of lines in the first of the runs, ordered by path.
    public var files: [KnownLines]
    /// Lines on which the other runs disagree with it, each as covered and missed; ordered by path.
    public var unstable: [KnownLines]

    /// Makes coverage from its parts.
    public init(runs: [RunID], swiftVersion: String?, files: [KnownLines], unstable: [KnownLines] = []) {
        self.runs = runs
        self.swiftVersion = swiftVersion
        self.files = files
        self.unstable = unstable
    }
}

/// What a run is compared with: the base, what changed since, and what is known of the coverage of both.
///
/// It is kept in the run directory, so that a verdict can be reached again without git and without the store.
public struct ChangeComparison: Sendable, Hashable, Codable {
    /// The commit compared with.
    public var base: BaseCommit
    /// Every file that differs, ordered by path.
    public var changes: [FileChange]
    /// What whole runs of the base covered; `nil` when none is stored.
    public var coverage: KnownCoverage?
    /// What other whole runs of the very tree that is judged covered; `nil` when none is stored.
    public var sameTree: KnownCoverage?

    /// Makes a comparison from its parts.
    public init(
        base: BaseCommit,
        changes: [FileChange],
        coverage: KnownCoverage? = nil,
        sameTree: KnownCoverage? = nil
    ) {
        self.base = base
        self.changes = changes
        self.coverage = coverage
        self.sameTree = sameTree
    }
}
