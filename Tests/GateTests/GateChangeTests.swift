import Foundation
import RunModel
import TestSupport
import Testing

@testable import Gate

@Suite struct GateChangeTests {
    static func waiver(_ subject: String, until: String = "2026-01-02") throws -> Waiver {
        Waiver(
            subject: subject, until: try #require(CalendarDay(until)), reason: "because",
            commit: String(repeating: "c", count: 40), line: 3)
    }

    @Test func `without tampering nothing blocks`() throws {
        let verdict = try Trial().verdict()
        #expect(verdict.decision == .passed)
        #expect(verdict.base?.changes == [])
        #expect(verdict.base?.floors.map(\.source) == [.ratchet, .ratchet, .ratchet, .ratchet])
    }

    @Test func `scripts of settings that come into a package for the first time are no change`() throws {
        var trial = Trial()
        trial.baseline.settings = GateSettings()
        trial.list(.before, ["scripts/generate.sh (10m)"])
        trial.baseline.head.policy = Policy()
        #expect(BaseComparison(trial.run, Policy(), trial.baseline).changes == [])
    }

    @Test func `a parameterised test that failed, or has more arguments, has lost none`() throws {
        var trial = Trial()
        trial.run.tests[0].arguments.append("3")
        #expect(try trial.verdict().base?.changes == [])
        trial.run.tests[0].arguments = []
        trial.run.tests[0].outcome = .failed
        #expect(try trial.verdict().base?.changes == [])
    }

    @Test func `a local package without code, or of the base, is no change`() throws {
        var trial = Trial()
        trial.run.localPackages = [
            LocalPackage(path: "Kit", modules: ["Kit"]), LocalPackage(path: "Plugins", modules: []),
        ]
        trial.baseline.run?.localPackages = ["Kit"]
        #expect(try trial.verdict().base?.changes == [])
    }

    @Test func `without a stored run the manifests tell which local packages are new`() throws {
        var trial = Trial()
        trial.policy.ratchet = nil
        trial.baseline.settings?.policy.ratchet = nil
        trial.baseline.run = nil
        trial.baseline.basePackage?.localPackages = ["Old"]
        trial.baseline.package?.localPackages = ["Old", "Fresh"]
        // What an old one depends on is in no manifest of the package.
        trial.run.localPackages = ["Deep", "Fresh", "Old"].map { LocalPackage(path: $0, modules: ["\($0)Code"]) }
        #expect(try trial.verdict().base?.changes.map(\.subject) == ["Fresh"])
    }

    @Test(arguments: Tampering.all)
    func `what weakens the gate blocks and says so`(tampering: Tampering) throws {
        var trial = Trial()
        tampering.change(&trial)
        let verdict = try trial.verdict()
        #expect(verdict.base?.changes == [tampering.expected])
        #expect(
            verdict.violations.filter { $0.rule != "floor" } == [
                .gateChange(tampering.expected)
            ])
        #expect(verdict.exitStatus == .gateFailed)
    }

    @Test(arguments: Tampering.all)
    func `a waiver for the code or the subject lets it pass, and is shown`(tampering: Tampering) throws {
        var trial = Trial()
        tampering.change(&trial)
        for subject in [tampering.expected.code.rawValue, tampering.expected.subject] {
            let waiver = try Self.waiver(subject)
            var expected = tampering.expected
            expected.waiver = waiver
            let verdict = try trial.verdict(waiver)
            #expect(verdict.decision == .passed)
            #expect(verdict.base?.waived == [expected])
            #expect(verdict.base?.waivers == [WaiverStatus(waiver, .used)])
        }
    }

    @Test(arguments: Tampering.all)
    func `the day after its last one a waiver lets nothing pass`(tampering: Tampering) throws {
        var trial = Trial()
        tampering.change(&trial)
        let waiver = try Self.waiver(tampering.expected.code.rawValue, until: "2026-01-01")
        let verdict = try trial.verdict(waiver)
        #expect(verdict.decision == .failed)
        #expect(verdict.base?.changes == [tampering.expected])
        #expect(verdict.base?.waivers == [WaiverStatus(waiver, .expired)])
    }

    @Test func `a waiver holds for a year and no longer`() throws {
        var trial = Trial()
        trial.policy.modules[0].floors.line = .percent(60)
        for (day, state) in [
            ("2027-01-03", WaiverStatus.State.used), ("2027-01-04", .tooLong), ("9999-12-31", .tooLong),
        ] {
            let waiver = try Self.waiver("Core", until: day)
            let verdict = try trial.verdict(waiver)
            #expect(verdict.decision == (state == .used ? .passed : .failed))
            #expect(verdict.base?.waivers == [WaiverStatus(waiver, state)])
        }
    }

    @Test func `a new test that is skipped is no change where none is gone`() throws {
        var trial = Trial()
        for outcome in [Outcome.skipped, .knownIssue] {
            trial.run.tests.append(
                TestResult(
                    id: TestID(module: "CoreTests", suite: "", name: outcome.rawValue), library: .xctest,
                    outcome: outcome))
        }
        #expect(try trial.verdict().base?.changes == [])
    }

    @Test func `a lowered coverage rule keeps the value of the base until it is waived`() throws {
        var trial = Trial()
        trial.policy.patch = nil
        trial.policy.project = nil
        trial.policy.fileFloor = nil
        let codes: [GateChangeCode] = [
            .patchFloorLowered, .projectFloorLowered, .projectDropRaised, .fileFloorLowered,
        ]
        func rules(_ waived: [GateChangeCode]) throws -> Policy {
            trial.baseline.waivers.waivers = try waived.map { try Self.waiver($0.rawValue) }
            let comparison = BaseComparison(trial.run, trial.policy, trial.baseline)
            #expect(comparison.changes.map(\GateChange.code) == codes)
            return comparison.rules
        }
        let base = try rules([])
        #expect(base.patch == Trial.settings.policy.patch)
        #expect(base.project == Trial.settings.policy.project)
        #expect(base.fileFloor == Trial.settings.policy.fileFloor)
        let waived = try rules(codes)
        #expect(waived.patch == nil)
        #expect(waived.project == nil)
        #expect(waived.fileFloor == nil)
        #expect(try rules([.projectFloorLowered]).project == ProjectRule(mayDrop: .percent(40)))
    }

    @Test func `every code has a tampering, but for the one that needs a lower coverage`() {
        let codes = Set(Tampering.all.map(\.expected.code)).union([.coverageDropped])
        #expect(codes == Set(GateChangeCode.allCases))
    }

    @Test func `the table in the documentation has every code`() throws {
        let text = try String(contentsOf: Checkout.top.appending(path: "docs/gate-changes.md"), encoding: .utf8)
        let rows = text.split(separator: "\n").filter { $0.hasPrefix("| `") }.map(String.init)
        #expect(rows == GateChangeCode.allCases.map { "| `\($0.rawValue)` | \($0.meaning) |" })
    }
}
