import Foundation
import Testing

@testable import TestRunning

@Suite struct ChildEnvironmentTests {
    private let parent = [
        "PATH": "/bin", "LC_ALL": "ja_JP.UTF-8", "HTTPS_PROXY": "http://proxy", "GIT_INDEX_FILE": "/repo/.git/index",
        "GIT_DIR": "/repo/.git", "LD_PRELOAD": "/evil.so", "AWS_SECRET_ACCESS_KEY": "canary", "LICENSE_KEY": "k",
        "KANMON_HOME": "/store", "KANMON_VERBOSE": "1", "LLVM_PROFILE_FILE": "/elsewhere",
        "__LLVM_PROFILE_RT_INIT_ONCE": "__LLVM_PROFILE_RT_INIT_ONCE", "SHLVL": "1",
    ]

    @Test func `only names on the list pass, and the others are named`() {
        let environment = ChildEnvironment(parent: parent)
        #expect(
            environment.variables == ["PATH": "/bin", "LC_ALL": "ja_JP.UTF-8", "HTTPS_PROXY": "http://proxy"]
        )
        // What no setting lets through is nothing to miss.
        #expect(environment.withheld == ["AWS_SECRET_ACCESS_KEY", "LICENSE_KEY"])
    }

    @Test(arguments: [
        ("/usr/lib/git-core:/usr/bin:/bin", "/usr/bin:/bin"), ("/opt/git/libexec/git-core", ""), ("", ""),
        ("/usr/bin::/bin:/usr/lib/git-core", "/usr/bin::/bin:/usr/lib/git-core"),
    ])
    func `what git puts before the folders of a hook is not there`(path: String, passed: String) {
        #expect(ChildEnvironment(parent: ["PATH": path]).variables == ["PATH": passed])
    }

    @Test func `of each variable a few digits are kept, of credentials and a socket only that they are there`() {
        func checksums(_ variables: [String]) -> [String: String] {
            ChildEnvironment(parent: [:], extra: variables, ceiling: "/repo/.git/kanmon").checksums
        }
        #expect(
            checksums(["LC_ALL=ja_JP.UTF-8", "TZ=UTC", "API_TOKEN=a", "SSH_AUTH_SOCK=/tmp/1"])
                == ["LC_ALL": "e8e3", "TZ": "e584", "API_TOKEN": "9113", "SSH_AUTH_SOCK": "2f09"])
        #expect(checksums(["API_TOKEN=b", "SSH_AUTH_SOCK=/tmp/2"]) == ["API_TOKEN": "9113", "SSH_AUTH_SOCK": "2f09"])
    }

    @Test func `with an empty home no variable leads to a folder of the user, and none out of the new ones`() throws {
        let names = ["HOME", "TMP", "XDG_CACHE_HOME", "XDG_MUSIC_DIR", "XDG_/../../a_HOME", "XDG_SESSION_ID", "PATH"]
        let home = try EmptyHome(instead: Dictionary(names.map { ($0, "/user") }) { first, _ in first })
        defer { home.remove() }
        #expect(
            home.variables.keys.sorted()
                == ["CFFIXED_USER_HOME", "HOME", "TMP", "TMPDIR", "XDG_CACHE_HOME", "XDG_MUSIC_DIR"])
        // Foundation asks for the first one before the account and HOME.
        #expect(home.variables["CFFIXED_USER_HOME"] == home.variables["HOME"])
        for folder in home.variables.values {
            let found = try FileManager.default.contentsOfDirectory(atPath: folder)
            #expect(found == [])
        }
    }

    @Test func `a name lets a variable through and an assignment sets one`() {
        let environment = ChildEnvironment(
            parent: parent, extra: ["LICENSE_KEY", "MODE=a=b", "EMPTY=", "NOT_THERE", "=odd", ""]
        )
        #expect(
            environment.variables == [
                "PATH": "/bin", "LC_ALL": "ja_JP.UTF-8", "HTTPS_PROXY": "http://proxy", "LICENSE_KEY": "k",
                "MODE": "a=b", "EMPTY": "",
            ]
        )
    }

    @Test func `what leads git elsewhere, preloaded libraries and Kanmon's own variables are never passed on`() {
        let environment = ChildEnvironment(
            parent: parent,
            extra: ["GIT_DIR", "GIT_INDEX_FILE=/x", "LD_PRELOAD", "KANMON_HOME", "KANMON_NEW=1", "LLVM_PROFILE_FILE"])
        #expect(environment.variables == ChildEnvironment(parent: parent).variables)
        #expect(environment.buildVariables == environment.variables)
    }

    @Test func `git's settings reach SwiftPM, and the tests only where they are named`() {
        let settings = [
            "GIT_ASKPASS": "/ask", "GIT_SSH": "s", "GIT_SSH_COMMAND": "ssh -i k", "GIT_CONFIG_GLOBAL": "g",
            "GIT_CONFIG_SYSTEM": "s", "GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "http.extraHeader",
            "GIT_CONFIG_VALUE_0": "canary", "GIT_SSL_CAINFO": "ca", "GIT_HTTP_PROXY_AUTHMETHOD": "basic",
            "GIT_USERNAME": "u", "GIT_PASSWORD": "canary", "SSH_ASKPASS": "/ask", "NETRC": "/netrc",
            "GIT_SSH_VARIANT": "ssh", "GIT_TERMINAL_PROMPT": "0", "GIT_CONFIG_PARAMETERS": "'a.b=c'",
            "GIT_PROXY_COMMAND": "p", "GIT_ALLOW_PROTOCOL": "https:ssh", "GH_TOKEN": "canary", "KRB5CCNAME": "FILE:/c",
        ]
        let elsewhere = [
            "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES",
            "GIT_NAMESPACE", "GIT_REPLACE_REF_BASE", "GIT_COMMON_DIR", "GIT_GRAFT_FILE", "GIT_SHALLOW_FILE",
            "GIT_QUARANTINE_PATH", "GIT_PREFIX", "GIT_TRACE", "GIT_TRACE_CURL", "GIT_CURL_VERBOSE",
        ]
        let variables = settings.merging(elsewhere.map { ($0, "1") }) { $1 }.merging(["PATH": "/bin"]) { $1 }
        let environment = ChildEnvironment(parent: variables)
        #expect(environment.variables == ["PATH": "/bin"])
        #expect(environment.buildVariables == settings.merging(["PATH": "/bin"]) { $1 })
        let named = ChildEnvironment(parent: variables, extra: ["GIT_CONFIG_GLOBAL=/dev/null", "GIT_TRACE", "GIT_DIR"])
        #expect(named.variables == ["PATH": "/bin", "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_TRACE": "1"])
        #expect(named.buildVariables["GIT_CONFIG_GLOBAL"] == "/dev/null")
        #expect(named.buildVariables["GIT_ASKPASS"] == "/ask")
    }
}
