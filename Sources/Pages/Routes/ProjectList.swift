import Gate

/// A list of a project's tests or rules, by what they have in common.
public enum ProjectList: String, Sendable, Hashable, CaseIterable {
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

    /// What it can be ordered by.
    var sortKeys: [ListOrder.Key] {
        switch self {
        case .flaky: [.name, .disagreements, .flips, .failures, .recoveries]
        case .slow: [.name, .duration, .median, .longest]
        case .known: [.name]
        case .exclusions: [.name, .files, .lines]
        case .exceptions, .owners, .selection, .unverified: []
        }
    }

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
