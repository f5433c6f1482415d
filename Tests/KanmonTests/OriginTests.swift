import RunModel
import Testing

@testable import Application

@Suite struct OriginTests {
    private let remote = ForgeRepository(.gitHub, url: "https://github.com/fork/kit")

    private func repository(_ environment: [String: String], remote: ForgeRepository? = nil) -> ForgeRepository? {
        ProcessContext(environment: environment, workingDirectory: "/w", arguments: []).origin(of: remote)?.repository
    }

    @Test func `a forge's own CI names the repository, and its word is before that of the remote`() {
        let gitHub = [
            "GITHUB_ACTIONS": "true", "GITHUB_SERVER_URL": "https://git.example.com", "GITHUB_REPOSITORY": "acme/kit",
        ]
        let url = "https://git.example.com/acme/kit"
        #expect(repository(gitHub, remote: remote) == ForgeRepository(.gitHub, url: url))
        for name in ["GITEA_ACTIONS", "FORGEJO_ACTIONS"] {
            #expect(repository(gitHub.merging([name: "true"]) { $1 }) == ForgeRepository(.gitea, url: url))
        }
        #expect(
            repository(["GITLAB_CI": "true", "CI_PROJECT_URL": url], remote: remote)
                == ForgeRepository(.gitLab, url: url))
    }

    @Test func `elsewhere the remote names it, and nothing else does`() {
        #expect(repository([:], remote: remote) == remote)
        #expect(repository([:]) == nil)
        #expect(repository(["CI_PROJECT_URL": "https://gitlab.com/a/b", "GITHUB_REPOSITORY": "a/b"]) == nil)
        let unsound = ["GITLAB_CI": "true", "CI_PROJECT_URL": "https://me:secret@gitlab.com/a/b"]
        #expect(repository(unsound) == nil)
        #expect(repository(unsound, remote: remote) == remote)
    }
}
