import Foundation
import RunModel
import TestSupport
import Testing

@testable import Gate

/// A run of about 1 MiB that a rule can make nothing of quickly, if it goes through one list for every entry of another. Where nobody
/// measures (`KANMON_COSTS`), it is a quarter of that.
struct WorstCase: Sendable {
    var run: TestRun
    var policy = Policy(defaultFloors: Floors())
    var baseline: Baseline?
    var comparison: ChangeComparison?
    var probation: Probation?
    var causes: FailureCauses?

    /// How many names of about fifty bytes a MiB has beside the rest.
    static let count = 10_000 / share
    static let targets = 5_000 / share
    private static let share = ProcessInfo.processInfo.environment["KANMON_COSTS"] == nil ? 4 : 1

    /// Judges it. What is refused is refused at once.
    func judge() throws -> Verdict? {
        try #require(
            policy.fault == nil && baseline?.fault == nil && comparison?.fault == nil && probation?.fault == nil)
        do throws(PolicyError) {
            return try Verdict(
                judging: run, by: policy, against: baseline, changed: comparison, probation: probation, causes: causes)
        } catch {
            return nil
        }
    }

    /// For each rule, by its code.
    static let all: [String: @Sendable () -> [WorstCase]] = [
        "build": { [failedBuild] },
        "tests": { [excused, broken] },
        "sanitizer": { [reported] },
        "quarantine": { [misspelt(isNew: false), misspelt(isNew: true)] },
        "flaky": { [excused] },
        "probation": { [repeated] },
        "budget": { [budgets(wild: false), budgets(wild: true)] },
        "minimum-tests": { [tests(.passed)] },
        "max-skipped": { [tests(.skipped)] },
        "max-warnings": { [warned] },
        "floor": { [modules(wild: false), modules(wild: true), unmeasured] },
        "patch": { [changed, placed] },
        "project": { [files] },
        "project-drop": { [changed] },
        "file": { [files, severalBases] },
        "ratchet": { [modules(wild: false)] },
        "excludes": { [excludes(wild: false), excludes(wild: true), excludesOfNothing] },
        "targets": { [renamed(files: 1), renamed(files: 40)] },
        "lost-tests": { [lost] },
        "run-limits": { [lists] },
        "run-setup": { [lists] },
        "settings": { [lists] },
        "gate-change": { [waived] },
    ]

    static func name(_ number: Int) -> String { "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\(100_000 + number)" }

    static func result(_ number: Int, _ outcome: Outcome = .passed, module: String = "CoreTests") -> TestResult {
        TestResult(
            id: TestID(module: module, suite: "S", name: name(number)), library: .xctest, outcome: outcome,
            attempts: [
                TestAttempt(outcome: .failed, duration: .seconds(9)),
                TestAttempt(outcome: outcome, duration: .seconds(9)),
            ])
    }

    static func tests(_ outcome: Outcome) -> WorstCase {
        var found = WorstCase(run: SampleRuns.passing())
        found.run.tests = (0..<count).map { result($0, outcome) }
        found.policy.minimumTests = count + 1
        found.policy.maxSkipped = 0
        return found
    }

    /// As many warnings as tests.
    static var warned: WorstCase {
        var found = tests(.passed)
        for index in found.run.tests.indices {
            found.run.tests[index].attempts = [
                TestAttempt(outcome: .passed, issues: [Issue(message: name(index), isWarning: true)])
            ]
        }
        found.policy.maxWarnings = 0
        return found
    }

    /// As many reports of a sanitizer as tests.
    static var reported: WorstCase {
        var found = tests(.passed)
        found.run.notes = (0..<count).map { Note(.sanitizerReport, detail: name($0)) }
        return found
    }

    static func entry(_ test: String) -> QuarantineEntry {
        QuarantineEntry(
            test: test, owner: "ana", reason: "r", expires: CalendarDay(SampleRuns.moment.addingTimeInterval(9e6)))
    }

    static var failedBuild: WorstCase {
        var found = tests(.passed)
        found.run.steps[0].termination = .exited(1)
        found.run.diagnostics = (0..<count).map {
            BuildDiagnostic(severity: .error, message: name($0), location: nil)
        }
        return found
    }

    /// Failures of which each is looked for in the quarantine.
    static var excused: WorstCase {
        var found = tests(.failed)
        found.run.tests = (0..<count).map { result($0, $0 % 2 == 0 ? .failed : .passed) }
        found.policy.flaky = .fail
        found.policy.quarantine = (0..<1_000).map { entry(result($0).id.description) }
        return found
    }

    /// As many tests that failed when repeated as may be listed, each looked for in the quarantine.
    static var repeated: WorstCase {
        var found = tests(.passed)
        found.policy = Policy(
            defaultFloors: Floors(), probation: ProbationDemand(runs: 20, budget: .seconds(30)),
            quarantine: (0..<1_000).map { entry(result($0).id.description) })
        found.baseline = base()
        found.comparison = ChangeComparison(base: ChangedRun.base, changes: [])
        let sample = FailureSample(outcome: .failed, issues: [Issue(message: String(repeating: "a\n", count: 1_000))])
        found.probation = Probation(
            base: ChangedRun.base.commit, runs: 20, budget: .seconds(30), seed: 1,
            entries: (0..<Probation.mostTests).map { number in
                Probation.Entry(
                    test: result(number + 500).id, reason: .new,
                    counts: [Probation.Count(.alone, TrialTally(failed: 5))],
                    firstFailure: Probation.Failure(
                        way: .alone, repetition: 1, sample: sample, waiting: (0..<20).map { result($0).id }))
            })
        return found
    }

    /// Failures of which each is looked for in the base's run, and among as many causes as there can be.
    static var broken: WorstCase {
        var found = tests(.failed)
        found.policy.allowsBrokenBase = true
        found.run.revision?.branch = "topic"
        found.baseline = base()
        found.baseline?.settings?.policy.allowsBrokenBase = true
        found.baseline?.head.policy = found.policy
        found.baseline?.run = BaseRun(id: SampleRuns.id(1), modules: [], targets: [], tests: found.run.tests)
        found.causes = FailureCauses(
            found.run.tests.suffix(FailureObservations.most).map {
                FailureCause(test: $0.id, kind: .broken, sameRuns: [SampleRuns.id(1)])
            }, base: ChangedRun.base.commit)
        return found
    }

    /// Entries that name no test, but nearly one.
    static func misspelt(isNew: Bool) -> WorstCase {
        var found = tests(.passed)
        found.policy.quarantine = (0..<1_000).map { entry("CoreTests.S/" + name($0).replacing("1", with: "x")) }
        guard isNew else { return found }
        found.baseline = base()
        found.baseline?.settings?.policy.quarantine = (0..<1_000).map { entry("CoreTests.S/y" + name($0)) }
        return found
    }

    static func base() -> Baseline {
        Baseline(
            commit: ChangedRun.base, settings: GateSettings(policy: Policy(defaultFloors: Floors()), file: "a.yml"),
            head: GateSettings(policy: Policy(defaultFloors: Floors()), file: "a.yml"))
    }

    /// Patterns of which each is alive for every text until its end, and matches one name.
    static func wild(_ prefix: String = "") -> [String] { (0..<400).map { "\(prefix)*a*a*a*\(100_000 + $0)*" } }

    static func budgets(wild isWild: Bool) -> WorstCase {
        var found = tests(.passed)
        let now = isWild ? wild("*/*/") : (0..<count).map { "CoreTests/S/\(name($0))" }
        found.policy.budgets = now.map { BudgetRule(pattern: $0, bound: .seconds(8)) }
        found.baseline = base()
        found.baseline?.settings?.policy.budgets = now.reversed().map { BudgetRule(pattern: $0, bound: .seconds(1)) }
        found.baseline?.head.policy = found.policy
        return found
    }

    static func module(_ number: Int, sources: [String] = ["a.swift"], kind: Module.Kind = .library) -> Module {
        Module(
            name: name(number), compilerName: name(number), kind: kind, isSwift: true, path: "Sources/\(number)",
            sources: sources, dependencies: [])
    }

    static func file(_ number: Int, module: String) -> FileCoverage {
        FileCoverage(
            path: "Sources/\(number)/a.swift", module: module, lines: SampleRuns.lines(4, covered: 2),
            regions: CoverageTally(covered: 1, total: 2), functions: CoverageTally(covered: 1, total: 2))
    }

    static func modules(wild isWild: Bool) -> WorstCase {
        var found = WorstCase(run: SampleRuns.passing())
        found.run.notMeasurable = [:]
        found.run.modules = (0..<targets).map { module($0) }
        found.run.coverage = Coverage(files: (0..<targets).map { file($0, module: name($0)) })
        let strict = Floors(line: .percent(90), region: .percent(90), function: .percent(90))
        let names = isWild ? ["*a*"] : (0..<targets).map { name($0) }
        found.policy.modules = names.map { ModuleRule(pattern: $0, floors: Floors(line: .percent(40))) }
        found.policy.ratchet = RatchetRule()
        found.baseline = base()
        found.baseline?.settings?.policy.modules = (isWild ? wild() + ["*"] : names.reversed())
            .map { ModuleRule(pattern: $0, floors: strict) }
        found.baseline?.settings?.places = names.map { SettingsPlace(key: "coverage.modules.\($0)", place: "a:1:1") }
        found.baseline?.head.policy = found.policy
        found.baseline?.run = BaseRun(
            id: SampleRuns.id(1),
            modules: (0..<targets).reversed().map {
                ModuleCoverage(
                    module: name($0), lines: CoverageTally(covered: 4, total: 4),
                    regions: CoverageTally(covered: 2, total: 2), functions: CoverageTally(covered: 2, total: 2))
            },
            targets: found.run.modules.reversed(), tests: [])
        return found
    }

    static var files: WorstCase {
        var found = WorstCase(run: SampleRuns.passing())
        found.run.coverage = Coverage(files: (0..<count).map { file($0, module: "Core") })
        found.policy.fileFloor = .percent(90)
        found.policy.project = ProjectRule(line: .percent(90))
        return found
    }

    /// A change of every file, with moved lines, against all of them.
    static var changed: WorstCase {
        var found = files
        found.policy.patch = PatchRule(line: .percent(90) ?? .zero, minimumLines: 1)
        found.policy.project = ProjectRule(line: nil, mayDrop: .zero)
        let known = KnownCoverage(
            runs: [SampleRuns.id(1)], swiftVersion: nil,
            files: (0..<count).map {
                KnownLines(path: "Sources/\($0)/a.swift", covered: [1...300], missed: [301...700])
            },
            unstable: (0..<count).map { _ in KnownLines(path: "Sources/1/a.swift", covered: [1...2], missed: [1...2]) })
        found.comparison = ChangeComparison(
            base: ChangedRun.base,
            changes: (0..<count).reversed().map { number in
                FileChange(
                    path: "Sources/\(number)/a.swift", basePath: "Sources/\(number)/a.swift",
                    changes: [ChangedLines(base: 1..<2, head: 1..<3)],
                    moved: [MovedLines(head: 1..<3, basePath: "Sources/1/a.swift", baseStart: 301)])
            }, coverage: known, sameTree: known)
        found.baseline = base()
        return found
    }

    /// As many folders that were compared, and links that lead elsewhere, as files, none of which lies in any.
    static var placed: WorstCase {
        var found = files
        found.policy.patch = PatchRule(line: .percent(90) ?? .zero, minimumLines: 1)
        found.comparison = ChangeComparison(
            base: ChangedRun.base,
            changes: (0..<count).map { number in
                let path = "Sources/\(name(number))"
                return FileChange(path: path, basePath: path, changes: [], leadsElsewhere: true)
            }, compared: (0..<count).map { "Sources/\(name($0))/" })
        found.baseline = base()
        return found
    }

    /// As many findings as files, against each of two bases.
    static var severalBases: WorstCase {
        var found = files
        found.baseline = base()
        found.baseline?.others = [Baseline.OtherBase(base())]
        return found
    }

    /// As many gaps on coverage as there can be, none of them about a target of the run.
    static var unmeasured: WorstCase {
        var found = modules(wild: false)
        found.run.gaps = (0..<count).map { Gap(.coverageMissing, subject: name($0) + "x", detail: "d") }
        return found
    }

    static func excludes(wild isWild: Bool) -> WorstCase {
        var found = files
        found.policy = Policy(defaultFloors: Floors())
        found.run.coverage = Coverage(files: (0..<count).map { file($0, module: "Core") })
        let paths = (0..<count).map { "Sources/\($0)/a.swift" }
        // Each pattern takes a part of all files.
        let patterns = (0..<500).map { "*/*\($0)*/*a*" }
        found.policy.excludes = (isWild ? patterns : paths).map { Exclusion(pattern: $0) }
        found.baseline = base()
        found.baseline?.settings?.policy.excludes =
            (isWild ? (0..<300).map { "**/*\($0)*/b*" } : paths.map { $0 + "x" })
            .map { Exclusion(pattern: $0) }
        found.baseline?.head.policy = found.policy
        return found
    }

    /// Excludes that match no file, but nearly one.
    static var excludesOfNothing: WorstCase {
        var found = excludes(wild: false)
        found.run.coverage = Coverage(
            files: (0..<count).map { number in
                var file = file(number, module: "Core")
                file.path = "Sources/\(name(number)).swift"
                return file
            })
        found.policy.excludes = (0..<count).map {
            Exclusion(pattern: "Sources/\(name($0).replacing("1", with: "x")).swift")
        }
        return found
    }

    /// All targets are gone, and as many are new, with the same names of files.
    static func renamed(files: Int) -> WorstCase {
        var found = WorstCase(run: SampleRuns.passing())
        let most = files == 1 ? targets : 1_000
        let sources = (0..<files).map { "f\($0).swift" }
        found.run.coverage = nil
        found.run.modules = (0..<most).map { module($0, sources: sources, kind: $0 % 2 == 0 ? .library : .test) }
        found.run.localPackages = (0..<most).map { LocalPackage(path: name($0), modules: [name(-$0)]) }
        found.baseline = base()
        let old = (0..<most).map { module(-1 - $0, sources: sources, kind: $0 % 2 == 0 ? .library : .test) }
        found.baseline?.basePackage = PackageShape(old)
        found.baseline?.package = PackageShape(found.run.modules)
        found.baseline?.package?.targets[0].unsafeFlags = (0..<count).map { name($0) }
        found.baseline?.basePackage?.targets[0].unsafeFlags = (0..<count).reversed().map { name($0) }
        found.baseline?.settings?.policy.modules = [ModuleRule(pattern: "x", floors: Floors())]
        return found
    }

    /// Tests that are gone, of modules by turns.
    static var lost: WorstCase {
        var found = tests(.skipped)
        found.run.modules = (0..<targets).map { module($0, kind: .test) }
        found.run.tests = (0..<count).map { result($0, .skipped, module: name($0 % targets)) }
        found.baseline = base()
        found.baseline?.run = BaseRun(
            id: SampleRuns.id(1), modules: [], targets: found.run.modules.reversed(),
            tests: (0..<count).map { result($0, module: name($0 % targets)) })
        found.baseline?.waivers.waivers = waivers
        return found
    }

    static var waivers: [Waiver] {
        (0..<count).map {
            Waiver(
                subject: name($0) + "y", until: CalendarDay(SampleRuns.moment.addingTimeInterval(9e6)), reason: "r",
                commit: "0a", line: $0)
        }
    }

    static var lists: WorstCase {
        var found = WorstCase(run: SampleRuns.passing())
        found.baseline = base()
        let entries = (0..<count).map { name($0) }
        found.baseline?.settings?.lists = SettingsList.Rule.allCases.map { SettingsList($0, entries.reversed()) }
        found.baseline?.head.lists = SettingsList.Rule.allCases.map { SettingsList($0, entries.map { $0 + "z" }) }
        found.baseline?.head.places = entries.map { SettingsPlace(key: "run.generated.\($0)", place: "a:1:1") }
        found.baseline?.settings?.limits = entries.map { SettingsLimit(.retries, 1, words: $0) }
        found.baseline?.head.limits = entries.map { SettingsLimit(.retries, 2, words: $0) }
        found.baseline?.waivers.waivers = waivers
        return found
    }

    /// As many waivers as gate changes, none for any of them.
    static var waived: WorstCase {
        var found = modules(wild: false)
        found.baseline?.waivers.waivers = waivers
        return found
    }
}
