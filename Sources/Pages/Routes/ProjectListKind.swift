import Gate

/// The kinds of lists of a project: of its tests, its rules or its commits, by what they have in common.
public enum ProjectListKind: String, Sendable, Hashable, CaseIterable {
    /// Tests that do not always end in the same way.
    case flaky
    /// The slowest tests.
    case slow
    /// Waivers, tests whose failures do not block for a time, and test targets that are switched off.
    case exceptions
    /// What of every owner needs a look.
    case owners
    /// Tests that fail as they announced.
    case known = "known-issues"
    /// Files whose lines do not count.
    case exclusions
    /// Runs, with what a selection of tests would have left out.
    case selection
    /// Commits of the default branch that did not pass.
    case unverified

    /// Whether it is a list of tests that can be kept to those with one tag.
    var hasTags: Bool { [.flaky, .slow, .known].contains(self) }

    /// Whether it is a list of tests that can be kept to those of one owner.
    var hasOwners: Bool { [.flaky, .slow].contains(self) }

    /// What the page is called.
    var title: String {
        switch self {
        case .flaky: "Flaky tests"
        case .slow: "Slow tests"
        case .exceptions: "Exceptions"
        case .owners: "Owners"
        case .known: "Known issues"
        case .exclusions: "Exclusions"
        case .selection: "Test selection"
        case .unverified: "Unverified commits"
        }
    }
}

extension ProjectListKind {
    /// What stands above its columns; of several tables one after the other.
    var columns: [Head] {
        switch self {
        case .flaky: ListColumns.flaky
        case .slow: ListColumns.slow
        case .exceptions: ListColumns.waivers + ListColumns.quarantine + ListColumns.disabledTargets
        case .owners: ListColumns.owners
        case .known: ListColumns.known
        case .exclusions: ListColumns.exclusions
        case .selection: ListColumns.selection
        case .unverified: ListColumns.unverified
        }
    }

    var sortKeys: [ListOrder.Key] { columns.sortKeys }

    /// What it can be kept to, besides a tag.
    var filter: ListFilter? {
        switch self {
        case .exceptions, .owners: .owner
        case .exclusions: .exclusions
        case .selection: .selection
        case .unverified: .unverified
        case .flaky: .flaky
        case .slow, .known: nil
        }
    }
}

/// What stands above the columns of each list. A page shows it, and an address can ask for what of it orders the list, so that the two
/// never differ.
enum ListColumns {
    static let projects: [Head] = SheetPage.projectColumns.map(\.head)

    static let machines: [Head] = SheetPage.machineColumns.map(\.head)

    static let runs: [Head] = runHeads(RunColumn.all)

    /// The heads of a list of runs with some of its columns of figures.
    static func runHeads(_ columns: [RunColumn]) -> [Head] {
        let first: [Head] = [.by(.verdict, "Verdict"), "Commit"]
        return first + columns.map(\.head) + [Head.by(.time, "#Began")]
    }

    static let tests: [Head] = [.by(.outcome, "Outcome"), .by(.name, "Test"), .by(.duration, "#Time")]

    static let flaky: [Head] = SheetPage.flakyColumns.map(\.head)

    static let slow: [Head] = SheetPage.slowColumns.map(\.head)

    static let waivers: [Head] = SheetPage.waiverColumns.map(\.head)

    static let quarantine: [Head] = SheetPage.quarantineColumns.map(\.head)

    static let disabledTargets: [Head] = SheetPage.disabledTargetColumns.map(\.head)

    static let owners: [Head] = SheetPage.ownerColumns.map(\.head)

    static let known: [Head] = [.by(.name, "Test"), "Known issue"]

    static let exclusions: [Head] = SheetPage.exclusionColumns.map(\.head)

    static let selection: [Head] = SheetPage.selectionColumns.map(\.head)

    static let unverified: [Head] = SheetPage.unverifiedColumns.map(\.head)
}

extension [Head] {
    /// What a list with these columns can be ordered by; each once, as the tables of one page may share columns.
    var sortKeys: [ListOrder.Key] {
        compactMap(\.key).reduce(into: []) { keys, key in
            if !keys.contains(key) { keys.append(key) }
        }
    }
}
