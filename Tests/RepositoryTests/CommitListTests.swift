import RunModel
import Testing

@testable import Repository

@Suite struct CommitListTests {
    @Test func `the commits of a range come with their trees, the newest first`() async throws {
        let sandbox = try Sandbox()
        let repository = try await sandbox.makeRepository()
        let first = try await sandbox.object("HEAD")
        try sandbox.write("two\n", to: "work/a.txt")
        try await sandbox.git("add", "--all")
        try await sandbox.commit("second, with a  space\n\nbody")
        try await sandbox.commit("third")
        let (second, third) = (try await sandbox.object("HEAD~1"), try await sandbox.object("HEAD"))
        let tree = try await sandbox.object("HEAD^{tree}")
        let listed = [
            ListedCommit(commit: third, tree: tree, subject: "third"),
            ListedCommit(commit: second, tree: tree, subject: "second, with a  space"),
        ]
        #expect(try await repository.commits(in: "\(first)..HEAD") == listed)
        #expect(try await repository.commits(in: "HEAD..HEAD") == [])
        await #expect(throws: GitError.self) { try await repository.commits(in: "--output=x") }
        await #expect(throws: GitError.self) { try await repository.commits(in: "nowhere..HEAD") }
    }

    @Test func `a name is the commit it stands for`() async throws {
        let sandbox = try Sandbox()
        let repository = try await sandbox.makeRepository()
        try await sandbox.commit("second")
        try await sandbox.git("tag", "-a", "-m", "t", "v1", "HEAD~1")
        let first = try await sandbox.object("HEAD~1")
        let named = try await repository.revision(of: "v1")
        #expect(named?.commit == first)
        #expect(
            named?.revision
                == Revision(
                    commit: first.hexadecimal, tree: try await sandbox.object("HEAD^{tree}").hexadecimal, branch: nil,
                    subject: "first", author: "A", isDirty: false))
        #expect(try await repository.revision(of: "HEAD")?.revision.branch == "main")
        #expect(try await repository.revision(of: "nowhere") == nil)
        #expect(try await repository.revision(of: "-h") == nil)
    }

    @Test func `a filter, a line end and an attribute are rules of the checkout`() async throws {
        let sandbox = try Sandbox()
        let repository = try await sandbox.makeRepository()
        var seen = [try await repository.checkoutRules()]
        try await sandbox.git("config", "user.nickname", "ada")
        #expect(try await repository.checkoutRules() == seen[0])
        try await sandbox.git("config", "filter.upper.smudge", "tr a-z A-Z")
        seen.append(try await repository.checkoutRules())
        try await sandbox.git("config", "core.autocrlf", "true")
        seen.append(try await repository.checkoutRules())
        try sandbox.write("*.txt eol=crlf\n", to: "work/.git/info/attributes")
        seen.append(try await repository.checkoutRules())
        // The user's own, and those of a file that the settings name.
        try sandbox.write("*.txt eol=lf\n", to: ".config/git/attributes")
        seen.append(try await repository.checkoutRules())
        try await sandbox.git("config", "core.attributesFile", "~/mine")
        seen.append(try await repository.checkoutRules())
        try sandbox.write("*.txt eol=lf\n", to: "mine")
        seen.append(try await repository.checkoutRules())
        #expect(Set(seen).count == 7)
    }
}
