public import Gate
public import RunModel

extension FloorViolation {
    /// `ThumbnailKit` · `line coverage 78.4 % < 80 %: 1,204 of 1,535 lines.` · `Cover any 24 of these 61 lines:`
    public var words: ViolationWords {
        ViolationWords(
            subject: module,
            reason: "\(metric.rawValue) coverage \(Figures.percent(tally)) < \(Figures.percent(floor))\(origin): "
                + "\(Figures.tally(tally)) \(metric.plural).",
            cure: cure
        )
    }

    private var origin: String {
        switch source {
        case nil, .head?: ""
        case .base?: " (the base's floor)"
        case .ratchet?: " (the base's coverage, by the ratchet)"
        }
    }

    private var cure: String {
        let listed = files.reduce(0) { $0 + $1.missed }
        guard listed > 0 else { return "No \(metric.rawValue) is known to be missed." }
        switch metric {
        case .line: return Figures.cure(shortfall, of: listed)
        case .region, .function:
            let more = Figures.counted(shortfall, "more \(metric.rawValue)", "more \(metric.plural)")
            return "Cover \(more); these lines were missed:"
        }
    }
}

/// The missed lines of a file, as far as a report lists them.
public struct MissedLines: Sendable, Hashable {
    /// The ranges listed, the first ones.
    public let ranges: [ClosedRange<Int>]
    /// `3 more ranges`; `nil` when all are listed.
    public let more: String?

    /// Lists at most `limit` ranges.
    public init(_ all: [ClosedRange<Int>], atMost limit: Int) {
        ranges = Array(all.prefix(limit))
        more = all.count > limit ? Figures.counted(all.count - limit, "more range") : nil
    }

    /// `41–58, 70, … 3 more ranges`.
    public var words: String {
        (ranges.map(Figures.lines) + (more.map { ["… \($0)"] } ?? [])).joined(separator: ", ")
    }
}

extension CoverageMetric {
    /// `lines`, `regions`, `functions`.
    public var plural: String { rawValue + "s" }

    /// `Lines`, `Regions`, `Functions`: the head of a column.
    public var heading: String {
        switch self {
        case .line: "Lines"
        case .region: "Regions"
        case .function: "Functions"
        }
    }
}

extension Floors {
    /// `line 80 %, function 90 %`; `none` without floors.
    public var words: String {
        let parts = CoverageMetric.allCases.compactMap { metric in
            self[metric].map { "\(metric.rawValue) \(Figures.percent($0))" }
        }
        return parts.isEmpty ? "none" : parts.joined(separator: ", ")
    }
}

extension Figures {
    /// The state of modules that reach their floors: `at or above its floor`, `at or above their floors`.
    public static func atFloor(_ number: Int = 1) -> String { "at or above \(floors(number))" }

    /// The state of modules that miss a floor: `under its floor`, `under their floors`.
    public static func underFloor(_ number: Int = 1) -> String { "under \(floors(number))" }

    private static func floors(_ number: Int) -> String { number == 1 ? "its floor" : "their floors" }
}
