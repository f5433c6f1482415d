import RunModel

/// A setting beside the floors that can lower the bar, as a number, so that two can be compared.
public struct BarLimit: Sendable, Hashable, Codable {
    /// Which setting.
    public enum Rule: String, Sendable, Hashable, Codable, CaseIterable {
        case minimumTests = "tests.minimum"
        case runTimeout = "tests.timeouts.run"
        case silenceTimeout = "tests.timeouts.silence"
        case ratchet = "coverage.ratchet"
        case flaky = "tests.flaky"
        case testTimeout = "tests.timeouts.test"
        case retries = "tests.retries"
        case patch = "coverage.patch"
        case patchMinimum = "coverage.patch.min-lines"
        case project = "coverage.project"
        case projectDrop = "coverage.project.may-drop"
        case files = "coverage.files"

        /// The gate change that a laxer value is.
        var code: GateChangeCode {
            switch self {
            case .minimumTests: .minimumTestsLowered
            case .runTimeout: .runTimeoutRaised
            case .silenceTimeout: .silenceTimeoutRaised
            case .ratchet: .ratchetOff
            case .flaky: .flakyTolerated
            case .testTimeout: .testTimeoutRaised
            case .retries: .retriesRaised
            case .patch: .patchFloorLowered
            case .patchMinimum: .patchMinimumRaised
            case .project: .projectFloorLowered
            case .projectDrop: .projectDropRaised
            case .files: .fileFloorLowered
            }
        }

        /// Whether more of it is stricter.
        var isStricterWhenHigher: Bool {
            switch self {
            case .minimumTests, .ratchet, .flaky, .patch, .project, .files: true
            case .runTimeout, .silenceTimeout, .testTimeout, .retries, .patchMinimum, .projectDrop: false
            }
        }
    }

    /// Which setting.
    public var rule: Rule
    /// The value in a unit of its own; `nil` is no limit at all, which is the laxest.
    public var amount: Int?
    /// The value in the words of the settings file.
    public var words: String

    /// Makes a limit from its parts.
    public init(_ rule: Rule, _ amount: Int?, words: String) {
        self.rule = rule
        self.amount = amount
        self.words = words
    }

    /// Whether it is laxer than another value of the same setting.
    func isLaxer(than other: BarLimit) -> Bool {
        switch (amount, other.amount) {
        case (_, nil): false
        case (nil, _): true
        case (let mine?, let theirs?): rule.isStricterWhenHigher ? mine < theirs : mine > theirs
        }
    }
}

/// A list in the settings file that can lower the bar.
public struct BarList: Sendable, Hashable, Codable {
    /// Which list.
    public enum Rule: String, Sendable, Hashable, Codable, CaseIterable {
        /// Test targets that are switched off.
        case bundles = "tests.bundles"
        /// What runs before the build.
        case before = "run.before"
        /// What runs after the tests.
        case after = "run.after"
        /// Variables that the tests get to see.
        case environment = "run.environment"
        /// Patterns of files that scripts may make in the folders of targets.
        case generated = "run.generated"

        /// The gate change that a new entry of a list of names is, or any change of the others.
        var code: GateChangeCode {
            switch self {
            case .bundles: .testTargetOff
            case .before: .runBeforeChanged
            case .after: .runAfterChanged
            case .environment: .runEnvironmentChanged
            case .generated: .generatedAdded
            }
        }

        /// Whether only a new entry lowers the bar. Of a script or a variable nobody can say what it is for, so that
        /// every change of them counts.
        var isOnlyLoweredByNewEntries: Bool {
            switch self {
            case .bundles, .generated: true
            case .before, .after, .environment: false
            }
        }
    }

    /// Which list.
    public var rule: Rule
    /// What stands in it; untrusted text.
    public var entries: [String]

    /// Makes a list from its parts.
    public init(_ rule: Rule, _ entries: [String]) {
        self.rule = rule
        self.entries = entries
    }
}

/// Where a key of the settings is set.
public struct BarPlace: Sendable, Hashable, Codable {
    /// The path of the key, such as `coverage.modules.Core`.
    public var key: String
    /// `file:line:column`.
    public var place: String

    /// Makes an entry from its parts.
    public init(key: String, place: String) {
        self.key = key
        self.place = place
    }
}

/// Everything in a settings file that a run can be judged by, with its places.
public struct Bar: Sendable, Hashable, Codable {
    /// The floors and excludes.
    public var policy: Policy
    /// Settings beside them that are numbers.
    public var limits: [BarLimit]
    /// Settings beside them that are lists.
    public var lists: [BarList]
    /// The project that the file names.
    public var project: String?
    /// The default branch that the file names.
    public var base: String?
    /// Where keys are set; those that are not here have their default.
    public var places: [BarPlace]
    /// The path of the file in the repository; `nil` when there is none.
    public var file: String?

    /// Makes a bar from its parts.
    public init(
        policy: Policy = Policy(),
        limits: [BarLimit] = [],
        lists: [BarList] = [],
        project: String? = nil,
        base: String? = nil,
        places: [BarPlace] = [],
        file: String? = nil
    ) {
        self.policy = policy
        self.limits = limits
        self.lists = lists
        self.project = project
        self.base = base
        self.places = places
        self.file = file
    }

    /// What stands in a list, in its order; empty for a list that is not set.
    func entries(of rule: BarList.Rule) -> [String] { lists.first { $0.rule == rule }?.entries ?? [] }

    /// Where a key is set; `nil` for a default.
    public func place(of key: String) -> String? {
        places.first { Name($0.key) == Name(key) }?.place
    }

    /// Where the floors of a module are set: the first rule that matches, else the default.
    public func place(ofFloorsFor module: String) -> String? {
        let rule = policy.modules.first { $0.matches(module) }?.pattern ?? "default"
        return place(of: "coverage.modules.\(rule)")
    }
}
