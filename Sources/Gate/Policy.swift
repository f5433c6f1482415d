public import RunModel

/// The floors of one module; a metric without a floor is not judged.
public struct Floors: Sendable, Hashable, Codable {
    /// The floor on distinct lines.
    public var line: Percentage?
    /// The floor on regions.
    public var region: Percentage?
    /// The floor on functions.
    public var function: Percentage?

    /// Makes floors from their parts.
    public init(line: Percentage? = nil, region: Percentage? = nil, function: Percentage? = nil) {
        self.line = line
        self.region = region
        self.function = function
    }

    /// The floor on one metric.
    public subscript(metric: CoverageMetric) -> Percentage? {
        get {
            switch metric {
            case .line: line
            case .region: region
            case .function: function
            }
        }
        set {
            switch metric {
            case .line: line = newValue
            case .region: region = newValue
            case .function: function = newValue
            }
        }
    }
}

/// The floors for every module whose name matches a pattern.
public struct ModuleRule: Sendable, Hashable, Codable {
    /// A module name, or a pattern with `*` and `?`.
    public var pattern: String
    /// The floors it sets.
    public var floors: Floors

    /// Makes a rule from its parts.
    public init(pattern: String, floors: Floors) {
        self.pattern = pattern
        self.floors = floors
    }
}

/// What a run must reach. The defaults are those of an empty `.kanmon.yml`.
public struct Policy: Sendable, Hashable, Codable {
    /// Rules for modules; the first that matches wins.
    public var modules: [ModuleRule]
    /// The floors of a module that no rule matches, and of a metric that its rule leaves open.
    public var defaultFloors: Floors
    /// Files whose lines do not count.
    public var excludes: [Exclusion]
    /// How many test cases must have been executed at least.
    public var minimumTests: Int
    /// What becomes of a run with a flaky test.
    public var flaky: FlakyRule
    /// Tests whose failures do not block for a time.
    public var quarantine: [QuarantineEntry]
    /// Bounds on how long tests may take; the first that matches wins.
    public var budgets: [BudgetRule]
    /// Floors that rise by themselves; `nil` is off.
    public var ratchet: RatchetRule?
    /// What the lines that a change adds must reach; `nil` leaves them unjudged.
    public var patch: PatchRule?
    /// What all modules together must reach; `nil` leaves them unjudged.
    public var project: ProjectRule?
    /// The floor on the lines of every single file; `nil` leaves them unjudged.
    public var fileFloor: Percentage?

    /// Makes a policy from its parts.
    public init(
        modules: [ModuleRule] = [],
        defaultFloors: Floors = Floors(line: Percentage(thousandths: 80_000)),
        excludes: [Exclusion] = [],
        minimumTests: Int = 1,
        flaky: FlakyRule = .warn,
        quarantine: [QuarantineEntry] = [],
        budgets: [BudgetRule] = [],
        ratchet: RatchetRule? = nil,
        patch: PatchRule? = nil,
        project: ProjectRule? = nil,
        fileFloor: Percentage? = nil
    ) {
        self.modules = modules
        self.defaultFloors = defaultFloors
        self.excludes = excludes
        self.minimumTests = minimumTests
        self.flaky = flaky
        self.quarantine = quarantine
        self.budgets = budgets
        self.ratchet = ratchet
        self.patch = patch
        self.project = project
        self.fileFloor = fileFloor
    }
}
