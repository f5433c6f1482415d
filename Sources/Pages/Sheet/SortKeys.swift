import Foundation
public import Gate
public import RunModel

// How the entries of lists compare: by the columns of the list where these say it.

extension SheetPage {
    static let fileSortKeys: [ListOrder.Key] = [.name, .coverage, .missed]
}

extension ProjectState: Sortable {
    /// By how its default branch stands, by what its row shows of the latest run, or by its name.
    public func precedes(_ other: ProjectState, by key: ListOrder.Key) -> Bool {
        SheetPage.projectColumns.precedes(self, other, by: key) ?? (Name(name) < Name(other.name))
    }
}

extension DeliveringMachine: Sortable {
    /// By what is counted, by when it was heard from, or by its name and its token.
    public func precedes(_ other: DeliveringMachine, by key: ListOrder.Key) -> Bool {
        SheetPage.machineColumns.precedes(self, other, by: key) ?? SheetPage.isFirst(self, other)
    }
}

extension Exceptions.Waived: Sortable {
    /// By its last day, or by what it is for; by what waivers do not have they are alike.
    public func precedes(_ other: Exceptions.Waived, by key: ListOrder.Key) -> Bool {
        SheetPage.waiverColumns.precedes(self, other, by: key) ?? false
    }
}

extension QuarantineStatus: Sortable {
    /// By how the test ended, who answers for it, its last day, or the name of the test.
    public func precedes(_ other: QuarantineStatus, by key: ListOrder.Key) -> Bool {
        SheetPage.quarantineColumns.precedes(self, other, by: key) ?? (Name(entry.test) < Name(other.entry.test))
    }
}

extension Exceptions.DisabledTarget: Sortable {
    /// By its last day, none behind all, or by its name; by what targets do not have they are alike.
    public func precedes(_ other: Exceptions.DisabledTarget, by key: ListOrder.Key) -> Bool {
        SheetPage.disabledTargetColumns.precedes(self, other, by: key) ?? false
    }
}

extension OwnerDigest: Sortable {
    /// By how much there is of something, by covered lines, or by the owner, what nobody is known to own last.
    public func precedes(_ other: OwnerDigest, by key: ListOrder.Key) -> Bool {
        SheetPage.ownerColumns.precedes(self, other, by: key) ?? false
    }
}

extension SelectionLedger.Entry: Sortable {
    /// By what is counted; what stands newest first is ordered by time without looking at it.
    public func precedes(_ other: SelectionLedger.Entry, by key: ListOrder.Key) -> Bool {
        SheetPage.selectionColumns.precedes(self, other, by: key) ?? false
    }
}

extension CommitAudit.Entry: Sortable {
    /// By the verdict, or by the message; what stands newest first is ordered by time without looking at it.
    public func precedes(_ other: CommitAudit.Entry, by key: ListOrder.Key) -> Bool {
        SheetPage.unverifiedColumns.precedes(self, other, by: key) ?? false
    }
}

extension Optional where Wrapped == Decision {
    /// The graver, the more it needs a look; of what has no verdict nobody knows.
    var gravity: Int {
        switch self {
        case .some(.passed): 0
        case .none: 1
        case .some(.undecided): 2
        case .some(.failed): 3
        }
    }
}

extension FlakyTest: Sortable {
    /// By what is counted, or by identity.
    public func precedes(_ other: FlakyTest, by key: ListOrder.Key) -> Bool {
        SheetPage.flakyColumns.precedes(self, other, by: key) ?? (id < other.id)
    }
}

extension SlowTest: Sortable {
    /// By a time, or by identity.
    public func precedes(_ other: SlowTest, by key: ListOrder.Key) -> Bool {
        SheetPage.slowColumns.precedes(self, other, by: key) ?? (id < other.id)
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
    var gravity: Int {
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
        SheetPage.exclusionColumns.precedes(self, other, by: key)
            ?? (Name(exclusion.pattern) < Name(other.exclusion.pattern))
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
    /// How much of it is covered; what has no lines is covered.
    var rank: Double { share ?? 1 }

    /// Whether less is covered, or missed, of this; `nil` where something else is compared.
    fileprivate func precedes(_ other: CoverageTally, by key: ListOrder.Key) -> Bool? {
        switch key {
        case .coverage: rank < other.rank
        case .missed: missed < other.missed
        default: nil
        }
    }
}
