/// The states of the executable lines of one file, without counts.
public struct KnownLines: Sendable, Hashable, Codable {
    /// Relative to the package.
    public var path: String
    /// Lines that were executed, as ascending ranges.
    public var covered: [ClosedRange<Int>]
    /// Lines that were not executed; a line is in both lists if several runs of one tree disagree.
    public var missed: [ClosedRange<Int>]
    /// The SHA-256 of the file's bytes; `nil` if unknown.
    public var source: String?

    package init(
        path: String, covered: [ClosedRange<Int>], missed: [ClosedRange<Int>], source: String? = nil
    ) {
        self.path = path
        self.source = source
        self.covered = covered
        self.missed = missed
    }

    /// The states of one file in one run.
    public init(_ file: FileCoverage) {
        self.init(
            path: file.path,
            covered: LineRanges.of(file.lines.lazy.filter(\.count.isCovered).map { Int($0.line) }),
            missed: LineRanges.of(file.lines.lazy.filter { !$0.count.isCovered }.map { Int($0.line) }),
            source: file.sourceHash
        )
    }
}

/// Lines as ranges.
public enum LineRanges {
    /// Joins ascending lines to ranges; only adjacent lines are joined, so that no other line is in a range.
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

/// The coverage of a tree by its full runs.
public struct KnownCoverage: Sendable, Hashable, Codable {
    /// The runs; the first one counts.
    public var runs: [RunID]
    /// The compiler of the first run; `nil` if it was ingested from another tool.
    public var swiftVersion: String?
    /// The states of lines in the first of the runs, ordered by path.
    public var files: [KnownLines]
    /// Lines on which the other runs disagree with the first, each as covered and missed; ordered by path.
    public var unstable: [KnownLines]

    package init(runs: [RunID], swiftVersion: String?, files: [KnownLines], unstable: [KnownLines] = []) {
        self.runs = runs
        self.swiftVersion = swiftVersion
        self.files = files
        self.unstable = unstable
    }
}

/// What a run is compared with: the base, the changes since, and the known coverage of both.
///
/// It is kept in the run directory, so that the run can be judged again without git and the store.
public struct ChangeComparison: Sendable, Hashable, Codable {
    /// The base.
    public var base: BaseCommit
    /// Every file that differs, ordered by path.
    public var changes: [FileChange]
    /// The sources of the package that git compared, by path; a path that ends with `/` is a folder with all that lies in it. A file
    /// that is neither here nor among the changes is one that git does not know: one that a script wrote, or that is hidden from it.
    public var compared: [String]
    /// The coverage of the base by its full runs; `nil` when none is stored.
    public var coverage: KnownCoverage?
    /// The coverage of the tested tree by its other full runs; `nil` when none is stored.
    public var sameTree: KnownCoverage?

    /// The folder of the package, as an entry of `compared`.
    public static let everything = "./"

    package init(
        base: BaseCommit,
        changes: [FileChange],
        compared: [String] = [Self.everything],
        coverage: KnownCoverage? = nil,
        sameTree: KnownCoverage? = nil
    ) {
        self.base = base
        self.changes = changes
        self.compared = compared
        self.coverage = coverage
        self.sameTree = sameTree
    }
}

extension ChangeComparison {
    /// The same, reduced to sources of Swift and files of the run's coverage: in a repository of several languages git compared all
    /// files.
    public func narrowed(to run: TestRun) -> ChangeComparison {
        let covered = Set((run.coverage?.files ?? []).map { Name($0.path) })
        var narrowed = self
        narrowed.compared = compared.filter {
            $0.hasSuffix(".swift") || $0.hasSuffix("/") || covered.contains(Name($0))
        }
        return narrowed
    }

    private enum CodingKeys: String, CodingKey { case base, changes, compared, coverage, sameTree }

    /// Reads a comparison; if it does not say which files were compared, none were.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            base: try container.decode(BaseCommit.self, forKey: .base),
            changes: try container.decode([FileChange].self, forKey: .changes),
            compared: try container.decodeIfPresent([String].self, forKey: .compared) ?? [],
            coverage: try container.decodeIfPresent(KnownCoverage.self, forKey: .coverage),
            sameTree: try container.decodeIfPresent(KnownCoverage.self, forKey: .sameTree))
    }
}
