public import Gate

/// What a search has found to have broken a test, for programs: in the report, and in the data behind pages.
public struct CulpritForm: Sendable, Hashable, Codable {
    /// One commit; several where all but the last cannot be tested, the oldest first.
    let commits: [String]
    /// Of a single one; untrusted text.
    let author: String?
    /// Of a single one; untrusted text.
    let subject: String?
    /// The merge that brought it into the branch.
    let merge: String?
    /// As a decimal, rounded down.
    let probability: String

    /// Makes the form of an answer.
    public init(_ culprit: Culprit) {
        commits = culprit.suspects.map(\.commit)
        author = culprit.commit?.author
        subject = culprit.commit?.subject
        merge = culprit.merge
        probability = culprit.probabilityText
    }
}
