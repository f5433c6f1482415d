/// How often a line was executed.
///
/// The toolchain emits 2^63-1 and 2^64-n when a counter expression underflows: the line counts as covered, its count
/// is unknown.
public struct ExecutionCount: Sendable, Hashable, Codable {
    /// The number as it was recorded.
    public let raw: UInt64

    /// Wraps the recorded number.
    public init(_ raw: UInt64) { self.raw = raw }

    /// Whether the line was executed.
    public var isCovered: Bool { raw > 0 }
    /// The number of executions, or `nil` when the counter is known to have underflowed (2^62 or more).
    public var value: UInt64? { raw < 1 << 62 ? raw : nil }
}

/// One executable line and its count.
public struct LineCount: Sendable, Hashable {
    /// Counted from 1.
    public let line: Int32
    /// How often it was executed.
    public let count: ExecutionCount

    /// Makes a count from its parts.
    public init(line: Int32, count: ExecutionCount) {
        self.line = line
        self.count = count
    }
}

/// Covered of total: coverage is compared only in this form.
public struct CoverageTally: Sendable, Hashable, Codable {
    /// How many were executed; never more than `total`.
    public var covered: Int
    /// How many there are.
    public var total: Int

    /// Makes a tally from its parts.
    public init(covered: Int = 0, total: Int = 0) {
        self.covered = covered
        self.total = total
    }

    /// How many were not executed.
    public var missed: Int { total - covered }

    /// Adds two tallies.
    public static func + (left: CoverageTally, right: CoverageTally) -> CoverageTally {
        CoverageTally(covered: left.covered + right.covered, total: left.total + right.total)
    }
}

/// What is counted. Swift has no branch coverage.
public enum CoverageMetric: String, Sendable, Hashable, Codable, CaseIterable {
    /// Distinct executable lines.
    case line
    /// Regions, as llvm-cov counts them.
    case region
    /// Functions, as llvm-cov counts them.
    case function
}

/// The coverage of one source file.
public struct FileCoverage: Sendable, Hashable {
    /// Relative to the package.
    public var path: String
    /// The manifest name of the module it belongs to.
    public var module: String
    /// SHA-256 of the source, lower-case hexadecimal, if the run kept it.
    public var sourceHash: String?
    /// The executable lines in ascending order, each once.
    public var lines: [LineCount]
    /// Covered of all regions.
    public var regions: CoverageTally
    /// Covered of all functions.
    public var functions: CoverageTally
    /// What was not executed, in more detail than lines; `nil` if unknown, as for runs from the store.
    public var unexecuted: UnexecutedCode?
    /// The functions that were called, by their start; `nil` where `unexecuted` names none that were not.
    public var calledFunctions: [SourceFunction]?

    /// Makes a file's coverage from its parts.
    public init(
        path: String,
        module: String,
        sourceHash: String? = nil,
        lines: [LineCount],
        regions: CoverageTally,
        functions: CoverageTally,
        unexecuted: UnexecutedCode? = nil,
        calledFunctions: [SourceFunction]? = nil
    ) {
        self.path = path
        self.module = module
        self.sourceHash = sourceHash
        self.lines = lines
        self.regions = regions
        self.functions = functions
        self.unexecuted = unexecuted
        self.calledFunctions = calledFunctions
    }

    /// Covered of all executable lines, each counted once.
    public var lineTally: CoverageTally {
        CoverageTally(covered: lines.reduce(0) { $0 + ($1.count.isCovered ? 1 : 0) }, total: lines.count)
    }

    /// Whether a line was executed, by a test or anything else.
    public func isExecuted(_ line: Int) -> Bool { lines.contains { Int($0.line) == line && $0.count.isCovered } }

    /// Whether a line has code, executed or not: comments, blank lines and most declarations have none.
    public func isExecutable(_ line: Int) -> Bool { lines.contains { Int($0.line) == line } }

    /// The first executable line from a line on, which is what a comment is about; the last one before it where none follows, and `nil`
    /// where the file has none.
    public func nearestExecutable(to line: Int) -> Int? {
        (lines.first { Int($0.line) >= line } ?? lines.last).map { Int($0.line) }
    }

    /// The tally for one metric.
    public func tally(_ metric: CoverageMetric) -> CoverageTally {
        switch metric {
        case .line: lineTally
        case .region: regions
        case .function: functions
        }
    }

    /// The missed lines as ascending ranges; a covered line ends a range, a line that is not executable does not.
    public var missedRanges: [ClosedRange<Int>] {
        var ranges: [ClosedRange<Int>] = []
        var open: ClosedRange<Int>?
        for entry in lines {
            let line = Int(entry.line)
            if entry.count.isCovered {
                if let closed = open { ranges.append(closed) }
                open = nil
            } else {
                open = (open?.lowerBound ?? line)...line
            }
        }
        if let closed = open { ranges.append(closed) }
        return ranges
    }
}

/// A file with coverage that is not counted.
public struct UnattributedFile: Sendable, Hashable, Codable {
    /// Why it is not counted.
    public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        /// A source of a test target.
        case test
        /// A source of another package.
        case dependency
        /// Made by the build or by a plugin.
        case generated
        /// A source of a target of the package that is not measured.
        case notMeasured = "not-measured"
        /// It belongs to no target, or its kind is unknown.
        case unknown
    }

    /// Relative to the package; outside of it, as recorded.
    public var path: String
    /// Why it is not counted.
    public var kind: Kind
    /// Its executable lines.
    public var lines: CoverageTally

    package init(path: String, kind: Kind = .unknown, lines: CoverageTally = CoverageTally()) {
        (self.path, self.kind, self.lines) = (path, kind, lines)
    }
}

/// The coverage of a run: files of the root package's own targets, and what was left out.
public struct Coverage: Sendable, Hashable {
    /// Ordered by path.
    public var files: [FileCoverage]
    /// Files in the export that belong to no own target: listed, never counted.
    public var unattributed: [UnattributedFile]
    /// Whether lines have their execution counts; otherwise an executed line has the count 1.
    ///
    /// A store keeps counts for the newest run of a project, the states of lines for all.
    public var hasExecutionCounts: Bool

    package init(files: [FileCoverage], unattributed: [UnattributedFile] = [], hasExecutionCounts: Bool = true) {
        self.files = files
        self.unattributed = unattributed
        self.hasExecutionCounts = hasExecutionCounts
    }
}
