import Gate
import RunModel
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

    @Test func `in a list in brackets it stands on the line of the first`() throws {
        let own = "{ test: A.S/t(), owner: ana, reason: \"waits: for it\", expires: 2026-12-01 }"
        let other = "{ test: B.t, owner: o, reason: r, expires: 2026-12-01 }"
        #expect(
            try adding(to: "tests:\n  quarantine: [ \(other) ] # all\n")
                == "tests:\n  quarantine: [ \(own), \(other) ] # all\n")
        #expect(
            try adding(to: "tests:\n  quarantine: [\n    \(other)\n  ]\n")
                == "tests:\n  quarantine: [\n    \(own), \(other)\n  ]\n")
        var edited = SettingsText("coverage:\n  exclude: [ \"Sources/Made/**\" ]\n", file: ".kanmon.yml")
        try edited.add([("path", "Sources/A/**"), ("reason", "made")], to: ["coverage", "exclude"])
        #expect(
            edited.text
                == "coverage:\n  exclude: [ { path: \"Sources/A/**\", reason: made }, \"Sources/Made/**\" ]\n")
        let excludes = try Settings.read(text: edited.text, file: "f").policy.excludes
        #expect(excludes.map(\.pattern) == ["Sources/A/**", "Sources/Made/**"])
        #expect(excludes.map(\.reason) == ["made", nil])
    }

    @Test func `line ends and a byte order mark stay`() throws {
        let text = try adding(to: "\u{FEFF}version: 1\r\ntests:\r\n  minimum: 3\r\n")
        #expect(text.hasPrefix("\u{FEFF}version: 1\r\ntests:\r\n  quarantine:\r\n    - test: A.S/t()\r\n"))
        #expect(text.hasSuffix("  minimum: 3\r\n"))
    }

    private func setting(
        _ number: String, for metric: String = "line", of module: String = "Core", after previous: String? = nil,
        in text: String
    ) throws -> String {
        var edited = SettingsText(text, file: ".kanmon.yml")
        try edited.set(
            number, for: metric, in: ["coverage", "modules", module], shorthand: "line", after: previous)
        let floors = try Settings.read(text: edited.text, file: "f").policy.modules.first { $0.pattern == module }?
            .floors
        #expect(floors?[try #require(CoverageMetric(rawValue: metric))]?.description == number)
        return edited.text
    }

    @Test func `a number is set where it stands, and everything else stays`() throws {
        #expect(
            try setting("70.5", in: "coverage: # all\n  modules:\n    \"A*\": 3 # a\n    Core:   95  # c\n")
                == "coverage: # all\n  modules:\n    \"A*\": 3 # a\n    Core:   70.5  # c\n")
        #expect(
            try setting("70", in: "coverage: { modules: { 'Core': { function: 9, line: 95 } } } # end")
                == "coverage: { modules: { 'Core': { function: 9, line: 70 } } } # end\n")
        #expect(
            try setting("70", in: "coverage:\r\n  modules:\r\n    Core:\r\n      line: 95\r\n")
                == "coverage:\r\n  modules:\r\n    Core:\r\n      line: 70\r\n")
    }

    @Test func `a number that is missing is set before the others`() throws {
        let new = "coverage:\n  modules:\n    Core: { line: 70 }\n"
        #expect(try setting("70", in: "") == new)
        #expect(try setting("70", in: "coverage:\n") == new)
        #expect(try setting("70", in: "coverage:\n  modules:\n") == new)
        #expect(try setting("70", in: "coverage:\n  modules:\n    \"*\": 3\n") == new + "    \"*\": 3\n")
        #expect(
            try setting("70", in: "coverage: { modules: { B: 3 } }\n")
                == "coverage: { modules: { Core: { line: 70 }, B: 3 } }\n")
        #expect(
            try setting("9", for: "function", in: "coverage:\n  modules:\n    Core: 95 # c\n")
                == "coverage:\n  modules:\n    Core: { line: 95, function: 9 } # c\n")
        #expect(
            try setting("9", for: "function", in: "coverage:\n  modules:\n    Core: { line: 95 }\n")
                == "coverage:\n  modules:\n    Core: { function: 9, line: 95 }\n")
        #expect(try setting("70", of: "日本 *", in: "").hasSuffix("    \"日本 *\": { line: 70 }\n"))
    }

    @Test func `what is missing stands after the key that has to come first`() throws {
        let new = "    \"*UI\": { line: 70 }\n"
        let old = "coverage:\n  modules:\n    # own\n    KitUI: 95 # c\n"
        #expect(
            try setting("70", of: "*UI", after: "KitUI", in: old + "    # all\n    \"*\": 3\n")
                == old + new + "    # all\n    \"*\": 3\n")
        let nested = "coverage:\n  modules:\n    KitUI:\n      line: 95\n      function: 9\n"
        #expect(try setting("70", of: "*UI", after: "KitUI", in: nested) == nested + new)
        #expect(try setting("70", of: "*UI", after: "KitUI", in: nested + "# end\n") == nested + new + "# end\n")
        #expect(
            try setting("70", of: "*UI", after: "KitUI", in: "coverage: { modules: { KitUI: 95, B: 3 } }\n")
                == "coverage: { modules: { KitUI: 95, \"*UI\": { line: 70 }, B: 3 } }\n")
        #expect(throws: SettingsError.self) {
            try setting("70", of: "*UI", after: "KitUI", in: "coverage: { modules: { KitUI: 95 } }\n")
        }
    }

    @Test(arguments: [
        "coverage: { ratchet: true }\n", "coverage:\n  modules: {}\n",
        "coverage:\n  modules:\n    Core: { line: \"95\" }\n",
        "coverage:\n  modules: [ Core ]\n", "[ 1 ]\n",
    ])
    func `no number is set where it cannot stand`(_ text: String) {
        #expect(throws: SettingsError.self) { try setting("70", in: text) }
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
