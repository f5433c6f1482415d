/// One part of a run that is spread over several machines.
public struct Shard: Sendable, Hashable, Codable {
    /// Which part, counted from 1.
    public let index: Int
    /// How many parts there are.
    public let count: Int

    /// Makes a shard; `nil` unless `1 ≤ index ≤ count`.
    public init?(index: Int, count: Int) {
        guard index >= 1, index <= count else { return nil }
        self.index = index
        self.count = count
    }
}

extension Shard: CustomStringConvertible {
    /// The form of the command line, such as `2/3`.
    public var description: String { "\(index)/\(count)" }
}

/// Which of a package's tests a run was asked to run.
public struct Selection: Sendable, Hashable, Codable {
    /// Regular expressions of which one must be found in `Module.Suite/test`, or, if it is found in none, in the tests' names for
    /// readers; empty for every test.
    public var filters: [String]
    /// Regular expressions of which none may be found there.
    public var skips: [String]
    /// Test targets that are switched off, by manifest name.
    public var disabledTargets: [String]
    /// The only test targets that are wanted, by manifest name; `nil` for all.
    public var targets: [String]?
    /// The run of which only the tests that failed are wanted.
    public var rerunOf: RunID?
    /// The part of the tests that is wanted.
    public var shard: Shard?
    /// The run whose per-test coverage says which tests need not run; `nil` unless tests were left out by one.
    public var mappedBy: RunID?

    /// Makes a selection; without arguments it is everything.
    public init(
        filters: [String] = [],
        skips: [String] = [],
        disabledTargets: [String] = [],
        targets: [String]? = nil,
        rerunOf: RunID? = nil,
        shard: Shard? = nil,
        mappedBy: RunID? = nil
    ) {
        self.filters = filters
        self.skips = skips
        self.disabledTargets = disabledTargets
        self.targets = targets
        self.rerunOf = rerunOf
        self.shard = shard
        self.mappedBy = mappedBy
    }

    /// Whether the run was asked to run only a part of the tests. A test target that the settings switch off is a standing decision
    /// about the package, and makes no run partial.
    public var isPartial: Bool {
        !filters.isEmpty || !skips.isEmpty || targets != nil || rerunOf != nil || shard != nil || mappedBy != nil
    }

    /// The selection in words, one text for each restriction; empty for everything. Targets that the settings switch off are not
    /// among them.
    public var words: [String] {
        (targets.map { ["targets \($0.joined(separator: ", "))"] } ?? []) + filters.map { "filter '\($0)'" }
            + skips.map { "skip '\($0)'" }
            + (rerunOf.map { ["tests that failed in \($0.short)"] } ?? []) + (shard.map { ["shard \($0)"] } ?? [])
            + (mappedBy.map { ["tests of changed functions, by the per-test coverage of \($0.short)"] } ?? [])
    }
}
