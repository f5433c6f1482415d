public import Gate
import RunModel
import Wording

/// What keeps a list to some of its entries, besides a tag: one value in its address.
public struct ListFilter: Sendable {
    /// How an address names the value.
    enum Key: String, Sendable {
        case verdict, trust, owner, kind
    }

    /// A value that can be chosen.
    struct Choice: Sendable {
        let value: String
        let words: String
    }

    let key: Key
    /// What a form calls it.
    let label: String
    /// The values that there are; any text where there are none.
    let choices: [Choice]

    init(_ key: Key, _ label: String, _ choices: [(value: String, words: String)] = []) {
        self.key = key
        self.label = label
        self.choices = choices.map { Choice(value: $0.value, words: $0.words) }
    }

    /// Whether the list can be kept to a value.
    func accepts(_ value: String) -> Bool {
        choices.isEmpty || choices.contains { Name($0.value) == Name(value) }
    }
}

extension ListFilter {
    /// What an address has for something without a verdict.
    private static let unjudged = "none"

    private static func verdicts(_ decisions: [Decision]) -> ListFilter {
        ListFilter(
            .verdict, "State",
            decisions.map { (value: $0.rawValue, words: "\($0.sign) \($0.word.lowercased())") }
                + [(value: unjudged, words: "– no verdict")])
    }

    /// Projects by the verdict on their default branch.
    static let projects = verdicts([.passed, .failed, .undecided])
    /// Commits that did not pass by their verdict.
    static let unverified = verdicts([.failed, .undecided])
    /// Machines by how far the runs that they deliver are trusted, of whatever version. None delivers as the server itself.
    static let machines = ListFilter(
        .trust, "Trust",
        Trust.allCases.reversed().filter { ![.local, .otherVersion].contains($0) }
            .map { (value: $0.rawValue, words: $0.word) })
    /// Whatever one owner answers for.
    static let owner = ListFilter(.owner, "Owner")
    /// Tests whose outcome varies by what they are.
    static let flaky = ListFilter(
        .kind, "State", FlakyTest.Kind.allCases.map { (value: $0.rawValue, words: $0.rawValue) })
    /// Excludes by what is odd about them.
    static let exclusions = ListFilter(
        .kind, "Warning", ExclusionStatus.Warning.allCases.map { (value: $0.rawValue, words: $0.words) })
    /// Runs by what would have become of them.
    static let selection = ListFilter(
        .kind, "Would be", TrialKind.allCases.map { (value: $0.rawValue, words: $0.words) })

    /// Whether a verdict is the one that a list is kept to; every verdict where it is kept to none.
    public static func allows(_ decision: Decision?, _ kept: String?) -> Bool {
        guard let kept else { return true }
        return Name(decision?.rawValue ?? unjudged) == Name(kept)
    }
}
