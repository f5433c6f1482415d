import RunModel
import TestSupport
import Testing

@testable import Gate

/// The first settings of a package: where the base has none, floors may start where it stands, and no lower.
@Suite struct FirstSettingsTests {
    /// `Core` covers `covered` of 20 lines at the base and in the run; floors of `Core` in percent.
    private static func changes(
        covered: Int, now: Int? = nil, floor: Int?, default: Int = 80, hasBaseRun: Bool = true
    ) throws -> [GateChange] {
        var run = SampleRuns.passing(2)
        func cover(_ lines: Int) {
            run.coverage?.files[0].lines = SampleRuns.lines(12, covered: min(12, lines))
            run.coverage?.files[1].lines = SampleRuns.lines(8, covered: max(0, lines - 12))
        }
        cover(covered)
        let stored = BaseRun(run, try Verdict(judging: run, by: Policy()))
        cover(now ?? covered)
        let policy = Policy(
            modules: floor.map { [ModuleRule(pattern: "Core", floors: Floors(line: .percent($0)))] } ?? [],
            defaultFloors: Floors(line: .percent(`default`)))
        let baseline = Baseline(
            commit: ChangedRun.base, settings: GateSettings(), head: GateSettings(policy: policy, file: ".kanmon.yml"),
            run: hasBaseRun ? stored : nil)
        return BaseComparison(run, policy, baseline).changes
    }

    private static func lowered(from before: String, to after: String) -> [GateChange] {
        [GateChange(.floorLowered, subject: "Core", metric: .line, before: before, after: after)]
    }

    @Test func `a floor may start at what the base covers in whole percents`() throws {
        #expect(try Self.changes(covered: 3, floor: 15) == [])
        #expect(try Self.changes(covered: 3, floor: 14) == Self.lowered(from: "15 %", to: "14 %"))
        #expect(try Self.changes(covered: 0, floor: 0) == [])
    }

    @Test func `a module that covers more than the default starts at the default`() throws {
        #expect(try Self.changes(covered: 20, floor: 80) == [])
        #expect(try Self.changes(covered: 20, floor: 79) == Self.lowered(from: "80 %", to: "79 %"))
    }

    @Test func `where the run of the base is known, what this one covers counts for nothing`() throws {
        #expect(try Self.changes(covered: 10, now: 3, floor: 50) == [])
        #expect(try Self.changes(covered: 10, now: 3, floor: 15) == Self.lowered(from: "50 %", to: "15 %"))
    }

    @Test func `without a run of the base this one tells what is covered`() throws {
        #expect(try Self.changes(covered: 10, now: 3, floor: 15, hasBaseRun: false) == [])
        #expect(
            try Self.changes(covered: 10, now: 3, floor: 14, hasBaseRun: false)
                == Self.lowered(from: "15 %", to: "14 %"))
    }

    @Test func `the default of modules to come is 80 as before`() throws {
        let expected = GateChange(
            .defaultFloorLowered, subject: "default", metric: .line, before: "80 %", after: "10 %")
        #expect(try Self.changes(covered: 2, floor: 10, default: 10).map(\.code) == [.defaultFloorLowered])
        var change = expected
        change.items = ["tool"]
        #expect(try Self.changes(covered: 2, floor: 10, default: 10) == [change])
    }

    @Test func `with settings at the base every lower floor is a change`() throws {
        var trial = Trial()
        trial.baseline.settings?.policy.modules = []
        trial.baseline.settings?.policy.defaultFloors = Floors(line: .percent(96))
        trial.policy.modules = [ModuleRule(pattern: "Core", floors: Floors(line: .percent(95)))]
        trial.policy.defaultFloors = Floors(line: .percent(96))
        #expect(
            BaseComparison(trial.run, trial.policy, trial.baseline).changes.map(\.code) == [.floorLowered])
    }
}
