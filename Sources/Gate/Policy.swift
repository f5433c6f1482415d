public import RunModel

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
    /// How many tests may be skipped; `nil` is any number.
    public var maxSkipped: Int?
    /// How many warnings tests may record; `nil` is any number.
    public var maxWarnings: Int?
    /// What becomes of a run with a flaky test.
    public var flaky: FlakyRule
    /// How new and changed tests must have been repeated without a failure; `nil` where a failure is only shown.
    public var probation: ProbationDemand?
    /// `nil` for `false`, so that a policy without it is written down as before there was such a rule.
    private var brokenBase: Bool?
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

    package init(
        modules: [ModuleRule] = [],
        defaultFloors: Floors = Floors(line: Percentage(thousandths: 80_000)),
        excludes: [Exclusion] = [],
        minimumTests: Int = 1,
        maxSkipped: Int? = nil,
        maxWarnings: Int? = nil,
        flaky: FlakyRule = .warn,
        probation: ProbationDemand? = nil,
        allowsBrokenBase: Bool = false,
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
        self.maxSkipped = maxSkipped
        self.maxWarnings = maxWarnings
        self.flaky = flaky
        self.probation = probation
        self.brokenBase = allowsBrokenBase ? true : nil
        self.quarantine = quarantine
        self.budgets = budgets
        self.ratchet = ratchet
        self.patch = patch
        self.project = project
        self.fileFloor = fileFloor
    }
}

extension Policy {
    /// Whether a failure does not block that the base's stored run has, too: see `AllowedFailure`.
    public var allowsBrokenBase: Bool {
        get { brokenBase == true }
        set { brokenBase = newValue ? true : nil }
    }

    /// Whether any rule is about coverage.
    var asksForCoverage: Bool {
        let floors = [defaultFloors] + modules.map(\.floors)
        let isAsked = floors.contains { floors in
            CoverageMetric.allCases.contains { (floors[$0]?.thousandths ?? 0) > 0 }
        }
        return isAsked || ratchet != nil || patch != nil || project != nil || (fileFloor?.thousandths ?? 0) > 0
    }
}
