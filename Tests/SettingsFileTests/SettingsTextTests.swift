import Gate
import SettingsFile
import Testing

@Suite struct SettingsTextTests {
    private let fields = [
        ("test", "A.S/t()"), ("owner", "ana"), ("reason", "waits: for it"), ("expires", "2026-12-01"),
    ]

    private func adding(to text: String) throws -> String {
        var edited = SettingsText(text, file: ".kanmon.yml")
        try edited.add(fields.map { (key: $0.0, value: $0.1) }, to: ["tests", "quarantine"])
        let quarantine = try Settings.read(text: edited.text, file: "f").policy.quarantine
        #expect(quarantine.first?.test == "A.S/t()")
        #expect(quarantine.first?.reason == "waits: for it")
        #expect(quarantine.count == (try Settings.read(text: text, file: "f").policy.quarantine.count) + 1)
        return edited.text
    }

    @Test func `what is missing is written`() throws {
        let entry = """
            tests:
              quarantine:
                - test: A.S/t()
                  owner: ana
                  reason: "waits: for it"
                  expires: 2026-12-01

            """
        #expect(try adding(to: "") == entry)
        #expect(try adding(to: "version: 1 # first\n# end") == "version: 1 # first\n# end\n\(entry)")
        #expect(try adding(to: "tests:\n") == entry)
        #expect(try adding(to: "tests:\n  quarantine:\n") == entry)
    }

    @Test func `it stands before what is there, and everything else stays`() throws {
        #expect(
            try adding(to: "tests: # all\n    minimum: 3\ncoverage:\n  ratchet: true\n") == """
                tests: # all
                    quarantine:
                      - test: A.S/t()
                        owner: ana
                        reason: "waits: for it"
                        expires: 2026-12-01
                    minimum: 3
                coverage:
                  ratchet: true

                """)
        let other = "- { test: B.t, owner: o, reason: r, expires: 2026-12-01 }"
        #expect(
            try adding(to: "tests:\n  quarantine:\n  # old\n  \(other)\n  flaky: fail\n") == """
                tests:
                  quarantine:
                  # old
                  - test: A.S/t()
                    owner: ana
                    reason: "waits: for it"
                    expires: 2026-12-01
                  \(other)
                  flaky: fail

                """)
    }

    @Test func `line ends and a byte order mark stay`() throws {
        let text = try adding(to: "\u{FEFF}version: 1\r\ntests:\r\n  minimum: 3\r\n")
        #expect(text.hasPrefix("\u{FEFF}version: 1\r\ntests:\r\n  quarantine:\r\n    - test: A.S/t()\r\n"))
        #expect(text.hasSuffix("  minimum: 3\r\n"))
    }

    @Test(arguments: [
        "tests: { minimum: 3 }\n", "{ version: 1 }\n", "tests:\n  quarantine: []\n", "tests:\n  quarantine:\n    [ ]\n",
    ])
    func `nothing is added in brackets`(_ text: String) {
        #expect(throws: SettingsError.self) { try adding(to: text) }
    }

    @Test(arguments: [
        "`a b`()", "- x", "a # b", "a: b", "null", "\"q\" \\ ", " x", "x ", "é日本", "line\u{2028}end", "{",
        "1", "~",
        "'", "@a", "%b", "!c", "&d", "*e", "|", ">", "?", "true",
    ]) func `any text is read back as it was`(_ name: String) throws {
        var edited = SettingsText("", file: "f")
        try edited.add(
            [("test", name), ("owner", name), ("reason", name), ("expires", "2026-12-01")], to: ["tests", "quarantine"])
        let entry = try #require(try Settings.read(text: edited.text, file: "f").policy.quarantine.first)
        #expect([entry.test, entry.owner, entry.reason] == [name, name, name])
    }
}
