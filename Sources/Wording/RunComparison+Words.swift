public import Gate
import RunModel

extension ChangedTest.Kind {
    /// The words behind a number, as in `2 regressed`.
    public var words: String {
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

    /// The heading of a list.
    public var heading: String { words.prefix(1).uppercased() + words.dropFirst() }
}

extension ChangedTest {
    /// The change of the test: `new, crashed` for one that is new and fails.
    public var words: String { kind == .addedFailing ? "new, \(after?.label ?? "failing")" : kind.words }
}

extension RunComparison {
    /// When a test is called slower.
    public static let slowerWords =
        "passed in both runs, and take at least twice as long and a tenth of a second more"

    /// `2 regressed, 1 fixed, 12 new`; that nothing changed, where nothing did.
    public var words: String {
        if after.isUntested { return "tests not run" }
        if before.isUntested { return "tests did not run before" }
        let parts = ChangedTest.Kind.allCases.compactMap { kind -> String? in
            let number = tests(kind).count
            return number == 0 ? nil : "\(Figures.grouped(number)) \(kind.words)"
        }
        if parts.isEmpty { return isOfPart ? "every test of both ended as before" : "every test ended as before" }
        return parts.joined(separator: ", ")
    }

    /// Why the changed lines are unknown; `nil` if one of the runs is partial or was not built, so that its lines cannot be compared.
    public var absenceOfChange: String? {
        if isOfPart || before.isUntested || after.isUntested { return nil }
        return "Changed lines are unknown: git here does not have the exact files of both runs"
    }

    /// Why modules are not compared, or that there is none.
    public var moduleAbsence: String {
        if before.isUntested || after.isUntested { return "The build of one of the runs failed." }
        return isOfPart ? "One of the runs ran a part of the tests only." : "No module was measured in either run."
    }
}
