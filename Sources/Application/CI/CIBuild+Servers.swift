import Foundation
import RunModel

/// What each CI server calls things: the names are those of its own documentation.
extension CIBuild {
    /// Kanmon's own names, for servers that hand no variables to a build, such as Buildbot.
    static func named(_ all: CIVariables) -> CIBuild? {
        let build = RunHost.Build(
            url: all.address("KANMON_CI_URL"), job: all["KANMON_CI_JOB"], node: all["KANMON_CI_NODE"])
        if let number = all.number("KANMON_CI_CHANGE") {
            let change = ChangeRequest(
                number: number, url: all.address("KANMON_CI_CHANGE_URL"), target: all["KANMON_CI_TARGET"],
                source: all["KANMON_CI_BRANCH"], author: all["KANMON_CI_AUTHOR"])
            return CIBuild(.change(change, prefix: "PR"), build: build)
        }
        guard let branch = all["KANMON_CI_BRANCH"] else { return build.map { CIBuild(.nameless, build: $0) } }
        return CIBuild(.branch(branch), build: build)
    }

    /// GitHub Actions, and the runners of Gitea and Forgejo, which speak its language.
    ///
    /// The author of a pull request is in no variable, only in the event file: `GITHUB_ACTOR` is who started the build.
    static func gitHub(_ all: CIVariables, readingFile: (String) -> String?) -> CIBuild? {
        guard all.isTrue("GITHUB_ACTIONS") else { return nil }
        let isGitea = all.isTrue("GITEA_ACTIONS") || all.isTrue("FORGEJO_ACTIONS")
        let repository = all["GITHUB_SERVER_URL"].flatMap { server in
            all["GITHUB_REPOSITORY"].flatMap { ForgeRepository(isGitea ? .gitea : .gitHub, url: "\(server)/\($0)") }
        }
        // Gitea counts the runs of a repository in its addresses, GitHub all runs of the world.
        let page = all.number(isGitea ? "GITHUB_RUN_NUMBER" : "GITHUB_RUN_ID").flatMap { run in
            repository.map { "\($0.url)/actions/runs/\(run)" }
        }
        let job = [all["GITHUB_WORKFLOW"], all["GITHUB_JOB"]].compactMap { $0 }.joined(separator: "/")
        let build = RunHost.Build(url: page, job: CIVariables.sound(job), node: all["RUNNER_NAME"])
        let reference = (all["GITHUB_REF"] ?? "").split(separator: "/", omittingEmptySubsequences: false)
        let name = all["GITHUB_REF_NAME"] ?? ""
        // refs/pull/12/merge, in Gitea refs/pull/12/head; the short name of it is 12/merge.
        let short = name.split(separator: "/")
        let number =
            reference.count == 4 && reference[1] == "pull"
            ? reference[2] : short.count == 2 && ["merge", "head"].contains(short[1]) ? short[0] : nil
        if let number, !number.isEmpty, number.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            let change = ChangeRequest(
                number: String(number),
                url: repository.map { "\($0.url)/\(isGitea ? "pulls" : "pull")/\(number)" },
                target: all["GITHUB_BASE_REF"], source: all["GITHUB_HEAD_REF"],
                author: all["GITHUB_EVENT_PATH"].flatMap(readingFile).flatMap {
                    ForgeEvent.author(ofRequest: String(number), in: $0)
                })
            return CIBuild(.change(change, prefix: "PR"), build: build, repository: repository)
        }
        // With pull_request_target the reference is the branch that the request is made for, not what is checked out.
        let isBranch = all["GITHUB_REF_TYPE"] != "tag" && all["GITHUB_HEAD_REF"] == nil && !name.isEmpty
        return CIBuild(isBranch ? .branch(name) : .nameless, build: build, repository: repository)
    }

    /// GitLab: a pipeline of a branch, of a merge request, or of a pull request of another forge.
    static func gitLab(_ all: CIVariables) -> CIBuild? {
        guard all.isTrue("GITLAB_CI") else { return nil }
        let repository = all["CI_PROJECT_URL"].flatMap { ForgeRepository(.gitLab, url: $0) }
        let build = RunHost.Build(
            url: all.address("CI_JOB_URL", "CI_PIPELINE_URL"), job: all["CI_JOB_NAME"],
            node: all["CI_RUNNER_DESCRIPTION"])
        // Not GITLAB_USER_NAME, who started the pipeline.
        let author = all["CI_COMMIT_AUTHOR"].map {
            String($0.prefix { $0 != "<" }).trimmingCharacters(in: .whitespaces)
        }
        if let number = all.number("CI_MERGE_REQUEST_IID") {
            let change = ChangeRequest(
                number: number,
                url: all.address("CI_MERGE_REQUEST_PROJECT_URL", "CI_PROJECT_URL")
                    .map { "\($0)/-/merge_requests/\(number)" },
                target: all["CI_MERGE_REQUEST_TARGET_BRANCH_NAME"], source: all["CI_MERGE_REQUEST_SOURCE_BRANCH_NAME"],
                author: author)
            return CIBuild(.change(change, prefix: "MR"), build: build, repository: repository)
        }
        if let number = all.number("CI_EXTERNAL_PULL_REQUEST_IID") {
            let change = ChangeRequest(
                number: number, target: all["CI_EXTERNAL_PULL_REQUEST_TARGET_BRANCH_NAME"],
                source: all["CI_EXTERNAL_PULL_REQUEST_SOURCE_BRANCH_NAME"], author: author)
            return CIBuild(.change(change, prefix: "PR"), build: build, repository: repository)
        }
        let branch = all["CI_COMMIT_TAG"] == nil ? all["CI_COMMIT_BRANCH"] : nil
        return CIBuild(branch.map { .branch($0) } ?? .nameless, build: build, repository: repository)
    }

    /// Buildkite; the branch of a fork has its owner before it, so it names no branch here.
    static func buildkite(_ all: CIVariables) -> CIBuild? {
        guard all.isTrue("BUILDKITE") else { return nil }
        let build = RunHost.Build(
            url: all.address("BUILDKITE_BUILD_URL"), job: all.first("BUILDKITE_LABEL", "BUILDKITE_PIPELINE_SLUG"),
            node: all["BUILDKITE_AGENT_NAME"])
        if let number = all.number("BUILDKITE_PULL_REQUEST") {
            let change = ChangeRequest(
                number: number, url: requestPage(of: all["BUILDKITE_REPO"], number),
                target: all["BUILDKITE_PULL_REQUEST_BASE_BRANCH"],
                // Not BUILDKITE_BUILD_CREATOR, who started the build.
                source: all["BUILDKITE_BRANCH"], author: all["BUILDKITE_BUILD_AUTHOR"])
            return CIBuild(.change(change, prefix: "PR"), build: build)
        }
        let branch = all["BUILDKITE_TAG"] == nil ? all["BUILDKITE_BRANCH"] : nil
        return CIBuild(branch.map { .branch($0) } ?? .nameless, build: build)
    }

    /// The page of a pull request of a repository on GitHub that is named by the address of an HTTPS clone.
    private static func requestPage(of clone: String?, _ number: String) -> String? {
        guard let clone, clone.hasPrefix("https://github.com/"),
            let repository = ForgeRepository(
                url: clone.hasSuffix(".git") ? String(clone.dropLast(4)) : clone)
        else { return nil }
        return "\(repository.url)/pull/\(number)"
    }

    /// CircleCI; it does not tell the branch that a request is made for.
    static func circleCI(_ all: CIVariables) -> CIBuild? {
        guard all.isTrue("CIRCLECI") else { return nil }
        let build = RunHost.Build(
            url: all.address("CIRCLE_BUILD_URL"), job: all["CIRCLE_JOB"], node: all["CIRCLE_NODE_INDEX"])
        let page = all.address("CIRCLE_PULL_REQUEST")
        let last = page?.split(separator: "/").last.map(String.init)
        if let number = all.number("CIRCLE_PR_NUMBER")
            ?? last.flatMap({ CIVariables(["n": $0]).number("n") })
        {
            let change = ChangeRequest(
                // Known of a request from a fork alone; CIRCLE_USERNAME is who started the build.
                number: number, url: page, source: all["CIRCLE_BRANCH"], author: all["CIRCLE_PR_USERNAME"])
            return CIBuild(.change(change, prefix: "PR"), build: build)
        }
        let branch = all["CIRCLE_TAG"] == nil ? all["CIRCLE_BRANCH"] : nil
        return CIBuild(branch.map { .branch($0) } ?? .nameless, build: build)
    }

    /// Bitbucket Pipelines.
    static func bitbucket(_ all: CIVariables) -> CIBuild? {
        guard let number = all.number("BITBUCKET_BUILD_NUMBER") else { return nil }
        let repository = all["BITBUCKET_REPO_FULL_NAME"]
            .flatMap { ForgeRepository(.bitbucket, url: "https://bitbucket.org/\($0)") }
        let build = RunHost.Build(
            url: repository.map { "\($0.url)/pipelines/results/\(number)" }, job: all["BITBUCKET_REPO_SLUG"], node: nil)
        if let request = all.number("BITBUCKET_PR_ID") {
            let change = ChangeRequest(
                number: request, url: repository.map { "\($0.url)/pull-requests/\(request)" },
                target: all["BITBUCKET_PR_DESTINATION_BRANCH"], source: all["BITBUCKET_BRANCH"])
            return CIBuild(.change(change, prefix: "PR"), build: build, repository: repository)
        }
        let branch = all["BITBUCKET_TAG"] == nil ? all["BITBUCKET_BRANCH"] : nil
        return CIBuild(branch.map { .branch($0) } ?? .nameless, build: build, repository: repository)
    }

    /// Azure Pipelines, over its own repositories or those of GitHub.
    static func azure(_ all: CIVariables) -> CIBuild? {
        guard all.isTrue("TF_BUILD") else { return nil }
        let page = all.first("SYSTEM_COLLECTIONURI", "SYSTEM_TEAMFOUNDATIONCOLLECTIONURI").flatMap { collection in
            all["SYSTEM_TEAMPROJECT"].flatMap { project in
                all.number("BUILD_BUILDID").map { build in
                    let place = collection.hasSuffix("/") ? collection : collection + "/"
                    let encoded = PercentEncoding.encode(project, keepsSlashes: false)
                    return "\(place)\(encoded)/_build/results?buildId=\(build)"
                }
            }
        }
        let build = RunHost.Build(
            url: page.flatMap { RunHost.isPlainAddress($0) ? $0 : nil }, job: all["BUILD_DEFINITIONNAME"],
            node: all.first("AGENT_NAME", "AGENT_MACHINENAME"))
        let isGitHub = all["BUILD_REPOSITORY_PROVIDER"] == "GitHub"
        let repository = all["BUILD_REPOSITORY_URI"]
            .flatMap {
                isGitHub ? ForgeRepository(.gitHub, url: $0.hasSuffix(".git") ? String($0.dropLast(4)) : $0) : nil
            }
        // Of a request on GitHub the id is Azure's own, and the number GitHub's.
        if let number = all.number("SYSTEM_PULLREQUEST_PULLREQUESTNUMBER", "SYSTEM_PULLREQUEST_PULLREQUESTID") {
            let place =
                isGitHub ? repository.map { "\($0.url)/pull" } : all["BUILD_REPOSITORY_URI"].map { "\($0)/pullrequest" }
            let url = place.map { "\($0)/\(number)" }
            let change = ChangeRequest(
                number: number, url: url.flatMap { RunHost.isPlainAddress($0) ? $0 : nil },
                target: CIVariables.withoutHeads(all["SYSTEM_PULLREQUEST_TARGETBRANCH"]),
                // Nothing tells its author: BUILD_REQUESTEDFOR is who started the build.
                source: CIVariables.withoutHeads(all["SYSTEM_PULLREQUEST_SOURCEBRANCH"]))
            return CIBuild(.change(change, prefix: "PR"), build: build, repository: repository)
        }
        let reference = all["BUILD_SOURCEBRANCH"] ?? ""
        guard reference.hasPrefix("refs/heads/"), let branch = CIVariables.withoutHeads(reference) else {
            return CIBuild(.nameless, build: build, repository: repository)
        }
        return CIBuild(.branch(branch), build: build, repository: repository)
    }

    /// Woodpecker; for a pull request its `CI_COMMIT_BRANCH` is the branch that the request is made for.
    static func woodpecker(_ all: CIVariables) -> CIBuild? {
        guard all["CI_SYSTEM_NAME"] == "woodpecker" || all["CI"] == "woodpecker" else { return nil }
        let build = RunHost.Build(
            url: all.address("CI_PIPELINE_URL", "CI_BUILD_LINK"), job: all.first("CI_WORKFLOW_NAME", "CI_STEP_NAME"),
            node: all["CI_MACHINE"])
        if let number = all.number("CI_COMMIT_PULL_REQUEST") {
            let change = ChangeRequest(
                number: number, url: all.address("CI_PIPELINE_FORGE_URL"),
                target: all.first("CI_COMMIT_TARGET_BRANCH", "CI_COMMIT_BRANCH"),
                source: all["CI_COMMIT_SOURCE_BRANCH"],
                author: all["CI_COMMIT_AUTHOR"])
            return CIBuild(.change(change, prefix: "PR"), build: build)
        }
        let branch = all["CI_COMMIT_TAG"] == nil ? all["CI_COMMIT_BRANCH"] : nil
        return CIBuild(branch.map { .branch($0) } ?? .nameless, build: build)
    }

    /// Drone; for a pull request its `DRONE_BRANCH` is the branch that the request is made for.
    static func drone(_ all: CIVariables) -> CIBuild? {
        guard all.isTrue("DRONE") else { return nil }
        let build = RunHost.Build(
            url: all.address("DRONE_BUILD_LINK"), job: all.first("DRONE_STAGE_NAME", "DRONE_REPO"),
            node: all["DRONE_STAGE_MACHINE"])
        if let number = all.number("DRONE_PULL_REQUEST") {
            let change = ChangeRequest(
                number: number, url: all.address("DRONE_COMMIT_LINK"),
                target: all.first("DRONE_TARGET_BRANCH", "DRONE_BRANCH"), source: all["DRONE_SOURCE_BRANCH"],
                author: all["DRONE_COMMIT_AUTHOR"])
            return CIBuild(.change(change, prefix: "PR"), build: build)
        }
        let branch = all["DRONE_TAG"] == nil ? all["DRONE_BRANCH"] : nil
        return CIBuild(branch.map { .branch($0) } ?? .nameless, build: build)
    }
}
