import Testing

@testable import Application

/// What the tests see of the environment, as a part of what a tree is known by.
@Suite struct TestVariablesTests {
    private static let variables = [
        "PATH": "/bin", "HOME": "/home/someone", "CI": "1", "TZ": "UTC", "SSH_AUTH_SOCK": "/tmp/1",
    ]

    private func changed(_ name: String, _ value: String?) -> TestVariables {
        var variables = Self.variables
        variables[name] = value
        return TestVariables(variables)
    }

    @Test(arguments: [
        "CI", "TZ", "LANG", "LC_TIME", "CC", "SDKROOT", "PKG_CONFIG_PATH", "LD_LIBRARY_PATH", "CPATH", "MODE",
    ])
    func `each variable decides which runs answer, also one that is empty or gone`(name: String) {
        let all = [changed(name, "a"), changed(name, "b"), changed(name, ""), changed(name, nil)]
        #expect(Set(all.map(\.environment)).count == 4)
        #expect(Set(all.map(\.places)).count == 1)
    }

    @Test(arguments: ["PATH", "HOME", "USER", "TERM", "TMPDIR", "XDG_CACHE_HOME", "SWIFTLY_HOME_DIR"])
    func `places decide on their own`(name: String) {
        let all = [changed(name, "a"), changed(name, "b"), changed(name, nil)]
        #expect(Set(all.map(\.places)).count == 3)
        #expect(Set(all.map(\.environment)).count == 1)
    }

    @Test func `of the agent of a login it only counts that it is there`() {
        #expect(changed("SSH_AUTH_SOCK", "/tmp/2") == TestVariables(Self.variables))
        #expect(changed("SSH_AUTH_SOCK", nil) != TestVariables(Self.variables))
    }

    @Test func `no value is kept, and a value does not run into the next name`() {
        #expect(TestVariables(["A": "secret"]).environment.utf8.count == 64)
        #expect(TestVariables(["A": "1", "B": "2"]) != TestVariables(["A": "1B=2"]))
    }
}
