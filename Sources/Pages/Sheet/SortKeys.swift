public import Gate
public import RunModel

// What each list can be ordered by, and how its entries compare.

extension RunsPage {
    static let sortKeys: [ListOrder.Key] = [.verdict, .coverage, .duration, .time]
}

extension TestsPage {
    static let sortKeys: [ListOrder.Key] = [.outcome, .name, .duration]
}

extension SheetPage {
    static let fileSortKeys: [ListOrder.Key] = [.name, .coverage, .missed]
}

extension FlakyTest: Sortable {
    /// By what is counted, or by identity.
    public func precedes(_ other: FlakyTest, by key: ListOrder.Key) -> Bool {
        switch key {
        case .disagreements: disagreements < other.disagreements
        case .flips: flips < other.flips
        case .failures: failures < other.failures
        case .recoveries: recoveries < other.recoveries
        default: id < other.id
        }
    }
}

extension SlowTest: Sortable {
    /// By a time, or by identity.
    public func precedes(_ other: SlowTest, by key: ListOrder.Key) -> Bool {
        switch key {
        case .duration: latest < other.latest
        case .median: median < other.median
        case .longest: longest < other.longest
        default: id < other.id
        }
    }
}

extension TestResult: Sortable {
    /// By how it ended, failures last; by its time, none before any; or by identity.
    public func precedes(_ other: TestResult, by key: ListOrder.Key) -> Bool {
        switch key {
        case .outcome: outcome.gravity < other.outcome.gravity
        case .duration: (duration ?? .seconds(-1)) < (other.duration ?? .seconds(-1))
        default: id < other.id
        }
    }
}

extension Outcome {
    /// The graver, the more it needs a look.
    fileprivate var gravity: Int {
        switch self {
        case .passed: 0
        case .skipped: 1
        case .knownIssue: 2
        case .notRun: 3
        case .failed: 4
        case .timedOut: 5
        case .crashed: 6
        }
    }
}

extension ExclusionStatus: Sortable {
    /// By how much it takes out, or by its pattern.
    public func precedes(_ other: ExclusionStatus, by key: ListOrder.Key) -> Bool {
        switch key {
        case .files: files < other.files
        case .lines: lines.total < other.lines.total
        default: Name(exclusion.pattern) < Name(other.exclusion.pattern)
        }
    }
}

extension ModuleCoverage: Sortable {
    /// By its lines, or by its name.
    public func precedes(_ other: ModuleCoverage, by key: ListOrder.Key) -> Bool {
        lines.precedes(other.lines, by: key) ?? (Name(module) < Name(other.module))
    }
}

/// A file with coverage and its lines, which are counted once.
public struct MeasuredFile: Sendable, Sortable {
    /// The file.
    public let file: FileCoverage
    /// Its lines.
    public let lines: CoverageTally

    /// Counts the lines of a file.
    public init(_ file: FileCoverage) {
        self.file = file
        lines = file.lineTally
    }

    /// By its lines, or by its path.
    public func precedes(_ other: MeasuredFile, by key: ListOrder.Key) -> Bool {
        lines.precedes(other.lines, by: key) ?? (Name(file.path) < Name(other.file.path))
    }
}

extension CoverageTally {
    /// Whether less is covered, or missed, of this; `nil` where something else is compared.
    fileprivate func precedes(_ other: CoverageTally, by key: ListOrder.Key) -> Bool? {
        switch key {
        // What has no lines is covered.
        case .coverage: (share ?? 1) < (other.share ?? 1)
        case .missed: missed < other.missed
        default: nil
        }
    }
}
