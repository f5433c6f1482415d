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

    @Test func `git's variables, preloaded libraries and Kanmon's own variables are never passed on`() {
        let environment = ChildEnvironment(
            parent: parent,
            extra: ["GIT_DIR", "GIT_INDEX_FILE=/x", "LD_PRELOAD", "KANMON_HOME", "KANMON_NEW=1", "LLVM_PROFILE_FILE"])
        #expect(environment.variables == ChildEnvironment(parent: parent).variables)
    }
}
