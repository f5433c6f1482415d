public import Gate
import RunModel
import Wording

/// What a branch does to the one that it was made for, for programs: whose it is and what the gate says of it stands with the later run
/// of the comparison.
public struct ChangeForm: Sendable, Hashable, Codable {
    let comparison: ComparisonForm
    /// What the gate blocks the run for, in sentences.
    let violations: [String]
    /// Why its tests failed, in a sentence; left out where none did.
    let causes: String?
    /// The address of the build in which it was made.
    let build: String?
    /// The address of the change request.
    let changeRequest: String?
    /// Its pages on the forge of the repository; left out where that is unknown.
    let commitPage: String?
    let comparisonPage: String?

    /// Makes the form of a change.
    ///
    /// - Parameter most: How many entries each list has at most, the first.
    public init(_ change: BranchChange, most: Int = .max) {
        comparison = ComparisonForm(change.comparison, change.lines, most: most)
        violations = change.violations.prefix(most).map(\.sentence)
        causes = change.causeWords
        build = change.origin?.build?.link
        changeRequest = change.origin?.change?.link
        (commitPage, comparisonPage) = change.forge
    }
}
