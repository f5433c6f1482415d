import RunModel
import TestSupport

@testable import Gate

/// A run, its settings and the base: without tampering it passes.
struct Trial: Sendable {
    var run = SampleRuns.passing(2)
    var baseline: Baseline
    var history = LineHistory()
    /// How the files differ from the base.
    var changes: [FileChange] = []
    /// What came of new and changed tests that were repeated.
    var probation: Probation?

    static let settings = GateSettings(
        policy: Policy(
            modules: [
                ModuleRule(pattern: "Core", floors: Floors(line: .percent(95), function: .percent(90))),
                ModuleRule(pattern: "to*", floors: Floors(line: .percent(70))),
            ],
            defaultFloors: Floors(line: .percent(80), region: .percent(50)), excludes: ["Sources/Old/*"],
            minimumTests: 2, maxSkipped: 2, maxWarnings: 1, flaky: .fail,
            budgets: [BudgetRule(pattern: "CoreTests/*", bound: .seconds(2))],
            ratchet: RatchetRule(), patch: PatchRule(line: .percent(90) ?? .zero, minimumLines: 5),
            project: ProjectRule(line: .percent(40), mayDrop: .percent(40)), fileFloor: .percent(10)
        ),
        limits: [
            SettingsLimit(.runTimeout, 1800, words: "30m"), SettingsLimit(.silenceTimeout, 300, words: "5m"),
            SettingsLimit(.testTimeout, 120, words: "2m"), SettingsLimit(.retries, 0, words: "0"),
            SettingsLimit(.interop, 0, words: "fail"), SettingsLimit(.undiscovered, 0, words: "gap"),
        ],
        lists: [
            SettingsList(.bundles, []), SettingsList(.before, ["scripts/generate.sh (10m)"]),
            SettingsList(.environment, ["MODE=1"]),
        ],
        places: [
            SettingsPlace(key: "run.before", place: ".kanmon.yml:12:7"),
            SettingsPlace(key: "coverage.modules.Core", place: ".kanmon.yml:3:5"),
            SettingsPlace(key: "tests.timeouts.run", place: ".kanmon.yml:9:20"),
        ],
        file: ".kanmon.yml"
    )

    init() {
        var base = SampleRuns.passing(1)
        // A file that the base excludes and the run still has.
        let old = FileCoverage(
            path: "Sources/Old/Old.swift", module: "Core", lines: SampleRuns.lines(9, covered: 0),
            regions: CoverageTally(), functions: CoverageTally())
        base.coverage?.files.append(old)
        run.coverage?.files.append(old)
        let stored = (try? Verdict(judging: base, by: Self.settings.policy)).map { BaseRun(base, $0) }
        let shape = PackageShape(base.modules)
        baseline = Baseline(
            commit: BaseCommit(commit: String(repeating: "0a", count: 20), kind: .mergeBase, name: "origin/main"),
            settings: Self.settings, head: Self.settings, basePackage: shape, package: shape, run: stored)
    }

    var policy: Policy {
        get { baseline.head.policy }
        set { baseline.head.policy = newValue }
    }

    func verdict(_ waivers: Waiver...) throws -> Verdict {
        var copy = self
        copy.baseline.waivers.waivers = waivers
        return try Verdict(
            judging: copy.run, by: copy.policy, history: copy.history, against: copy.baseline,
            changed: comparison(with: changes), probation: copy.probation)
    }

    /// The base's coverage is that of the sample itself.
    func comparison(with changes: [FileChange]) -> ChangeComparison {
        ChangeComparison(
            base: BaseCommit(commit: String(repeating: "0a", count: 20), kind: .mergeBase, name: "origin/main"),
            changes: changes,
            coverage: KnownCoverage(
                runs: [SampleRuns.id(1)], swiftVersion: SampleRuns.passing().toolchain?.swiftVersion,
                files: (SampleRuns.passing(1).coverage?.files ?? []).map(KnownLines.init)))
    }

    mutating func limit(_ rule: SettingsLimit.Rule, _ amount: Int?, _ words: String) {
        baseline.head.limits = baseline.head.limits.map {
            $0.rule == rule ? SettingsLimit(rule, amount, words: words) : $0
        }
    }

    mutating func list(_ rule: SettingsList.Rule, _ entries: [String]) {
        baseline.head.lists = baseline.head.lists.filter { $0.rule != rule } + [SettingsList(rule, entries)]
    }

    mutating func move(_ module: String, to other: String) {
        run.modules = run.modules.map { entry in
            guard entry.name == module else { return entry }
            return Module(
                name: other, compilerName: other, kind: entry.kind, isSwift: entry.isSwift, path: entry.path,
                sources: entry.sources, dependencies: entry.dependencies)
        }
        let files = run.coverage?.files ?? []
        for (index, file) in files.enumerated() where file.module == module {
            run.coverage?.files[index].module = other
        }
    }
}
