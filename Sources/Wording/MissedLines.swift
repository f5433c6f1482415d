public import Gate
public import RunModel

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
