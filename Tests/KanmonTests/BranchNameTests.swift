import RunModel
import Testing

@testable import kanmon

@Suite struct BranchNameTests {
    private func built(_ environment: [String: String]) -> String? {
        Surroundings(environment: environment, workingDirectory: "/w", arguments: []).builtBranch?.text
    }

    @Test func `the branch that is built is what the CI server calls it`() {
        #expect(built([:]) == nil)
        #expect(built(["BRANCH_NAME": "PR-12", "CHANGE_BRANCH": "main", "GIT_BRANCH": "PR-12"]) == "PR-12")
        #expect(built(["BRANCH_NAME": "feature/x", "GIT_BRANCH": "origin/main"]) == "feature/x")
        #expect(built(["GIT_BRANCH": "origin/release/6.x"]) == "release/6.x")
        #expect(built(["GIT_BRANCH": "feature/x", "GITHUB_REF_NAME": "main"]) == "feature/x")
        #expect(built(["GIT_BRANCH": "detached"]) == nil)
        #expect(built(["GITHUB_REF_NAME": "12/merge"]) == "12/merge")
        #expect(built(["CI_COMMIT_BRANCH": "生"]) == "生")
        #expect(built(["BRANCH_NAME": "1.2.0", "TAG_NAME": "1.2.0", "GIT_BRANCH": "1.2.0"]) == nil)
        #expect(built(["GITHUB_REF_NAME": "1.2.0", "GITHUB_REF_TYPE": "tag"]) == nil)
        #expect(built(["GITHUB_REF_NAME": "main", "GITHUB_REF_TYPE": "branch"]) == "main")
        // The branch of a fork may be called main.
        #expect(built(["CHANGE_BRANCH": "main"]) == nil)
    }

    @Test(arguments: ["", "-x", "/x", "x/", "a..b", "a b", "a\nb", "\u{1B}]0;x\u{7}"])
    func `what is no name of a branch is passed over`(text: String) {
        #expect(BranchName(argument: text) == nil)
        #expect(built(["BRANCH_NAME": text, "CI_COMMIT_BRANCH": "main"]) == "main")
    }

    @Test func `a branch that is named goes before the one checked out, and that before the one built`() {
        let detached = Revision(commit: "c", tree: "t", branch: nil, subject: "s", isDirty: false)
        func on(_ branch: String?) -> Revision {
            Revision(commit: "c", tree: "t", branch: branch, subject: "s", isDirty: false)
        }
        func recorded(_ revision: Revision, named: BranchName?, built: BranchName? = BranchName("main")) -> Revision {
            var option = BranchOption()
            option.branch = named
            return option.recorded(revision, built: built)
        }
        #expect(recorded(on("topic"), named: BranchName("feature/x")) == on("feature/x"))
        #expect(recorded(detached, named: BranchName("feature/x")) == on("feature/x"))
        #expect(recorded(on("topic"), named: nil) == on("topic"))
        #expect(recorded(detached, named: nil) == on("main"))
        #expect(recorded(detached, named: nil, built: nil) == detached)
    }
}
