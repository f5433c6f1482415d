import Foundation
import Gate

/// A commit that broke a test, or may have, for programs.
struct CommitForm: Hashable, Codable {
    let commit: String
    /// The first line of its message; untrusted text.
    let subject: String
    /// The name of its author; untrusted text.
    let author: String
    /// When it was made, by its own word.
    let committedAt: Date

    init(_ suspect: Culprit.Suspect) {
        commit = suspect.commit
        subject = suspect.subject
        author = suspect.author
        committedAt = suspect.committedAt
    }
}
