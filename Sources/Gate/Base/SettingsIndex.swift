import RunModel

/// The floors of modules by the first rule that matches, without trying one rule after the other.
struct FloorTable: Sendable {
    private let rules: [ModuleRule]
    private let defaults: Floors
    private let patterns: PatternSet

    init(_ policy: Policy) {
        rules = policy.modules
        defaults = policy.defaultFloors
        patterns = PatternSet(policy.modules.map(\.pattern))
    }

    /// The first rule that matches a module; `nil` when only the default is for it.
    func rule(for module: String) -> ModuleRule? { patterns.first(for: module).map { rules[$0] } }

    /// What that rule sets.
    func own(_ module: String) -> Floors? { rule(for: module)?.floors }

    /// The floors of a module: its own, and the default for a metric that its rule leaves open.
    func floors(for module: String) -> Floors {
        let own = own(module)
        return Floors(
            line: own?.line ?? defaults.line, region: own?.region ?? defaults.region,
            function: own?.function ?? defaults.function)
    }
}

/// Settings that are looked up often: by key and by module.
struct SettingsIndex: Sendable {
    let settings: GateSettings
    let floors: FloorTable
    private let places: [Name: String]

    init(_ settings: GateSettings) {
        self.settings = settings
        floors = FloorTable(settings.policy)
        places = Dictionary(settings.places.map { (Name($0.key), $0.place) }) { first, _ in first }
    }

    /// Where a key is set; `nil` for a default.
    func place(of key: String) -> String? { places[Name(key)] }

    /// Where the floors of a module are set: the first rule that matches, else the default.
    func place(ofFloorsFor module: String) -> String? {
        place(of: "coverage.modules.\(floors.rule(for: module)?.pattern ?? "default")")
    }
}
