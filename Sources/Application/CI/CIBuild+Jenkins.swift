import RunModel

extension CIBuild {
    /// Jenkins: a multibranch job, a job of one branch, or a job of the plugins for GitHub's and GitLab's requests.
    static func jenkins(_ all: CIVariables) -> CIBuild? {
        guard all.first("JENKINS_URL", "BUILD_URL", "BRANCH_NAME", "GIT_BRANCH") != nil
        else { return nil }
        let build = RunHost.Build(url: all.address("BUILD_URL"), job: all["JOB_NAME"], node: all["NODE_NAME"])
        if let number = all.number("CHANGE_ID") {
            let change = ChangeRequest(
                number: number, url: all.address("CHANGE_URL"), target: all["CHANGE_TARGET"],
                source: all["CHANGE_BRANCH"], author: all.first("CHANGE_AUTHOR_DISPLAY_NAME", "CHANGE_AUTHOR"))
            var found = CIBuild(.change(change, prefix: "PR"), build: build)
            // The plugin of the forge chose the name: PR-12, MR-12, or PR-12-merge.
            found.branch = all["BRANCH_NAME"].flatMap { BranchName($0) } ?? found.branch
            return found
        }
        if let number = all.number("ghprbPullId") {
            let change = ChangeRequest(
                number: number, url: all.address("ghprbPullLink"), target: all["ghprbTargetBranch"],
                source: all["ghprbSourceBranch"], author: all["ghprbPullAuthorLogin"])
            return CIBuild(.change(change, prefix: "PR"), build: build)
        }
        if let number = all.number("gitlabMergeRequestIid") {
            let change = ChangeRequest(
                // Nothing tells its author: gitlabUserName is whose act started the build.
                number: number, target: all["gitlabTargetBranch"], source: all["gitlabSourceBranch"])
            return CIBuild(.change(change, prefix: "MR"), build: build)
        }
        // A tag is no branch.
        let names = all["TAG_NAME"] == nil ? [all["BRANCH_NAME"], all["GIT_BRANCH"].flatMap(withoutRemote)] : []
        let branch = names.compactMap { $0 }.first { BranchName($0) != nil }
        return CIBuild(branch.map { .branch($0) } ?? .nameless, build: build)
    }

    /// Jenkins' branch name in a job of one branch: the remote comes before the name, and `detached` means no branch.
    private static func withoutRemote(_ name: String) -> String? {
        if name == "detached" { return nil }
        let remote = "origin/"
        return name.hasPrefix(remote) ? String(name.dropFirst(remote.count)) : CIVariables.withoutHeads(name)
    }
}
