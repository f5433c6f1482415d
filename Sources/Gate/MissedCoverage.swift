public import RunModel

/// What one file misses, as a violation lists it.
public struct MissedFile: Sendable, Hashable, Codable {
    /// Relative to the package.
    public var path: String
    /// How many of what the violated floor counts were missed: lines, regions or functions.
    public var missed: Int
    /// The missed lines as ascending ranges.
    public var ranges: [ClosedRange<Int>]
}

/// The coverage that a rule misses.
public struct MissedCoverage: Sendable, Hashable, Codable {
    /// What was counted.
    public var metric: CoverageMetric = .line
    /// The covered and the total number.
    public var tally: CoverageTally
    /// The floor; for the project against its base the percentage points by which it may fall.
    public var floor: Percentage
    /// How many more have to be covered at least.
    public var shortfall: Int
    /// Where the floor comes from; `nil` is the settings of the run.
    public var source: FloorSource?
    /// The lines of the base that are still there, for the project against its base.
    public var before: CoverageTally?
    /// Files with missed lines, the worst first.
    public var files: [MissedFile]

    /// `line coverage 66.6 % < 90 %: 8 of 12`, without what is counted.
    private var comparison: String {
        let origin =
            switch source {
            case nil, .head?: ""
            case .base?: " (the base's floor)"
            case .ratchet?: " (the base's coverage, by the ratchet)"
            }
        return "\(metric.rawValue) coverage \(Figures.percent(tally)) < \(Figures.percent(floor))\(origin): "
            + Figures.tally(tally)
    }

    /// What to cover: `Cover any 3 of these 4 lines:`
    var hint: String {
        let listed = files.reduce(0) { $0 + $1.missed }
        guard listed > 0 else { return "No missed \(metric.rawValue) is known." }
        guard metric == .line else {
            let more = Figures.counted(shortfall, "more \(metric.rawValue)", "more \(metric.plural)")
            return "Cover \(more); these lines were missed:"
        }
        return shortfall >= listed
            ? "Cover \(listed == 1 ? "this line" : "all of these \(Figures.grouped(listed)) lines"):"
            : "Cover any \(Figures.grouped(shortfall)) of these \(Figures.counted(listed, "line")):"
    }

    /// The violation of a rule by it.
    ///
    /// - Parameters:
    ///   - counted: What is counted, in words.
    ///   - reason: What is wrong, where that is not that a floor is missed.
    func violation(
        of rule: any Rule.Type, _ subject: Violation.Subject, title: String, counted: String? = nil,
        reason: String? = nil
    ) -> Violation {
        Violation(
            rule: rule.code, subject: subject, title: title,
            reason: reason ?? "\(comparison) \(counted ?? metric.plural).", hint: hint,
            observed: Figures.percent(tally), required: Figures.percent(floor), coverage: self)
    }
}

extension [MissedFile] {
    /// What the lines of files miss, the worst files first.
    init(missedIn files: [FileCoverage]) {
        self =
            files.filter { $0.lineTally.missed > 0 }
            .map { MissedFile(path: $0.path, missed: $0.lineTally.missed, ranges: $0.missedRanges) }.worstFirst
    }

    /// Those with the most missed lines first, then by path.
    var worstFirst: [MissedFile] {
        sorted { left, right in
            left.missed == right.missed
                ? Name(left.path) < Name(right.path) : left.missed > right.missed
        }
    }
}

extension CoverageMetric {
    /// `lines`, `regions`, `functions`.
    public var plural: String { rawValue + "s" }
}

extension Figures {
    /// How modules that reach their floors are: `at or above its floor`, `at or above their floors`.
    public static func atFloor(_ number: Int = 1) -> String { "at or above \(floors(number))" }

    /// How modules that miss a floor are: `under its floor`, `under their floors`.
    public static func underFloor(_ number: Int = 1) -> String { "under \(floors(number))" }

    private static func floors(_ number: Int) -> String { number == 1 ? "its floor" : "their floors" }
}
