public import Gate
public import RunModel

/// A variable that is passed to the tests.
public struct EnvironmentVariable: Sendable, Hashable {
    /// Its name.
    public var name: String
    /// The value; `nil` passes on the current one.
    public var value: String?

    /// Makes a variable from its parts.
    public init(name: String, value: String? = nil) {
        self.name = name
        self.value = value
    }

    /// The words of the file: `NAME` or `NAME=value`.
    public var entry: String { value.map { "\(name)=\($0)" } ?? name }
}

/// A test target that is switched on or off.
public struct TestBundle: Sendable, Hashable {
    /// The target's name.
    public var name: String
    /// Whether it runs.
    public var isOn: Bool

    /// Makes an entry from its parts.
    public init(name: String, isOn: Bool) {
        self.name = name
        self.isOn = isOn
    }
}

/// Which tests a pre-commit hook runs.
public enum HookTests: String, Sendable, Hashable, CaseIterable {
    /// The test targets that depend on what the commit changes.
    case affected
    /// All of them.
    case all
}

/// Everything that can be set, each value with its origin. Without arguments these are the defaults.
public struct Settings: Sendable, Hashable {
    /// The name of the project; `nil` leaves it to the origin's URL or the package.
    public var project: Setting<String?> = Setting(nil)
    /// The floors of modules by name or pattern; the first that matches wins.
    public var modules: [Setting<ModuleRule>] = []
    /// The floors of all other modules.
    public var defaultFloors: Setting<Floors> = Setting(Policy().defaultFloors)
    /// The default branch; `nil` leaves it to the remote.
    public var base: Setting<String?> = Setting(nil)
    /// Files whose lines do not count.
    public var excludes: [Setting<Exclusion>] = []
    /// Whether floors rise by themselves.
    public var ratchet: Setting<Bool> = Setting(Policy().ratchet != nil)
    /// What the lines that a change adds must reach.
    public var patch: Setting<PatchRule?> = Setting(nil)
    /// The floor on all lines of the project.
    public var projectFloor: Setting<Percentage?> = Setting(nil)
    /// By how many points the project may fall behind its base.
    public var mayDrop: Setting<Percentage?> = Setting(nil)
    /// The floor on the lines of every file.
    public var fileFloor: Setting<Percentage?> = Setting(nil)
    /// How many test cases must have been executed at least.
    public var minimumTests: Setting<Int> = Setting(Policy().minimumTests)
    /// What becomes of a run with a flaky test.
    public var flaky: Setting<FlakyRule> = Setting(Policy().flaky)
    /// Tests whose failures do not block for a time.
    public var quarantine: [Setting<QuarantineEntry>] = []
    /// Bounds on how long tests may take; the first that matches wins.
    public var budgets: [Setting<BudgetRule>] = []
    /// How often a test that failed is run again.
    public var retries: Setting<Int> = Setting(0)
    /// How many test processes run at a time.
    public var jobs: Setting<Int> = Setting(1)
    /// Test targets and whether they run; one that is not named does.
    public var bundles: [Setting<TestBundle>] = []
    /// How long the whole run may take, but for the scripts after the tests.
    public var runTimeout: Setting<Duration> = Setting(.seconds(30 * 60))
    /// How long one test may take.
    public var testTimeout: Setting<Duration> = Setting(.seconds(2 * 60))
    /// How long the tests may stay without a sign of life.
    public var silenceTimeout: Setting<Duration> = Setting(.seconds(5 * 60))
    /// What runs before the build; one that fails leaves the run undecided.
    public var before: [Setting<RunScript>] = []
    /// What runs after the tests, whatever became of them, unless the run was interrupted.
    public var after: [Setting<RunScript>] = []
    /// Files that scripts of `before` make in the folders of targets, as patterns of paths in the package.
    public var generated: [Setting<String>] = []
    /// Variables that the tests get to see beside the usual ones.
    public var environment: [Setting<EnvironmentVariable>] = []
    /// What is to hold the processes of a run together beside the reaper.
    public var isolation: Setting<IsolationRule> = Setting(.exactly(.reaper))
    /// For how long a run of the same tree answers for it; `nil` is never.
    public var reuse: Setting<Duration?> = Setting(.seconds(7 * 24 * 3600))
    /// Which tests a pre-commit hook runs.
    public var hookTests: Setting<HookTests> = Setting(.affected)
    /// How long a pre-commit hook may take before it lets a commit pass on which nothing has failed; `nil` is for ever.
    public var hookBudget: Setting<Duration?> = Setting(nil)
    /// Where runs and the database are kept; `nil` leaves it to the XDG directories.
    public var home: Setting<String?> = Setting(nil)
    /// How the tests are started.
    public var engine: Setting<Engine> = Setting(.direct)
    /// The `swift` to use; `nil` looks it up.
    public var swift: Setting<String?> = Setting(nil)

    /// The defaults.
    public init() {}

    /// What a run must reach. It comes from the file alone, never from the environment or a flag.
    public var policy: Policy {
        let project = ProjectRule(line: projectFloor.value, mayDrop: mayDrop.value)
        return Policy(
            modules: modules.map(\.value), defaultFloors: defaultFloors.value, excludes: excludes.map(\.value),
            minimumTests: minimumTests.value, flaky: flaky.value, quarantine: quarantine.map(\.value),
            budgets: budgets.map(\.value), ratchet: ratchet.value ? RatchetRule() : nil, patch: patch.value,
            project: project == ProjectRule() ? nil : project, fileFloor: fileFloor.value
        )
    }
}

extension Settings {
    /// Reads the text of a `.kanmon.yml`; `file` is the name that errors and origins show. Empty text is the defaults.
    public static func read(text: String, file: String) throws(SettingsError) -> Settings {
        var parser = SettingsParser()
        if let root = try YAMLDocument.read(text, file: file) { try parser.read(root) }
        return parser.settings
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
