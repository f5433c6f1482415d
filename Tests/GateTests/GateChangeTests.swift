import Foundation
import RunModel
import TestSupport
import Testing

@testable import Gate

/// One way to lower the bar: what a commit does, and the gate change it must be seen as.
struct Tampering: Sendable, CustomTestStringConvertible {
    var expected: GateChange
    /// What the commit does.
    var change: @Sendable (inout Trial) -> Void

    init(_ expected: GateChange, _ change: @escaping @Sendable (inout Trial) -> Void) {
        self.expected = expected
        self.change = change
    }

    var testDescription: String { "\(expected.code.rawValue) \(expected.subject) \(expected.after)" }
}

/// A run, its settings and the base: without tampering it passes.
struct Trial: Sendable {
    var run = SampleRuns.passing(2)
    var baseline: Baseline
    var history = LineHistory()

    static let bar = Bar(
        policy: Policy(
            modules: [
                ModuleRule(pattern: "Core", floors: Floors(line: .percent(95), function: .percent(90))),
                ModuleRule(pattern: "to*", floors: Floors(line: .percent(70))),
            ],
            defaultFloors: Floors(line: .percent(80), region: .percent(50)), excludes: ["Sources/Old/*"],
            minimumTests: 2, flaky: .fail, budgets: [BudgetRule(pattern: "CoreTests/*", bound: .seconds(2))],
            ratchet: RatchetRule(), patch: PatchRule(line: .percent(90) ?? .zero, minimumLines: 5),
            project: ProjectRule(line: .percent(40), mayDrop: .percent(40)), fileFloor: .percent(10)
        ),
        limits: [
            BarLimit(.minimumTests, 2, words: "2"), BarLimit(.runTimeout, 1800, words: "30m"),
            BarLimit(.silenceTimeout, 300, words: "5m"), BarLimit(.ratchet, 1, words: "true"),
            BarLimit(.flaky, 1, words: "fail"), BarLimit(.testTimeout, 120, words: "2m"),
            BarLimit(.retries, 0, words: "0"), BarLimit(.patch, 90_000, words: "90 %"),
            BarLimit(.patchMinimum, 5, words: "5 lines"), BarLimit(.project, 40_000, words: "40 %"),
            BarLimit(.projectDrop, 40_000, words: "40 %"), BarLimit(.files, 10_000, words: "10 %"),
        ],
        lists: [
            BarList(.bundles, []), BarList(.before, ["scripts/generate.sh (10m)"]), BarList(.environment, ["MODE=1"]),
        ],
        places: [
            BarPlace(key: "run.before", place: ".kanmon.yml:12:7"),
            BarPlace(key: "coverage.modules.Core", place: ".kanmon.yml:3:5"),
            BarPlace(key: "tests.timeouts.run", place: ".kanmon.yml:9:20"),
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
        let stored = (try? Verdict(judging: base, by: Self.bar.policy)).map { BaseRun(base, $0) }
        let shape = PackageShape(base.modules)
        baseline = Baseline(
            commit: BaseCommit(commit: String(repeating: "0a", count: 20), kind: .mergeBase, name: "origin/main"),
            bar: Self.bar, head: Self.bar, basePackage: shape, package: shape, run: stored)
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
            changed: comparison(with: []))
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

    mutating func limit(_ rule: BarLimit.Rule, _ amount: Int?, _ words: String) {
        baseline.head.limits = baseline.head.limits.map {
            $0.rule == rule ? BarLimit(rule, amount, words: words) : $0
        }
    }

    mutating func list(_ rule: BarList.Rule, _ entries: [String]) {
        baseline.head.lists = baseline.head.lists.filter { $0.rule != rule } + [BarList(rule, entries)]
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

@Suite struct GateChangeTests {
    static let tests = SampleRuns.passing().tests.map(\.id.description)

    static let tamperings: [Tampering] = [
        Tampering(
            GateChange(
                .floorLowered, subject: "Core", metric: .line, before: "95 %", after: "60 %",
                basePlace: ".kanmon.yml:3:5", place: ".kanmon.yml:3:5")
        ) { $0.policy.modules[0].floors.line = .percent(60) },
        Tampering(
            GateChange(
                .floorLowered, subject: "Core", metric: .line, before: "95 %", after: "none",
                basePlace: ".kanmon.yml:3:5", place: ".kanmon.yml:3:5")
        ) { $0.policy.modules[0].floors.line = .percent(0) },
        Tampering(
            GateChange(
                .floorRemoved, subject: "Core", metric: .function, before: "90 %", after: "none",
                basePlace: ".kanmon.yml:3:5", place: ".kanmon.yml:3:5")
        ) { $0.policy.modules[0].floors.function = nil },
        Tampering(
            GateChange(
                .floorRemoved, subject: "Core", metric: .line, before: "95 %", after: "80 %",
                basePlace: ".kanmon.yml:3:5", place: ".kanmon.yml:3:5")
        ) { $0.policy.modules[0].floors.line = nil },
        Tampering(
            GateChange(
                .defaultFloorLowered, subject: "default", metric: .region, before: "50 %", after: "none",
                items: ["Core", "tool"])
        ) { $0.policy.defaultFloors.region = nil },
        Tampering(
            GateChange(
                .excludeAdded, subject: "**/URLRule.swift", before: "none", after: "**/URLRule.swift",
                items: ["Sources/Core/URLRule.swift"])
        ) { $0.policy.excludes.append("**/URLRule.swift") },
        Tampering(
            GateChange(
                .excludeWidened, subject: "Sources/*/*l*", before: "Sources/Old/*",
                after: "Sources/*/*l*",
                items: ["Sources/Core/URLRule.swift"])
        ) { $0.policy.excludes = ["Sources/*/*l*"] },
        Tampering(GateChange(.minimumTestsLowered, subject: "tests.minimum", before: "2", after: "1")) {
            $0.policy.minimumTests = 1
            $0.limit(.minimumTests, 1, "1")
        },
        Tampering(GateChange(.testTargetRemoved, subject: "CoreTests", before: "a test target", after: "none")) {
            $0.run.modules.removeAll { $0.name == "CoreTests" }
        },
        Tampering(
            GateChange(.testTargetOff, subject: "CoreTests", before: "not in tests.bundles", after: "in tests.bundles")
        ) { $0.list(.bundles, ["CoreTests"]) },
        Tampering(
            GateChange(
                .runBeforeChanged, subject: "run.before", before: "scripts/generate.sh (10m)",
                after: "scripts/generate.sh (10m), scripts/other.sh (10m)", basePlace: ".kanmon.yml:12:7",
                place: ".kanmon.yml:12:7")
        ) { $0.list(.before, ["scripts/generate.sh (10m)", "scripts/other.sh (10m)"]) },
        Tampering(
            GateChange(
                .runBeforeChanged, subject: "run.before", before: "scripts/generate.sh (10m)", after: "none",
                basePlace: ".kanmon.yml:12:7", place: ".kanmon.yml:12:7")
        ) { $0.list(.before, []) },
        Tampering(
            GateChange(.runAfterChanged, subject: "run.after", before: "none", after: "scripts/clean.sh (1m)")
        ) { $0.list(.after, ["scripts/clean.sh (1m)"]) },
        Tampering(
            GateChange(
                .generatedAdded, subject: "Sources/**", before: "not in run.generated", after: "in run.generated")
        ) { $0.list(.generated, ["Sources/**"]) },
        Tampering(
            GateChange(.runEnvironmentChanged, subject: "run.environment", before: "MODE=1", after: "MODE=2")
        ) { $0.list(.environment, ["MODE=2"]) },
        Tampering(
            GateChange(
                .argumentsDropped, subject: "CoreTests", before: "2 arguments", after: "1 arguments",
                items: ["\(tests[0]): 2 → 1"])
        ) { $0.run.tests[0].arguments.removeLast() },
        Tampering(
            GateChange(.testsDropped, subject: "tests", before: "2 tests", after: "1 tests", items: [tests[0]])
        ) { trial in
            trial.run.tests.removeFirst()
            trial.baseline.bar?.policy.minimumTests = 1
            trial.policy.minimumTests = 1
        },
        Tampering(
            GateChange(.testsSkipped, subject: "CoreTests", before: "ran", after: "skipped", items: [tests[0]])
        ) { trial in
            trial.run.tests[0].outcome = .skipped
            trial.baseline.bar?.policy.minimumTests = 1
            trial.policy.minimumTests = 1
        },
        Tampering(
            GateChange(
                .knownIssuesAdded, subject: "CoreTests", before: "ran", after: "a known issue", items: [tests[0]])
        ) { $0.run.tests[0].outcome = .knownIssue },
        Tampering(GateChange(.moduleRemoved, subject: "tool", before: "a module", after: "none")) { trial in
            trial.run.modules.removeAll { $0.name == "tool" }
            trial.run.coverage?.files.removeAll { $0.module == "tool" }
            trial.policy.modules.removeAll { $0.pattern == "to*" }
        },
        Tampering(
            GateChange(
                .codeInLocalPackage, subject: "Vendor/Kit", before: "no such package", after: "not measured",
                items: ["Kit", "KitUI"])
        ) { $0.run.localPackages = [LocalPackage(path: "Vendor/Kit", modules: ["Kit", "KitUI"])] },
        Tampering(
            GateChange(
                .codeInLocalPackage, subject: "../Kit", before: "no such package", after: "not measured")
        ) { trial in
            trial.run.localPackages = [LocalPackage(path: "../Kit", modules: nil)]
            trial.baseline.run?.localPackages = ["Kit"]
        },
        Tampering(
            GateChange(
                .codeInLocalPackage, subject: "Tools", before: "tool measured", after: "not measured", items: ["tool"])
        ) { trial in
            trial.run.modules.removeAll { $0.name == "tool" }
            trial.run.coverage?.files.removeAll { $0.module == "tool" }
            trial.policy.modules.removeAll { $0.pattern == "to*" }
            trial.run.localPackages = [LocalPackage(path: "Tools", modules: ["other", "tool"])]
            trial.baseline.run?.localPackages = ["Tools"]
        },
        Tampering(
            GateChange(
                .moduleRenamed, subject: "Kern", metric: .line, before: "95 %", after: "90 %", items: ["Core"],
                basePlace: ".kanmon.yml:3:5")
        ) { trial in
            trial.move("Core", to: "Kern")
            trial.policy.modules[0] = ModuleRule(
                pattern: "Kern", floors: Floors(line: .percent(90), function: .percent(90)))
        },
        Tampering(
            GateChange(.moduleWithoutFloor, subject: "Extra", before: "no module", after: "the default floor")
        ) { trial in
            trial.run.modules.append(
                Module(
                    name: "Extra", compilerName: "Extra", kind: .library, isSwift: true, path: "Sources/Extra",
                    sources: ["Extra.swift"], dependencies: []))
            trial.run.coverage?.files.append(
                FileCoverage(
                    path: "Sources/Extra/Extra.swift", module: "Extra", lines: SampleRuns.lines(4, covered: 4),
                    regions: CoverageTally(covered: 1, total: 1), functions: CoverageTally(covered: 1, total: 1)))
        },
        Tampering(GateChange(.ratchetOff, subject: "coverage.ratchet", before: "true", after: "false")) {
            $0.policy.ratchet = nil
            $0.limit(.ratchet, nil, "false")
        },
        Tampering(
            GateChange(
                .runTimeoutRaised, subject: "tests.timeouts.run", before: "30m", after: "31m",
                basePlace: ".kanmon.yml:9:20", place: ".kanmon.yml:9:20")
        ) { $0.limit(.runTimeout, 1860, "31m") },
        Tampering(GateChange(.silenceTimeoutRaised, subject: "tests.timeouts.silence", before: "5m", after: "off")) {
            $0.limit(.silenceTimeout, nil, "off")
        },
        Tampering(GateChange(.testTimeoutRaised, subject: "tests.timeouts.test", before: "2m", after: "1h")) {
            $0.limit(.testTimeout, 3600, "1h")
        },
        Tampering(GateChange(.retriesRaised, subject: "tests.retries", before: "0", after: "3")) {
            $0.limit(.retries, 3, "3")
        },
        Tampering(GateChange(.patchFloorLowered, subject: "coverage.patch", before: "90 %", after: "20 %")) {
            $0.policy.patch?.line = .percent(20) ?? .zero
            $0.limit(.patch, 20_000, "20 %")
        },
        Tampering(GateChange(.patchFloorLowered, subject: "coverage.patch", before: "90 %", after: "none")) {
            $0.policy.patch = nil
            $0.limit(.patch, nil, "none")
        },
        Tampering(
            GateChange(.patchMinimumRaised, subject: "coverage.patch.min-lines", before: "5 lines", after: "500 lines")
        ) {
            $0.policy.patch?.minimumLines = 500
            $0.limit(.patchMinimum, 500, "500 lines")
        },
        Tampering(GateChange(.projectFloorLowered, subject: "coverage.project", before: "40 %", after: "none")) {
            $0.policy.project?.line = nil
            $0.limit(.project, nil, "none")
        },
        Tampering(GateChange(.projectDropRaised, subject: "coverage.project.may-drop", before: "40 %", after: "90 %")) {
            $0.policy.project?.mayDrop = .percent(90)
            $0.limit(.projectDrop, 90_000, "90 %")
        },
        Tampering(GateChange(.fileFloorLowered, subject: "coverage.files", before: "10 %", after: "none")) {
            $0.policy.fileFloor = nil
            $0.limit(.files, nil, "none")
        },
        Tampering(GateChange(.flakyTolerated, subject: "tests.flaky", before: "fail", after: "warn")) {
            $0.policy.flaky = .warn
            $0.limit(.flaky, nil, "warn")
        },
        Tampering(
            GateChange(.quarantineAdded, subject: tests[0], before: "none", after: "until 2026-02-01")
        ) { trial in
            guard let day = CalendarDay("2026-02-01") else { return }
            trial.policy.quarantine = [
                QuarantineEntry(test: tests[0], owner: "ana", reason: "slow network", expires: day)
            ]
        },
        Tampering(
            GateChange(.budgetRaised, subject: "CoreTests/*", before: "2.0 seconds", after: "3.0 seconds")
        ) { $0.policy.budgets = [BudgetRule(pattern: "CoreTests/*", bound: .seconds(3))] },
        Tampering(GateChange(.budgetRaised, subject: "CoreTests/*", before: "2.0 seconds", after: "none")) {
            $0.policy.budgets = []
        },
        Tampering(
            GateChange(.budgetRaised, subject: "CoreTests/*", before: "2.0 seconds", after: "86400.0 seconds")
        ) { $0.policy.budgets.insert(BudgetRule(pattern: "**", bound: .seconds(86_400)), at: 0) },
        Tampering(
            GateChange(
                .unsafeFlagsAdded, subject: "Core", before: "none", after: "-Xfrontend -no-coverage",
                items: ["-Xfrontend", "-no-coverage"])
        ) { $0.baseline.package?.targets[0].unsafeFlags = ["-Xfrontend", "-no-coverage"] },
        Tampering(GateChange(.settingsRemoved, subject: ".kanmon.yml", before: ".kanmon.yml", after: "none")) {
            $0.baseline.head.file = nil
        },
        Tampering(
            GateChange(.settingsMoved, subject: ".kanmon.yml", before: "old/.kanmon.yml", after: ".kanmon.yml")
        ) { $0.baseline.movedFrom = "old/.kanmon.yml" },
        Tampering(GateChange(.projectChanged, subject: "project", before: "none", after: "other")) {
            $0.baseline.head.project = "other"
        },
        Tampering(GateChange(.baseChanged, subject: "base", before: "none", after: "mine")) {
            $0.baseline.head.base = "mine"
        },
    ]

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
        trial.baseline.bar = Bar()
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
        trial.baseline.bar?.policy.ratchet = nil
        trial.baseline.run = nil
        trial.baseline.basePackage?.localPackages = ["Old"]
        trial.baseline.package?.localPackages = ["Old", "Fresh"]
        // What an old one depends on is in no manifest of the package.
        trial.run.localPackages = ["Deep", "Fresh", "Old"].map { LocalPackage(path: $0, modules: ["\($0)Code"]) }
        #expect(try trial.verdict().base?.changes.map(\.subject) == ["Fresh"])
    }

    @Test(arguments: tamperings)
    func `what lowers the bar blocks and says so`(tampering: Tampering) throws {
        var trial = Trial()
        tampering.change(&trial)
        let verdict = try trial.verdict()
        #expect(verdict.base?.changes == [tampering.expected])
        #expect(
            verdict.violations.filter { if case .floorMissed = $0 { false } else { true } } == [
                .gateChange(tampering.expected)
            ])
        #expect(verdict.exitStatus == .gateFailed)
    }

    @Test(arguments: tamperings)
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
            #expect(verdict.base?.waivers == [WaiverStanding(waiver, .used)])
        }
    }

    @Test(arguments: tamperings)
    func `the day after its last one a waiver lets nothing pass`(tampering: Tampering) throws {
        var trial = Trial()
        tampering.change(&trial)
        let waiver = try Self.waiver(tampering.expected.code.rawValue, until: "2026-01-01")
        let verdict = try trial.verdict(waiver)
        #expect(verdict.decision == .failed)
        #expect(verdict.base?.changes == [tampering.expected])
        #expect(verdict.base?.waivers == [WaiverStanding(waiver, .expired)])
    }

    @Test func `a rule on coverage that is lowered holds as the base has it until it is waived`() throws {
        var trial = Trial()
        trial.policy.patch = nil
        trial.policy.project = nil
        trial.policy.fileFloor = nil
        trial.limit(.patch, nil, "none")
        trial.baseline.head.limits.removeAll { $0.rule == .patchMinimum }
        trial.limit(.project, nil, "none")
        trial.limit(.projectDrop, nil, "none")
        trial.limit(.files, nil, "none")
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
        #expect(base.patch == Trial.bar.policy.patch)
        #expect(base.project == Trial.bar.policy.project)
        #expect(base.fileFloor == Trial.bar.policy.fileFloor)
        let waived = try rules(codes)
        #expect(waived.patch == nil)
        #expect(waived.project == nil)
        #expect(waived.fileFloor == nil)
        #expect(try rules([.projectFloorLowered]).project == ProjectRule(mayDrop: .percent(40)))
    }

    @Test func `every code has a tampering, but for the one that needs a lower coverage`() {
        let codes = Set(Self.tamperings.map(\.expected.code)).union([.coverageDropped])
        #expect(codes == Set(GateChangeCode.allCases))
    }

    @Test func `the table in the documentation has every code`() throws {
        let text = try String(contentsOf: Checkout.top.appending(path: "docs/gate-changes.md"), encoding: .utf8)
        let rows = text.split(separator: "\n").filter { $0.hasPrefix("| `") }.map(String.init)
        #expect(rows == GateChangeCode.allCases.map { "| `\($0.rawValue)` | \($0.meaning) |" })
    }
}
