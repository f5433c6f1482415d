import Application
import ArgumentParser
import Repository
import RunModel

/// The options that select a tree of the repository instead of the working copy.
struct TreeOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Judge the exact tree of this commit.", valueName: "rev"))
    var commit: String?

    @Flag(help: "Judge the exact tree of the staged files.")
    var staged = false

    /// Whether one is named.
    var isGiven: Bool { staged || commit != nil }

    func validate() throws {
        try Self.validate(commit: commit, staged: staged)
    }

    /// A tree has one name.
    static func validate(commit: String?, staged: Bool) throws {
        if staged, commit != nil { throw ValidationError("--commit and --staged exclude each other") }
    }

    /// The tree and its base.
    ///
    /// - Parameters:
    ///   - branch: The branch to record.
    ///   - built: The branch that a CI server builds.
    func subject(
        in repository: GitRepository, recording branch: BranchOption, built: BranchName?
    ) async throws -> TreeJudge.Subject {
        var subject = try await TreeJudge.Subject.named(commit, in: repository)
        // The CI server's branch is that of the commit that is checked out, and of no other.
        let head = try await repository.commit(at: "HEAD")
        let isCheckedOut = commit == nil || head?.hexadecimal == subject.revision.commit
        subject.revision = try await branch.recorded(
            subject.revision, built: isCheckedOut ? built : nil, in: repository)
        return subject
    }
}
