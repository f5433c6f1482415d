import RunModel
import Testing

@testable import Application

/// What is told of a build, in the variables that each CI server documents.
@Suite struct CIBuildTests {
    /// A build in one line each: branch, change request, its address, page of the build, job and node, repository.
    private func told(_ variables: String, files: [String: String] = [:]) -> [String] {
        var environment: [String: String] = [:]
        for line in variables.split(separator: "\n") {
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            environment[String(parts[0])] = String(parts[1])
        }
        guard let build = CIBuild(environment, readingFile: { files[$0] }) else { return [] }
        return [
            build.branch?.text, build.change?.description, build.change?.link, build.build?.url,
            build.build.map { [$0.job, $0.node].compactMap { $0 }.joined(separator: " on ") }, build.repository?.url,
        ].map { $0 ?? "-" }
    }

    @Test func `GitHub Actions`() {
        let shared = """
            GITHUB_ACTIONS=true
            GITHUB_SERVER_URL=https://github.com
            GITHUB_REPOSITORY=acme/kit
            GITHUB_RUN_ID=1658821493
            GITHUB_RUN_NUMBER=3
            GITHUB_WORKFLOW=Gate
            GITHUB_JOB=test
            RUNNER_NAME=Hosted Agent
            GITHUB_ACTOR=whoever-started-it
            GITHUB_EVENT_PATH=/event.json

            """
        let place = [
            "https://github.com/acme/kit/actions/runs/1658821493", "Gate/test on Hosted Agent",
            "https://github.com/acme/kit",
        ]
        let request = """
            GITHUB_REF=refs/pull/12/merge
            GITHUB_REF_NAME=12/merge
            GITHUB_REF_TYPE=branch
            GITHUB_HEAD_REF=main
            GITHUB_BASE_REF=release/6
            """
        let event = #"{"sender": {"login": "bot"}, "pull_request": {"number": 12, "user": {"login": "kim"}}}"#
        let others: [String?] = [
            nil, String(event.dropLast()), event.replacing("12", with: "13"), #"{"pull_request": {"number": 12}}"#,
        ]
        #expect(
            told(shared + request, files: ["/event.json": event])
                == ["PR-12", "12 from main into release/6 by kim", "https://github.com/acme/kit/pull/12"] + place)
        // Without the file, with a part of it, and of another request, nobody is named.
        for text in others {
            #expect(
                told(shared + request, files: text.map { ["/event.json": $0] } ?? [:])
                    == ["PR-12", "12 from main into release/6", "https://github.com/acme/kit/pull/12"] + place)
        }
        #expect(
            told(shared + "GITHUB_REF=refs/heads/a/b\nGITHUB_REF_NAME=a/b\nGITHUB_REF_TYPE=branch")
                == ["a/b", "-", "-"] + place)
        #expect(
            told(shared + "GITHUB_REF=refs/tags/1.2.0\nGITHUB_REF_NAME=1.2.0\nGITHUB_REF_TYPE=tag")
                == ["-", "-", "-"] + place)
        // pull_request_target: the reference is the branch that the request is made for.
        #expect(
            told(shared + "GITHUB_REF=refs/heads/main\nGITHUB_REF_NAME=main\nGITHUB_HEAD_REF=x\nGITHUB_BASE_REF=main")
                == ["-", "-", "-"] + place)
    }

    @Test func `Gitea's and Forgejo's runners build a branch or a tag`() {
        for server in ["GITEA_ACTIONS", "FORGEJO_ACTIONS"] {
            let shared = """
                GITHUB_ACTIONS=true
                \(server)=true
                GITHUB_SERVER_URL=https://git.example.com
                GITHUB_REPOSITORY=acme/kit
                GITHUB_RUN_ID=992
                GITHUB_RUN_NUMBER=8
                GITHUB_WORKFLOW=gate.yaml
                GITHUB_JOB=test

                """
            let place = [
                "https://git.example.com/acme/kit/actions/runs/8", "gate.yaml/test", "https://git.example.com/acme/kit",
            ]
            let pushed = "GITHUB_REF=refs/heads/main\nGITHUB_REF_NAME=main\nGITHUB_REF_TYPE=branch"
            #expect(told(shared + pushed) == ["main", "-", "-"] + place)
            let tagged = "GITHUB_REF=refs/tags/v1\nGITHUB_REF_NAME=v1\nGITHUB_REF_TYPE=tag"
            #expect(told(shared + tagged) == ["-", "-", "-"] + place)
        }
    }

    @Test func `Gitea's runner builds a pull request`() {
        let event = #"{"pull_request": {"number": 3, "user": {"id": 1, "login": "kim"}}}"#
        #expect(
            told(
                """
                GITHUB_ACTIONS=true
                GITEA_ACTIONS=true
                GITHUB_SERVER_URL=https://git.example.com
                GITHUB_REPOSITORY=acme/kit
                GITHUB_RUN_ID=991
                GITHUB_RUN_NUMBER=7
                GITHUB_REF=refs/pull/3/head
                GITHUB_REF_NAME=3/head
                GITHUB_HEAD_REF=topic
                GITHUB_BASE_REF=main
                GITHUB_ACTOR=whoever-started-it
                GITHUB_EVENT_PATH=/event.json
                """, files: ["/event.json": event]) == [
                    "PR-3", "3 from topic into main by kim", "https://git.example.com/acme/kit/pulls/3",
                    "https://git.example.com/acme/kit/actions/runs/7", "", "https://git.example.com/acme/kit",
                ])
    }

    @Test func `GitLab`() {
        let shared = """
            GITLAB_CI=true
            CI_PROJECT_URL=https://gitlab.example.com/acme/kit
            CI_JOB_URL=https://gitlab.example.com/acme/kit/-/jobs/55
            CI_JOB_NAME=gate
            CI_RUNNER_DESCRIPTION=runner-1
            CI_COMMIT_AUTHOR=Kim Doe <kim@example.com>

            """
        let place = [
            "https://gitlab.example.com/acme/kit/-/jobs/55", "gate on runner-1", "https://gitlab.example.com/acme/kit",
        ]
        #expect(
            told(
                shared + """
                    CI_MERGE_REQUEST_IID=8
                    CI_MERGE_REQUEST_PROJECT_URL=https://gitlab.example.com/acme/kit
                    CI_MERGE_REQUEST_SOURCE_BRANCH_NAME=topic
                    CI_MERGE_REQUEST_TARGET_BRANCH_NAME=main
                    """) == [
                    "MR-8", "8 from topic into main by Kim Doe",
                    "https://gitlab.example.com/acme/kit/-/merge_requests/8",
                ] + place)
        #expect(told(shared + "CI_COMMIT_BRANCH=生") == ["生", "-", "-"] + place)
        #expect(
            told("GITLAB_CI=true\nGITLAB_USER_NAME=whoever started it\nCI_MERGE_REQUEST_IID=8")
                == ["MR-8", "8", "-", "-", "-", "-"])
        #expect(told(shared + "CI_COMMIT_TAG=1.0\nCI_COMMIT_REF_NAME=1.0") == ["-", "-", "-"] + place)
    }

    @Test func `Jenkins: multibranch, change requests, and jobs of one branch`() {
        let shared = """
            BUILD_URL=https://ci.example.com/job/kit/12/
            JOB_NAME=kit/PR-12
            NODE_NAME=agent-1

            """
        let place = ["https://ci.example.com/job/kit/12/", "kit/PR-12 on agent-1", "-"]
        let asked = """
            CHANGE_URL=https://github.com/acme/kit/pull/12
            CHANGE_TARGET=main
            CHANGE_BRANCH=main
            CHANGE_AUTHOR=kim
            CHANGE_AUTHOR_DISPLAY_NAME=Kim Doe
            CHANGE_ID=12

            """
        #expect(
            told(shared + asked + "BRANCH_NAME=PR-12\nGIT_BRANCH=PR-12")
                == ["PR-12", "12 from main into main by Kim Doe", "https://github.com/acme/kit/pull/12"] + place)
        #expect(told(shared + asked + "BRANCH_NAME=MR-12-merge").first == "MR-12-merge")
        #expect(told(shared + "BRANCH_NAME=feature/x\nGIT_BRANCH=origin/main").first == "feature/x")
        #expect(told(shared + "GIT_BRANCH=origin/release/6.x").first == "release/6.x")
        #expect(told(shared + "GIT_BRANCH=refs/heads/x").first == "x")
        #expect(told(shared + "GIT_BRANCH=detached").first == "-")
        #expect(told(shared + "BRANCH_NAME=1.2.0\nTAG_NAME=1.2.0\nGIT_BRANCH=1.2.0").first == "-")
        // The branch of a fork may be called main.
        #expect(told(shared + "CHANGE_BRANCH=main").first == "-")
        #expect(
            told(
                shared + """
                    ghprbPullId=5
                    ghprbPullLink=https://github.com/acme/kit/pull/5
                    ghprbSourceBranch=s
                    ghprbTargetBranch=main
                    """) == ["PR-5", "5 from s into main", "https://github.com/acme/kit/pull/5"] + place)
        #expect(
            told(
                shared + """
                    gitlabMergeRequestIid=6
                    gitlabSourceBranch=s
                    gitlabTargetBranch=main
                    gitlabUserName=whoever started it
                    """)
                == ["MR-6", "6 from s into main", "-"] + place)
    }

    @Test func `Buildkite`() {
        let shared = """
            BUILDKITE=true
            BUILDKITE_BUILD_URL=https://buildkite.com/acme/kit/builds/1514
            BUILDKITE_PIPELINE_SLUG=kit
            BUILDKITE_AGENT_NAME=elastic-1
            BUILDKITE_REPO=https://github.com/acme/kit.git
            BUILDKITE_BUILD_CREATOR=whoever started it

            """
        let place = ["https://buildkite.com/acme/kit/builds/1514", "kit on elastic-1", "-"]
        #expect(
            told(
                shared
                    + "BUILDKITE_BRANCH=fork:main\nBUILDKITE_PULL_REQUEST=9\nBUILDKITE_PULL_REQUEST_BASE_BRANCH=main")
                == ["PR-9", "9 from fork:main into main", "https://github.com/acme/kit/pull/9"] + place)
        #expect(
            told(shared + "BUILDKITE_BUILD_AUTHOR=Kim\nBUILDKITE_BRANCH=main\nBUILDKITE_PULL_REQUEST=9")[1]
                == "9 from main by Kim")
        #expect(told(shared + "BUILDKITE_BRANCH=main\nBUILDKITE_PULL_REQUEST=false") == ["main", "-", "-"] + place)
        #expect(told(shared + "BUILDKITE_BRANCH=v1\nBUILDKITE_TAG=v1") == ["-", "-", "-"] + place)
    }

    @Test func `CircleCI`() {
        let shared = """
            CIRCLECI=true
            CIRCLE_BUILD_URL=https://circleci.com/gh/acme/kit/17
            CIRCLE_JOB=gate
            CIRCLE_USERNAME=whoever-started-it

            """
        let place = ["https://circleci.com/gh/acme/kit/17", "gate", "-"]
        let request = "CIRCLE_BRANCH=topic\nCIRCLE_PULL_REQUEST=https://github.com/acme/kit/pull/21"
        #expect(told(shared + request) == ["PR-21", "21 from topic", "https://github.com/acme/kit/pull/21"] + place)
        #expect(told(shared + request + "\nCIRCLE_PR_USERNAME=kim")[1] == "21 from topic by kim")
        #expect(told(shared + "CIRCLE_BRANCH=main") == ["main", "-", "-"] + place)
        #expect(told(shared + "CIRCLE_TAG=v1") == ["-", "-", "-"] + place)
    }

    @Test func `Bitbucket Pipelines`() {
        let shared = "BITBUCKET_BUILD_NUMBER=4\nBITBUCKET_REPO_FULL_NAME=acme/kit\nBITBUCKET_REPO_SLUG=kit\n"
        let place = ["https://bitbucket.org/acme/kit/pipelines/results/4", "kit", "https://bitbucket.org/acme/kit"]
        #expect(
            told(shared + "BITBUCKET_BRANCH=topic\nBITBUCKET_PR_ID=2\nBITBUCKET_PR_DESTINATION_BRANCH=main")
                == ["PR-2", "2 from topic into main", "https://bitbucket.org/acme/kit/pull-requests/2"] + place)
        #expect(told(shared + "BITBUCKET_BRANCH=main") == ["main", "-", "-"] + place)
        #expect(told(shared + "BITBUCKET_TAG=v1") == ["-", "-", "-"] + place)
    }

    @Test func `Azure Pipelines`() {
        let shared = """
            TF_BUILD=True
            SYSTEM_COLLECTIONURI=https://dev.azure.com/acme/
            SYSTEM_TEAMPROJECT=The Kit
            BUILD_BUILDID=77
            BUILD_DEFINITIONNAME=gate
            AGENT_NAME=Azure 1
            BUILD_REQUESTEDFOR=whoever started it

            """
        let page = "https://dev.azure.com/acme/The%20Kit/_build/results?buildId=77"
        #expect(
            told(
                shared + """
                    BUILD_SOURCEBRANCH=refs/pull/31/merge
                    BUILD_REPOSITORY_PROVIDER=GitHub
                    BUILD_REPOSITORY_URI=https://github.com/acme/kit
                    SYSTEM_PULLREQUEST_PULLREQUESTID=5531
                    SYSTEM_PULLREQUEST_PULLREQUESTNUMBER=31
                    SYSTEM_PULLREQUEST_SOURCEBRANCH=topic
                    SYSTEM_PULLREQUEST_TARGETBRANCH=main
                    """) == [
                    "PR-31", "31 from topic into main", "https://github.com/acme/kit/pull/31", page,
                    "gate on Azure 1", "https://github.com/acme/kit",
                ])
        #expect(
            told(
                shared + """
                    BUILD_SOURCEBRANCH=refs/pull/8/merge
                    BUILD_REPOSITORY_PROVIDER=TfsGit
                    BUILD_REPOSITORY_URI=https://dev.azure.com/acme/kit/_git/kit
                    SYSTEM_PULLREQUEST_PULLREQUESTID=8
                    SYSTEM_PULLREQUEST_SOURCEBRANCH=refs/heads/topic
                    SYSTEM_PULLREQUEST_TARGETBRANCH=refs/heads/main
                    """) == [
                    "PR-8", "8 from topic into main",
                    "https://dev.azure.com/acme/kit/_git/kit/pullrequest/8", page, "gate on Azure 1", "-",
                ])
        #expect(told(shared + "BUILD_SOURCEBRANCH=refs/heads/a/b").first == "a/b")
        #expect(told(shared + "BUILD_SOURCEBRANCH=refs/tags/v1").first == "-")
    }

    @Test func `TeamCity tells the branch in files of properties`() {
        let variables = "TEAMCITY_VERSION=2026.1\nTEAMCITY_BUILDCONF_NAME=Gate\nTEAMCITY_BUILD_PROPERTIES_FILE=/t/build"
        let build = "agent.name=agent\\ 1\nteamcity.configuration.properties.file=/t/configuration\n"
        let page = "https://tc.example.com/build/6"
        func told(_ configuration: String) -> [String] {
            self.told(
                variables,
                files: [
                    "/t/build": build,
                    "/t/configuration": "#made\nteamcity.build.url=https\\://tc.example.com/build/6\n" + configuration,
                ])
        }
        #expect(told("teamcity.build.branch=t\\u00f6pic") == ["töpic", "-", "-", page, "Gate on agent 1", "-"])
        #expect(told("teamcity.build.branch=refs/heads/main").first == "main")
        #expect(told("teamcity.build.branch=<default>").first == "-")
        #expect(
            told(
                """
                teamcity.build.branch=pull/6
                teamcity.pullRequest.number=6
                teamcity.pullRequest.source.branch=topic
                teamcity.pullRequest.target.branch=main
                """) == ["PR-6", "6 from topic into main", "-", page, "Gate on agent 1", "-"])
        #expect(self.told(variables) == ["-", "-", "-", "-", "Gate", "-"])
    }

    @Test func `Woodpecker`() {
        let shared =
            "CI=woodpecker\nCI_SYSTEM_NAME=woodpecker\nCI_PIPELINE_URL=https://ci.example.com/repos/1/pipeline/2\n"
        let place = ["https://ci.example.com/repos/1/pipeline/2", "", "-"]
        #expect(
            told(
                shared + """
                    CI_COMMIT_BRANCH=main
                    CI_COMMIT_PULL_REQUEST=4
                    CI_COMMIT_SOURCE_BRANCH=topic
                    CI_COMMIT_TARGET_BRANCH=main
                    CI_COMMIT_AUTHOR=kim
                    CI_PIPELINE_FORGE_URL=https://codeberg.org/acme/kit/pulls/4
                    """) == ["PR-4", "4 from topic into main by kim", "https://codeberg.org/acme/kit/pulls/4"] + place)
        #expect(told(shared + "CI_COMMIT_BRANCH=main") == ["main", "-", "-"] + place)
        #expect(told(shared + "CI_COMMIT_BRANCH=main\nCI_COMMIT_TAG=v1") == ["-", "-", "-"] + place)
    }

    @Test func `Drone`() {
        let shared =
            "DRONE=true\nCI=true\nDRONE_BUILD_LINK=https://drone.example.com/acme/kit/42\nDRONE_REPO=acme/kit\n"
        let place = ["https://drone.example.com/acme/kit/42", "acme/kit", "-"]
        #expect(
            told(
                shared + """
                    DRONE_BRANCH=main
                    DRONE_PULL_REQUEST=14
                    DRONE_SOURCE_BRANCH=topic
                    DRONE_TARGET_BRANCH=main
                    DRONE_COMMIT_AUTHOR=kim
                    DRONE_COMMIT_LINK=https://github.com/acme/kit/pull/14
                    """) == ["PR-14", "14 from topic into main by kim", "https://github.com/acme/kit/pull/14"] + place)
        #expect(told(shared + "DRONE_BRANCH=main") == ["main", "-", "-"] + place)
    }

    @Test func `a server without variables of its own is told by Kanmon's`() {
        let place = ["https://bb.example.com/#/builders/1", "gate on w1", "-"]
        let shared = "KANMON_CI_URL=https://bb.example.com/#/builders/1\nKANMON_CI_JOB=gate\nKANMON_CI_NODE=w1\n"
        #expect(told(shared + "KANMON_CI_BRANCH=main\nGITHUB_ACTIONS=true") == ["main", "-", "-"] + place)
        #expect(
            told(
                shared + """
                    KANMON_CI_CHANGE=3
                    KANMON_CI_CHANGE_URL=https://git.example.com/3
                    KANMON_CI_BRANCH=topic
                    KANMON_CI_TARGET=main
                    KANMON_CI_AUTHOR=kim
                    """) == ["PR-3", "3 from topic into main by kim", "https://git.example.com/3"] + place)
    }

    @Test func `outside of CI nothing is told, and what no server sets is passed over`() {
        #expect(told("") == [])
        #expect(told("CI=true\nGITHUB_REF_NAME=main\nCI_COMMIT_BRANCH=main") == [])
        #expect(
            told("GITLAB_CI=true\nCI_JOB_URL=javascript:alert(1)\nCI_MERGE_REQUEST_IID=1x") == [
                "-", "-", "-", "-", "-", "-",
            ])
        #expect(
            told("GITLAB_CI=true\nCI_JOB_NAME=a\u{1B}b\nCI_RUNNER_DESCRIPTION=\(String(repeating: "x", count: 2000))")[
                4] == "-")
    }
}
