import RunModel

/// Where a key of the settings is set.
public struct SettingsPlace: Sendable, Hashable, Codable {
    /// The path of the key, such as `coverage.modules.Core`.
    public var key: String
    /// `file:line:column`.
    public var place: String

    package init(key: String, place: String) { (self.key, self.place) = (key, place) }
}

/// Everything in a settings file that a run can be judged by, with its places.
public struct GateSettings: Sendable, Hashable, Codable {
    /// The floors and excludes.
    public var policy: Policy
    /// How much time and how many retries tests get.
    public var limits: [SettingsLimit]
    /// Settings that are lists.
    public var lists: [SettingsList]
    /// The project that the file names.
    public var project: String?
    /// The default branch that the file names.
    public var base: String?
    /// Where keys are set; those that are not here have their default.
    public var places: [SettingsPlace]
    /// The path of the file in the repository; `nil` when there is none.
    public var file: String?

    package init(
        policy: Policy = Policy(),
        limits: [SettingsLimit] = [],
        lists: [SettingsList] = [],
        project: String? = nil,
        base: String? = nil,
        places: [SettingsPlace] = [],
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

    /// The entries of a list, in its order; none for a list that is not set.
    func entries(of rule: SettingsList.Rule) -> [String] { lists.first { $0.rule == rule }?.entries ?? [] }

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
