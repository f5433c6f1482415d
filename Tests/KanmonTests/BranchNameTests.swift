import RunModel
import Testing

@testable import Application
@testable import kanmon

@Suite struct BranchNameTests {
    @Test(arguments: ["", "-x", "/x", "x/", "a..b", "a b", "a\nb", "\u{1B}]0;x\u{7}"])
    func `what is no name of a branch is passed over`(text: String) {
        #expect(BranchName(argument: text) == nil)
        #expect(CIBuild(["GITHUB_ACTIONS": "true", "GITHUB_REF_NAME": text])?.branch == nil)
        #expect(CIBuild(["BRANCH_NAME": text, "GIT_BRANCH": "origin/main"])?.branch == BranchName("main"))
    }

    @Test func `a branch that is named goes before the one checked out, and that before the one built`() async throws {
        let detached = Revision(commit: "c", tree: "t", branch: nil, subject: "s", isDirty: false)
        func on(_ branch: String?) -> Revision {
            Revision(commit: "c", tree: "t", branch: branch, subject: "s", isDirty: false)
        }
        func recorded(
            _ revision: Revision, named: BranchName?, built: BranchName? = BranchName("main")
        ) async throws -> Revision {
            var option = BranchOption()
            option.branch = named
            return try await option.recorded(revision, built: built, in: nil)
        }
        #expect(try await recorded(on("topic"), named: BranchName("feature/x")) == on("feature/x"))
        #expect(try await recorded(detached, named: BranchName("feature/x")) == on("feature/x"))
        #expect(try await recorded(on("topic"), named: nil) == on("topic"))
        #expect(try await recorded(detached, named: nil) == on("main"))
        #expect(try await recorded(detached, named: nil, built: nil) == detached)
    }
}
