/// How a run was made: the facts that its runner recorded, that readers pass on, and that the store keeps as one value.
///
/// A fact is declared only here: the manifest has it under the name of its property, and the run and the store have all facts. An
/// unknown fact is absent, and never makes a verdict more favourable.
public struct RunFacts: Sendable, Hashable, Codable {
    /// The compiler and tools; `nil` for reports of another tool.
    public var toolchain: Toolchain?
    /// What held the processes together besides the reaper; `nil` if nothing did.
    public var isolation: Isolation?
    /// The machine; `nil` if unknown, or if its shards ran on machines of several classes.
    public var machine: MachineClass?
    /// The machine by name, and the build that the run was a part of; `nil` if unknown.
    public var origin: RunHost?
    /// What the run depends on besides its tree; `nil` if unknown: then it answers for no other run.
    public var inputs: RunInputs?
    /// The variables that the tests got to see, by name, each with the first digits of a checksum of its value: enough to say which ones
    /// differ between two runs, and too little to tell a value. `nil` if unknown.
    public var variables: [String: String]?
    /// Every dependency as `identity location version`, a package at a path with the digest of its files; `nil` if unknown.
    public var dependencies: [String]?
    /// The selected tests; `nil` for all.
    public var selection: Selection?
    /// How the two testing libraries worked together; `nil` in reports of another tool.
    public var interop: Interop?
    /// How many test processes ran at a time; `nil` if unknown, as in reports of another tool.
    public var jobs: Int?
    /// The steps in order.
    public var steps: [RunStep]
    /// The targets of the root package.
    public var modules: [Module]
    /// The packages that it depends on by path, whose code is not measured, ordered by path; `nil` if there are none.
    public var localPackages: [LocalPackage]?

    /// Makes facts from what is known; all others are absent.
    public init(
        toolchain: Toolchain? = nil, isolation: Isolation? = nil, machine: MachineClass? = nil,
        origin: RunHost? = nil, inputs: RunInputs? = nil, variables: [String: String]? = nil,
        dependencies: [String]? = nil, selection: Selection? = nil, interop: Interop? = nil, jobs: Int? = nil,
        steps: [RunStep] = [], modules: [Module] = [], localPackages: [LocalPackage]? = nil
    ) {
        self.toolchain = toolchain
        self.isolation = isolation
        self.machine = machine
        self.origin = origin
        self.inputs = inputs
        self.variables = variables
        self.dependencies = dependencies
        self.selection = selection
        self.interop = interop
        self.jobs = jobs
        self.steps = steps
        self.modules = modules
        self.localPackages = localPackages
    }
}

/// What has the facts of a run, and every one of them by the same name.
@dynamicMemberLookup
public protocol HasRunFacts {
    /// How it was made.
    var facts: RunFacts { get set }
}

extension HasRunFacts {
    /// A fact.
    public subscript<Value>(dynamicMember path: WritableKeyPath<RunFacts, Value>) -> Value {
        get { facts[keyPath: path] }
        set { facts[keyPath: path] = newValue }
    }
}
