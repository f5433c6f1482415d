public import Gate
public import RunModel

/// A variable that is passed to the tests.
public struct EnvironmentVariable: Sendable, Hashable {
    /// Its name.
    public var name: String
    /// The value; `nil` passes on the current one.
    public var value: String?

    /// As the settings file has it: `NAME` or `NAME=value`.
    public var entry: String { value.map { "\(name)=\($0)" } ?? name }
}

/// A test target that is switched on or off.
public struct TestBundle: Sendable, Hashable {
    /// The target's name.
    public var name: String
    /// Whether it runs.
    public var isOn: Bool
}

/// Which tests a pre-commit hook runs.
public enum HookTests: String, Sendable, Hashable, CaseIterable {
    /// The tests that execute the changed functions, by the per-test coverage of an earlier run. A changed file for
    /// which that coverage says nothing is judged by target.
    case executing
    /// The test targets that depend on what the commit changes.
    case affected
    /// All of them.
    case all
}

/// What happens to a run in which a new or changed test fails when it is repeated.
public enum ProbationFailureRule: String, Sendable, Hashable, CaseIterable {
    /// It is shown, and blocks nothing.
    case report
    /// It blocks.
    case block
}

// What each setting does is said where it is declared, in `SettingDeclaration.all`.
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
/// Everything that can be set, each value with its origin. Without arguments these are the defaults.
public struct Settings: Sendable, Hashable {
    public var project: Setting<String?> = Setting(nil)
    public var modules: [Setting<ModuleRule>] = []
    public var defaultFloors: Setting<Floors> = Setting(Policy().defaultFloors)
    public var base: Setting<String?> = Setting(nil)
    public var excludes: [Setting<Exclusion>] = []
    public var ratchet: Setting<Bool> = Setting(Policy().ratchet != nil)
    public var patchFloor: Setting<Percentage?> = Setting(nil)
    public var patchMinimum: Setting<Int> = Setting(PatchRule.defaultMinimumLines)
    public var projectFloor: Setting<Percentage?> = Setting(nil)
    public var mayDrop: Setting<Percentage?> = Setting(nil)
    public var fileFloor: Setting<Percentage?> = Setting(nil)
    public var minimumTests: Setting<Int> = Setting(Policy().minimumTests)
    public var maxSkipped: Setting<Int?> = Setting(nil)
    public var maxWarnings: Setting<Int?> = Setting(nil)
    public var flaky: Setting<FlakyRule> = Setting(Policy().flaky)
    public var probationRuns: Setting<Int> = Setting(20)
    public var probationBudget: Setting<Duration?> = Setting(.seconds(30))
    public var probationFailures: Setting<ProbationFailureRule> = Setting(.report)
    public var quarantine: [Setting<QuarantineEntry>] = []
    public var allowsBrokenBase: Setting<Bool> = Setting(Policy().allowsBrokenBase)
    public var budgets: [Setting<BudgetRule>] = []
    public var retries: Setting<Int> = Setting(0)
    public var interop: Setting<InteropRule> = Setting(.fail)
    public var undiscoveredTests: Setting<UndiscoveredTestsRule> = Setting(.note)
    public var jobs: Setting<Int> = Setting(1)
    public var bundles: [Setting<TestBundle>] = []
    public var runTimeout: Setting<Duration> = Setting(.seconds(30 * 60))
    public var testTimeout: Setting<Duration> = Setting(.seconds(2 * 60))
    public var silenceTimeout: Setting<Duration> = Setting(.seconds(5 * 60))
    public var buildSystem: Setting<BuildSystem> = Setting(.native)
    public var traits: [Setting<String>] = []
    public var sanitizer: Setting<BuildChoice.Sanitizer> = Setting(.none)
    public var swiftFlags: [Setting<String>] = []
    public var before: [Setting<RunScript>] = []
    public var after: [Setting<RunScript>] = []
    public var generated: [Setting<String>] = []
    public var environment: [Setting<EnvironmentVariable>] = []
    public var isolation: Setting<IsolationRule> = Setting(.exactly(.reaper))
    public var clean: Setting<CleanBuilds> = Setting(.never)
    public var reuse: Setting<Duration?> = Setting(.seconds(7 * 24 * 3600))
    public var hookTests: Setting<HookTests> = Setting(.affected)
    public var hookBudget: Setting<Duration?> = Setting(nil)
    public var ownersForm: Setting<CodeOwnersForm?> = Setting(nil)
    public var causesBudget: Setting<Duration?> = Setting(nil)
    public var home: Setting<String?> = Setting(nil)
    public var engine: Setting<Engine> = Setting(.direct)
    public var swift: Setting<String?> = Setting(nil)

    /// The key under `coverage.modules` that is no module but sets the floors of all others.
    public static let defaultModule = "default"

    /// The defaults.
    public init() {}

    /// What a run must reach. It comes from the file alone, never from the environment or a flag.
    public var policy: Policy {
        var policy = Policy(
            modules: modules.map(\.value), defaultFloors: defaultFloors.value, excludes: excludes.map(\.value),
            minimumTests: minimumTests.value, maxSkipped: maxSkipped.value, maxWarnings: maxWarnings.value,
            flaky: flaky.value, probation: probationDemand, allowsBrokenBase: allowsBrokenBase.value,
            quarantine: quarantine.map(\.value),
            budgets: budgets.map(\.value), ratchet: ratchet.value ? RatchetRule() : nil,
            patch: patchFloor.value.map { PatchRule(line: $0, minimumLines: patchMinimum.value) },
            fileFloor: fileFloor.value)
        policy.projectLimits = ProjectRule(line: projectFloor.value, mayDrop: mayDrop.value)
        return policy
    }
}

extension Settings {
    /// How often new and changed tests must be repeated for a run to pass; `nil` if their failures are only reported.
    private var probationDemand: ProbationDemand? {
        guard probationFailures.value == .block, let budget = probationBudget.value else { return nil }
        return ProbationDemand(runs: probationRuns.value, budget: budget)
    }

    /// Refuses a file by its size alone, so that it need not be read.
    public static func checkSize(_ bytes: Int, file: String) throws(SettingsError) {
        guard bytes <= YAMLDocument.byteLimit else {
            throw .tooLarge(file: file, bytes: bytes, limit: YAMLDocument.byteLimit)
        }
    }

    /// Reads the text of a `.kanmon.yml`; `file` is the name that errors and origins show. Empty text is the defaults.
    public static func read(text: String, file: String) throws(SettingsError) -> Settings {
        var settings = Settings()
        if let root = try YAMLDocument.read(text, file: file) { try SettingsReader.read(root, into: &settings) }
        if let fault = settings.policy.fault { throw .tooMany(file: file, problem: fault) }
        return settings
    }

    /// Checks the rules for modules against the targets of the package, so that a misspelt name is found before the
    /// run.
    ///
    /// Excludes are compared with a run, because coverage can name files that no target lists.
    public func check(modules: [Module]) throws(SettingsError) {
        do {
            try policy.checkRules(against: modules)
        } catch {
            throw located(error)
        }
        guard !modules.isEmpty else { return }
        let targets = modules.filter { $0.kind == .test }.map(\.name)
        for bundle in bundles where !targets.contains(where: { Name($0) == Name(bundle.value.name) }) {
            throw .unknownBundle(bundle.origin, name: bundle.value.name, known: targets)
        }
    }

    /// The excludes that match no current source of the targets. The run may generate such a file, so this is no
    /// error yet.
    public func excludesWithoutFile(in modules: [Module]) -> [SettingsError] {
        policy.excludesWithoutFile(in: modules).map(located)
    }

    /// How the package is built.
    public var build: BuildChoice {
        BuildChoice(traits: traits.map(\.value), sanitizer: sanitizer.value, swiftFlags: swiftFlags.map(\.value))
    }

    /// Whether flags of this run say how the package is built, so that it may not be built as the file says.
    public var namesBuild: Bool {
        (traits.map(\.origin) + [sanitizer.origin]).contains { origin in
            if case .flag = origin { true } else { false }
        }
    }

    /// The test targets that are switched off, by name.
    public var disabledTargets: [String] { bundles.map(\.value).filter { !$0.isOn }.map(\.name) }

    /// Adds the place of the rule to an error of the gate.
    public func located(_ error: PolicyError) -> SettingsError {
        let candidates =
            switch error {
            case .excludeMatchesNothing: excludes.map { ($0.value.pattern, $0.origin) }
            case .budgetMatchesNothing: budgets.map { ($0.value.pattern, $0.origin) }
            case .unknownModule, .ruleMatchesNothing, .ruleShadowed, .moduleNotMeasurable:
                self.modules.map { ($0.value.pattern, $0.origin) }
            }
        let match = candidates.last { Name($0.0) == Name(error.pattern) }
        return .policy(match?.1 ?? .builtIn, error)
    }
}
