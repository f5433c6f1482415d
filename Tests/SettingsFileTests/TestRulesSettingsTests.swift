import Gate
import RunModel
import SettingsFile
import Testing

@Suite struct TestRulesSettingsTests {
    @Test func `flaky tests, the quarantine and budgets become rules with their locations`() throws {
        let text = """
            tests:
              flaky: fail
              quarantine:
                - { test: "CoreTests.URLTests/testHost", owner: ana, reason: "waits, often", expires: 2026-12-01 }
                - test: CoreTests.free()
                  expires: "2027-01-31"
                  reason: why
                  owner: "<bo>"
              budgets: { "PerfTests/*": 2s, PerfTests.: 250ms }
            """
        let settings = try Settings.read(text: text, file: ".kanmon.yml")
        var expected = Settings()
        expected.flaky = Setting(.fail, from: place(2, 10))
        expected.quarantine = [
            Setting(
                QuarantineEntry(
                    test: "CoreTests.URLTests/testHost", owner: "ana", reason: "waits, often",
                    expires: try #require(CalendarDay("2026-12-01"))), from: place(4, 7)),
            Setting(
                QuarantineEntry(
                    test: "CoreTests.free()", owner: "<bo>", reason: "why",
                    expires: try #require(CalendarDay("2027-01-31"))), from: place(5, 7)),
        ]
        expected.budgets = [
            Setting(BudgetRule(pattern: "PerfTests/*", bound: .seconds(2)), from: place(9, 14)),
            Setting(BudgetRule(pattern: "PerfTests.", bound: .milliseconds(250)), from: place(9, 33)),
        ]
        #expect(settings == expected)
        #expect(
            settings.policy
                == Policy(
                    flaky: .fail, quarantine: expected.quarantine.map(\.value), budgets: expected.budgets.map(\.value)))
        let rows = settings.described().filter {
            ["tests.flaky", "tests.quarantine"].contains($0.key) || $0.key.hasPrefix("tests.budgets")
        }
        #expect(
            rows.map { "\($0.key): \($0.value)" } == [
                "tests.flaky: fail",
                "tests.quarantine: CoreTests.URLTests/testHost, until 2026-12-01, owner ana: waits, often",
                "tests.quarantine: CoreTests.free(), until 2027-01-31, owner <bo>: why",
                "tests.budgets.PerfTests/*: 2s", "tests.budgets.PerfTests.: 250ms",
            ])
    }

    @Test func `new and changed tests are repeated by default, and only what blocks is a rule`() throws {
        let preset = Settings()
        #expect(preset.probationRuns.value == 20)
        #expect(preset.probationBudget.value == .seconds(30))
        #expect(preset.policy.probation == nil)
        func demand(_ text: String) throws -> ProbationDemand? {
            try Settings.read(text: "tests: { probation: { \(text) } }", file: "f").policy.probation
        }
        #expect(try demand("on-failure: block") == ProbationDemand(runs: 20, budget: .seconds(30)))
        #expect(
            try demand("runs: 5, budget: 2m, on-failure: block") == ProbationDemand(runs: 5, budget: .seconds(120)))
        #expect(try demand("runs: 5, budget: 2m") == nil)
        #expect(try demand("budget: off, on-failure: block") == nil)
        let off = try Settings.read(text: "tests: { probation: { budget: off } }", file: "f")
        #expect(off.probationBudget == Setting(nil, from: .file(Place(file: "f", line: 1, column: 31))))
    }

    private static let entry = "test: A.b, owner: o, reason: r, expires: 2026-12-01"

    @Test(arguments: [
        Mistake(
            "tests: { flaky: retry }", "f:1:17: tests.flaky: 'retry' is neither 'warn' nor 'fail'",
            "write warn to show flaky tests, or fail to let them block"),
        Mistake(
            "tests: { probation: { on-failure: fail } }",
            "f:1:35: tests.probation.on-failure: 'fail' is neither 'report' nor 'block'",
            "write report to have failures shown, or block"),
        Mistake(
            "tests: { probation: { runs: 0 } }", "f:1:29: tests.probation.runs: 0 is not from 1 to 1000",
            "write budget: off to repeat none"),
        Mistake(
            "tests: { quarantine: [ { test: A.b, owner: o, expires: 2026-12-01 } ] }",
            "f:1:24: tests.quarantine: the entry lacks 'reason'",
            "write { test: CoreTests.URLTests/testHost, owner: ana, reason: why, expires: 2026-12-01 }"),
        Mistake(
            "tests: { quarantine: [ { test: A.b, owner: o, reason: r, expires: 2026-02-30 } ] }",
            "f:1:67: tests.quarantine.expires: '2026-02-30' is not a day", "write a day such as 2026-12-01"),
        Mistake(
            "tests: { quarantine: [ { \(entry) }, { \(entry) } ] }",
            "f:1:81: 'tests.quarantine: A.b' is set more than once", "keep one of them"),
        Mistake(
            "tests: { quarantine: [ { \(entry), until: 1 } ] }", "f:1:79: unknown key 'until' in tests.quarantine",
            "the keys here are 'test', 'owner', 'reason', 'expires'"),
        Mistake(
            "tests: { quarantine: [ A.b ] }",
            "f:1:24: tests.quarantine must be a mapping of test, owner, reason and expires, not 'A.b'"),
        Mistake(
            "tests: { quarantine: [ { \(entry), owner: p } ] }", "f:1:37: 'owner' is set more than once",
            "keep one of them"),
        Mistake(
            "tests: { budgets: { A: 2 } }", "f:1:24: tests.budgets.A: '2' is not a time bound",
            "write at most a week, such as 250ms, 2s or 1m"),
        Mistake(
            "tests: { budgets: [ A ] }",
            "f:1:19: tests.budgets must be a mapping of tests to time bounds, not a list"),
    ])
    func `a rule that is not whole is refused`(mistake: Mistake) { mistake.expect() }

    @Test(arguments: [("250ms", 250), ("2s", 2000), ("1m30s", 90_000), ("9999999ms", 9_999_999)])
    func `a bound has units`(text: String, milliseconds: Int) {
        #expect(Duration(budget: text) == .milliseconds(milliseconds))
    }

    @Test(arguments: ["", "ms", "0ms", "1.5ms", "-1ms", "1s500ms", "99999999ms", "2", "１ms"])
    func `anything else is no bound`(text: String) { #expect(Duration(budget: text) == nil) }
}
