public import RunModel

/// What the lines that a change adds must reach.
public struct PatchRule: Sendable, Hashable, Codable {
    /// A change of fewer executable lines is not judged, unless a policy says otherwise.
    public static let defaultMinimumLines = 5

    /// The floor on the executable lines that were added or changed.
    public var line: Percentage
    /// How many of them there must be for the rule to be judged at all.
    public var minimumLines: Int

    /// Makes a rule from its parts.
    public init(line: Percentage, minimumLines: Int = Self.defaultMinimumLines) {
        self.line = line
        self.minimumLines = minimumLines
    }
}

/// What all measured modules together must reach.
public struct ProjectRule: Sendable, Hashable, Codable {
    /// The floor on the executable lines of all of them.
    public var line: Percentage?
    /// By how many percentage points they may fall behind the base.
    public var mayDrop: Percentage?

    /// Makes a rule from its parts.
    public init(line: Percentage? = nil, mayDrop: Percentage? = nil) {
        self.line = line
        self.mayDrop = mayDrop
    }
}

/// A rule on coverage that is missed: on the change, the project or a file. Modules have `FloorViolation`.
public struct CoverageViolation: Sendable, Hashable, Codable {
    /// Which rule.
    public enum Rule: Sendable, Hashable, Codable {
        /// The lines that were added or changed.
        case patch
        /// All lines of the project.
        case project
        /// All lines of the project against those of the base that are still there, and how far they may fall.
        case drop(from: CoverageTally)
        /// One file, by its path in the package.
        case file(String)
    }

    /// Which rule.
    public var rule: Rule
    /// Lines covered of all that it counts.
    public var tally: CoverageTally
    /// The floor; for `drop` the percentage points by which the project may fall.
    public var limit: Percentage
    /// How many more lines have to be covered: the smallest cure.
    public var shortfall: Int
    /// The lines to choose from, the worst files first.
    public var files: [MissedFile]

    /// Makes a violation from its parts.
    public init(rule: Rule, tally: CoverageTally, limit: Percentage, shortfall: Int, files: [MissedFile]) {
        self.rule = rule
        self.tally = tally
        self.limit = limit
        self.shortfall = shortfall
        self.files = files
    }
}

extension Percentage {
    /// Whether `tally` is at most so many percentage points behind `before`, by cross-multiplication.
    ///
    /// Both totals have to be more than 0, and less than 2^31.
    func allowsDrop(from before: CoverageTally, to tally: CoverageTally) -> Bool {
        let have = (tally.covered * 100_000 + thousandths * tally.total).multipliedFullWidth(by: before.total)
        let need = (before.covered * 100_000).multipliedFullWidth(by: tally.total)
        return (have.high, have.low) >= (need.high, need.low)
    }

    /// How many more lines have to be covered for a drop to be allowed; 0 when it is.
    func shortfall(ofDropFrom before: CoverageTally, to tally: CoverageTally) -> Int {
        var (allowed, refused) = (tally.missed, -1)
        while allowed - refused > 1 {
            let middle = (allowed + refused) / 2
            let better = CoverageTally(covered: tally.covered + middle, total: tally.total)
            if allowsDrop(from: before, to: better) { allowed = middle } else { refused = middle }
        }
        return allowed
    }
}

extension Policy {
    /// Whether a rule compares with the lines of a base.
    public var asksForComparison: Bool { patch != nil || project?.mayDrop != nil }
}
