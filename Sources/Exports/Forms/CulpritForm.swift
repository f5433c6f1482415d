import Foundation
public import Gate
import RunModel

/// What a search has found to have broken a test, for programs: in the report, and in the data behind pages.
public struct CulpritForm: Sendable, Hashable, Codable {
    /// One commit; several where all but the last cannot be tested, the oldest first.
    let commits: [CommitForm]
    /// The merge that brought it into the branch.
    let merge: String?
    /// As a decimal, rounded down.
    let probability: String

    /// Makes the form of an answer.
    public init(_ culprit: Culprit) {
        commits = culprit.suspects.map { CommitForm($0) }
        merge = culprit.merge
        probability = culprit.probabilityText
    }
}

/// A search for the commit that broke a test and what it has found, for programs.
public struct CulpritSearchForm: Sendable, Hashable, Codable {
    let test: TestForm
    let project: String
    /// Whether a commit is named, or the few that it may be.
    let named: Bool
    /// Why no commit can be named.
    let reason: String?
    /// More about that, or about a merge; may hold untrusted text.
    let detail: String?
    /// As in a `CulpritForm`; where none can be named, the most probable so far.
    let commits: [CommitForm]
    let merge: String?
    let probability: String
    let good: String
    let bad: String
    let runs: Int
    let builds: Int
    let durationNanoseconds: Int64
    let foundAt: Date

    /// Makes the form of an answer.
    ///
    /// - Parameter detail: More about why no commit can be named, or no more than a merge.
    public init(_ culprit: Culprit, project: String, detail: String?) {
        let found = CulpritForm(culprit)
        test = TestForm(culprit.test)
        self.project = project
        named = culprit.reason == nil
        reason = culprit.reason?.rawValue
        self.detail = detail
        (commits, merge, probability) = (found.commits, found.merge, found.probability)
        good = culprit.good
        bad = culprit.bad
        runs = culprit.runs
        builds = culprit.builds
        durationNanoseconds = culprit.duration.nanosecondCount
        foundAt = culprit.foundAt
    }
}
