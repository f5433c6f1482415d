public import Gate
public import RunModel
import Wording

/// What changed from one run to another.
public struct ComparisonEntry: Sendable, Hashable {
    /// What kind of change a test went through, in the order of a page.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        case regressed, addedFailing, stillFailing, fixed, added, removed, newlySkipped, otherwise
    }

    /// A test that ended otherwise, or fails in both runs.
    public struct Change: Sendable, Hashable {
        /// What kind of change it is.
        public var kind: Kind
        /// Which test.
        public var test: TestID
        /// How it ended in the first run; `nil` when it is not in it.
        public var before: Outcome?
        /// How it ended in the second run; `nil` when it is not in it.
        public var after: Outcome?

        /// Makes a change from its parts.
        public init(kind: Kind, test: TestID, before: Outcome?, after: Outcome?) {
            self.kind = kind
            self.test = test
            self.before = before
            self.after = after
        }
    }

    /// The lines of a module in both runs.
    public struct ModuleChange: Sendable, Hashable {
        /// The module.
        public var module: String
        /// In the first run; `nil` when it was not measured there.
        public var before: CoverageTally?
        /// In the second run; `nil` when it was not measured there.
        public var after: CoverageTally?

        /// Makes a change from its parts.
        public init(module: String, before: CoverageTally?, after: CoverageTally?) {
            self.module = module
            self.before = before
            self.after = after
        }
    }

    /// The first run.
    public var before: RunSummary
    /// The second run.
    public var after: RunSummary
    /// The tests that changed, by kind.
    public var changes: [Change]
    /// Every module measured in one of the runs; none where one ran a part of the tests only, or none.
    public var modules: [ModuleChange]

    /// Makes a comparison from its parts.
    public init(before: RunSummary, after: RunSummary, changes: [Change], modules: [ModuleChange]) {
        self.before = before
        self.after = after
        self.changes = changes
        self.modules = modules
    }

    /// `2 regressed, 1 fixed, 12 new`; that nothing changed, where nothing did.
    var words: String {
        if after.isUntested { return "tests not run" }
        if before.isUntested { return "tests did not run before" }
        let parts = Kind.allCases.compactMap { kind -> String? in
            let number = changes.count { $0.kind == kind }
            return number == 0 ? nil : "\(Figures.grouped(number)) \(kind.words)"
        }
        if parts.isEmpty { return isOfPart ? "every test of both ended as before" : "every test ended as before" }
        return parts.joined(separator: ", ")
    }

    /// Why modules are not compared, or that there is none.
    var moduleAbsence: String {
        if before.isUntested || after.isUntested { return "The build of one of the runs failed." }
        return isOfPart ? "One of the runs ran a part of the tests only." : "No module was measured in either run."
    }

    /// Whether one of the runs ran a part of the tests only, so that the others and the modules are not compared.
    var isOfPart: Bool { before.isPartial || after.isPartial }
}

extension ComparisonEntry.Kind {
    /// What stands behind a number.
    var words: String {
        switch self {
        case .regressed: "regressed"
        case .addedFailing: "new and failing"
        case .stillFailing: "still failing"
        case .fixed: "fixed"
        case .added: "new"
        case .removed: "removed"
        case .newlySkipped: "newly skipped"
        case .otherwise: "changed otherwise"
        }
    }

    /// What stands above a list.
    var heading: String {
        switch self {
        case .regressed: "Regressed"
        case .addedFailing: "New and failing"
        case .stillFailing: "Still failing"
        case .fixed: "Fixed"
        case .added: "New"
        case .removed: "Removed"
        case .newlySkipped: "Newly skipped"
        case .otherwise: "Changed otherwise"
        }
    }
}

extension ComparisonEntry.Change {
    /// What became of the test, in words: `new, crashed` for one that is new and fails.
    var words: String { kind == .addedFailing ? "new, \(after?.label ?? "failing")" : kind.words }
}
