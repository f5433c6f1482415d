import Foundation
import RunModel
import TestSupport
import Testing

@testable import Gate

@Suite struct BaseReviewTests {
    private static func floor(_ thousandths: Int) throws -> Percentage {
        try #require(Percentage(thousandths: thousandths))
    }

    /// `Core` 18 of 20 lines instead of 19.
    private static func dropped() -> Trial {
        var trial = Trial()
        trial.baseline.settings?.policy.modules[0].floors = Floors(line: .percent(80))
        trial.policy.modules[0].floors = Floors(line: .percent(80))
        trial.run.coverage?.files[1].lines = SampleRuns.lines(8, covered: 6)
        return trial
    }

    @Test func `under the ratchet the floor is what the base covered, less a tenth of a point`() throws {
        let verdict = try Self.dropped().verdict()
        let missed = try #require(verdict.violations.first?.coverage)
        #expect(verdict.violations.count == 1)
        #expect(missed.floor == (try Self.floor(94_900)))
        #expect(missed.source == .ratchet)
        #expect(missed.shortfall == 1)
        let raised = RaisedFloor(
            module: "Core", metric: .line, floor: try Self.floor(94_900), source: .ratchet,
            tally: CoverageTally(covered: 19, total: 20))
        #expect(verdict.base?.floors.first == raised)
    }

    @Test(arguments: ["Core", "coverage-dropped"])
    func `the ratchet falls with a waiver only`(subject: String) throws {
        let waiver = try GateChangeTests.waiver(subject)
        let verdict = try Self.dropped().verdict(waiver)
        #expect(verdict.decision == .passed)
        let expected = GateChange(
            .coverageDropped, subject: "Core", metric: .line, before: "94.9 %", after: "90.0 %", waiver: waiver)
        #expect(verdict.base?.changes == [expected])
        #expect(verdict.base?.waivers == [WaiverStatus(waiver, .used)])
    }

    @Test func `a module within the tolerance passes, and one that covered nothing has no ratchet`() throws {
        let rule = RatchetRule()
        #expect(rule.floor(after: CoverageTally(covered: 834, total: 1000)) == (try Self.floor(83_300)))
        #expect(rule.floor(after: CoverageTally(covered: 2, total: 3)) == (try Self.floor(66_566)))
        #expect(rule.floor(after: CoverageTally(covered: 0, total: 3)) == .zero)
        #expect(rule.floor(after: CoverageTally()) == nil)
    }

    @Test func `without a stored run of the base the ratchet cannot be judged`() throws {
        var trial = Trial()
        trial.baseline.run = nil
        let verdict = try trial.verdict()
        #expect(verdict.decision == .undecided)
        let commit = try #require(trial.baseline.commit).commit
        #expect(
            verdict.gaps == [
                Gap(.baseRunMissing, subject: "ratchet", detail: "no complete run of \(commit) is stored")
            ])
    }

    @Test func `without a stored run of the base the rules on tests are said not to be judged`() throws {
        var trial = Trial()
        trial.policy.ratchet = nil
        trial.baseline.settings?.policy.ratchet = nil
        trial.run.tests.removeAll { $0.outcome == .skipped }
        #expect(try trial.verdict().base?.notJudged == [])
        trial.baseline.run = nil
        let verdict = try trial.verdict()
        #expect(verdict.decision == .passed)
        #expect(
            verdict.base?.notJudged == [.testsDropped, .testsSkipped, .knownIssuesAdded, .argumentsDropped])
    }

    @Test func `the ratchet cannot be judged without a known base`() throws {
        let policy = Policy(ratchet: RatchetRule())
        let gap = Gap(.baseUnknown, detail: "the run was not compared with a base, which coverage.ratchet needs")
        let head = GateSettings(policy: policy)
        for baseline in [nil, Baseline(head: head)] {
            let verdict = try Verdict(judging: SampleRuns.passing(), by: policy, against: baseline)
            #expect(verdict.gaps == [gap])
            #expect(verdict.exitStatus == .undecided)
        }
        var all = policy
        all.patch = PatchRule(line: .zero)
        all.project = ProjectRule(mayDrop: .zero)
        #expect(
            try Verdict(judging: SampleRuns.passing(), by: all).gaps.map(\.detail) == [
                "the run was not compared with a base, which coverage.patch, coverage.project.may-drop and "
                    + "coverage.ratchet need"
            ])
        // What the search for the base has told is not told twice, and where nothing stood before nothing is missing.
        let cut = Gap(.baseUnknown, detail: "the history is cut")
        let shallow = Baseline(head: head, gaps: [cut])
        #expect(try Verdict(judging: SampleRuns.passing(), by: all, against: shallow).gaps == [cut])
        let first = Baseline(absence: "it is the first commit", head: head)
        #expect(try Verdict(judging: SampleRuns.passing(), by: all, against: first).decision == .passed)
        var part = SampleRuns.passing()
        part.selection = Selection(filters: ["x"])
        #expect(try Verdict(judging: part, by: policy).decision == .passed)
    }

    @Test func `the ratchet follows a module under its new name`() throws {
        var trial = Self.dropped()
        trial.move("Core", to: "Kern")
        trial.policy.modules[0].pattern = "Kern"
        let verdict = try trial.verdict()
        #expect(verdict.base?.changes == [])
        #expect(verdict.base?.floors.first { $0.module == "Kern" }?.floor == (try Self.floor(94_900)))
    }

    @Test func `a floor that the commit lowers is applied as the base has it`() throws {
        var trial = Trial()
        trial.baseline.settings?.policy.ratchet = nil
        trial.policy.ratchet = nil
        trial.policy.modules[0].floors.line = .percent(10)
        trial.run.coverage?.files[1].lines = SampleRuns.lines(8, covered: 2)
        let verdict = try trial.verdict()
        let raised = RaisedFloor(module: "Core", metric: .line, floor: try Self.floor(95_000), source: .base)
        #expect(verdict.base?.floors == [raised])
        #expect(verdict.modules.first?.floors.line == (try Self.floor(95_000)))
        #expect(verdict.violations.count == 2)
    }

    @Test func `files that a new pattern takes out still count until it is waived`() throws {
        var trial = Trial()
        trial.policy.excludes.append("**/URLRule.swift")
        #expect(try trial.verdict().modules.first?.lines == CoverageTally(covered: 19, total: 20))
        #expect(
            try trial.verdict(GateChangeTests.waiver("exclude-added")).modules.first?.lines
                == CoverageTally(covered: 12, total: 12))
    }

    @Test func `the files that count are those that the verdict counted`() throws {
        func counted(_ trial: Trial, _ waivers: Waiver...) throws -> [String] {
            var trial = trial
            trial.baseline.waivers.waivers = waivers
            return try Verdict(judging: trial.run, by: trial.policy, against: trial.baseline)
                .countedFiles(of: trial.run.coverage).map(\.path)
        }
        let all = ["Sources/Core/Core.swift", "Sources/Core/URLRule.swift", "Sources/tool/main.swift"]
        var trial = Trial()
        #expect(try counted(trial) == all)
        trial.policy.excludes.append("**/URLRule.swift")
        #expect(try counted(trial) == all)
        #expect(try counted(trial, GateChangeTests.waiver("exclude-added")) == [all[0], all[2]])
        // The new pattern is refused what the base counted, and no more.
        trial.policy.excludes = ["Sources/*/*l*"]
        #expect(try counted(trial) == all)
        trial.baseline.settings = nil
        #expect(try counted(trial) == [all[0], all[2]])
    }

    @Test func `a stricter rule is no gate change`() throws {
        var trial = Trial()
        trial.policy.modules[0].floors = Floors(line: .percent(95), region: .percent(60), function: .percent(100))
        trial.policy.excludes = []
        trial.limit(.runTimeout, 60, "1m")
        trial.run.tests.append(
            TestResult(
                id: TestID(module: "CoreTests", suite: "", name: "new()"), library: .swiftTesting, outcome: .skipped))
        trial.run.coverage?.files.removeLast()
        #expect(try trial.verdict().base?.changes == [])
    }

    @Test func `a partial run is judged by the settings, not compared with the tests of the base`() throws {
        var trial = Trial()
        trial.run.tests.removeFirst()
        trial.run.selection.filters = ["x"]
        trial.policy.modules[0].floors.line = .percent(60)
        #expect(try trial.verdict().base?.changes.map(\.code) == [.floorLowered])
    }

    @Test func `a waiver that nothing needs is shown, with what was probably meant`() throws {
        let waivers = [
            try GateChangeTests.waiver("Core"), try GateChangeTests.waiver("Corr"),
            try GateChangeTests.waiver("floor-lowerd"),
        ]
        let verdict = try Trial().verdict(waivers[0], waivers[1], waivers[2])
        #expect(verdict.decision == .passed)
        #expect(
            verdict.base?.waivers == [
                WaiverStatus(waivers[0], .unused), WaiverStatus(waivers[1], .unused, suggestion: "Core"),
                WaiverStatus(waivers[2], .unused, suggestion: "floor-lowered"),
            ])
    }

    @Test func `a waiver of the base is shown until it expires, and lets nothing new pass`() throws {
        var trial = Trial()
        let earlier = [try GateChangeTests.waiver("Core"), try GateChangeTests.waiver("Core", until: "2026-01-01")]
        trial.baseline.waivers.earlier = earlier
        trial.policy.modules[0].floors.line = .percent(60)
        let verdict = try Verdict(judging: trial.run, by: trial.policy, against: trial.baseline)
        #expect(verdict.base?.blocking.map(\.code) == [.floorLowered])
        #expect(verdict.base?.waivers == [WaiverStatus(earlier[0], .standing)])
    }

    @Test func `a baseline is the same after it was kept`() throws {
        let baseline = Trial().baseline
        #expect(try JSONDecoder().decode(Baseline.self, from: JSONEncoder().encode(baseline)) == baseline)
        let verdict = try Trial().verdict()
        #expect(try JSONDecoder().decode(Verdict.self, from: JSONEncoder().encode(verdict)) == verdict)
    }
}

@Suite struct WaiverTests {
    private static let commit = String(repeating: "c", count: 40)

    private static func reading(_ message: String) -> WaiverReading {
        var reading = WaiverReading()
        reading.read(message: message, of: commit)
        return reading
    }

    @Test func `a trailer is read anywhere in the message, in any case, over several lines`() throws {
        let reading = Self.reading(
            "subject\n\nbody\nkanmon-waiver: Core until=2026-12-31 moves\n to Kern: soon\n\nKanmon-Waiver:tests-dropped until=2027-01-01 old\n"
        )
        #expect(
            reading.waivers == [
                Waiver(
                    subject: "Core", until: try #require(CalendarDay("2026-12-31")), reason: "moves to Kern: soon",
                    commit: Self.commit, line: 4),
                Waiver(
                    subject: "tests-dropped", until: try #require(CalendarDay("2027-01-01")), reason: "old",
                    commit: Self.commit, line: 7),
            ])
        #expect(reading.faults == [])
    }

    @Test(arguments: [
        ("", WaiverFault.Problem.subjectMissing), ("until=2026-12-31 why", .subjectMissing), ("Core", .dayMissing),
        ("Core why until=2026-12-31", .dayMissing), ("Core until=2026-02-29 why", .dayWrong),
        ("Core until=tomorrow why", .dayWrong), ("Core until=2026-12-31", .reasonMissing),
    ])
    func `what is meant as a waiver and is none is a fault with its line`(text: String, problem: WaiverFault.Problem) {
        let reading = Self.reading("s\n\nKanmon-Waiver: \(text)")
        #expect(reading.waivers == [])
        #expect(reading.faults == [WaiverFault(text: text, problem: problem, commit: Self.commit, line: 3)])
    }

    @Test(arguments: ["    ", "\t", " ", "> ", ">", "| ", "\u{A0}", "text\u{2028}", "text\u{85}", "text\u{B}"])
    func `what a message quotes of another is no waiver`(quote: String) {
        let message = "Revert \"Lower the floor\"\n\nThis reverts commit 1a2b3c, whose message was:\n\n"
        #expect(
            Self.reading("\(message)\(quote)Kanmon-Waiver: Core until=2026-12-31 for the drill\n")
                == WaiverReading())
    }

    @Test func `a waiver is read where lines end with CR LF`() {
        #expect(Self.reading("s\r\n\r\nKanmon-Waiver: Core until=2026-12-31 why\r\n").waivers.map(\.reason) == ["why"])
    }

    @Test func `other lines are no waivers`() {
        #expect(Self.reading("Kanmon-Waivers: a\nsee Kanmon-Waiver: b\nKanmon Waiver: c") == WaiverReading())
    }
}
