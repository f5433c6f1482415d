public import Gate
import RunModel

/// What one exclude takes out of the coverage of a run, for programs.
public struct ExclusionForm: Sendable, Hashable, Codable {
    let pattern: String
    let reason: String?
    /// How many source files it matches.
    let files: Int
    /// Their executable lines.
    let lines: CoverageTally
    /// The day on which it came into the settings; left out where git does not say.
    let since: String?
    /// What is odd about it: `matches-nothing` or `is-executed`; left out where nothing is.
    let warning: String?

    /// Makes the form of an exclude.
    public init(_ status: ExclusionStatus) {
        pattern = status.exclusion.pattern
        reason = status.exclusion.reason
        files = status.files
        lines = status.lines
        since = status.since?.description
        warning = status.warning?.rawValue
    }
}
