/// What became of a line from the base to the run: the categories of differential coverage, as genhtml names them
/// (Henry Cox, "Differential coverage", arXiv 2008.07947). Of its twelve, none is left out.
public enum LineClass: String, Sendable, Hashable, Codable, CaseIterable {
    /// New, and not covered.
    case uncoveredNew = "UNC"
    /// Unchanged, covered at the base, not covered now.
    case lostBaseline = "LBC"
    /// Unchanged, not executable at the base, not covered now.
    case uncoveredIncluded = "UIC"
    /// Unchanged, or only moved, and covered neither at the base nor now.
    case uncoveredBaseline = "UBC"
    /// Unchanged, not covered at the base, covered now.
    case gainedBaseline = "GBC"
    /// Unchanged, not executable at the base, covered now.
    case gainedIncluded = "GIC"
    /// New, and covered.
    case gainedNew = "GNC"
    /// Unchanged, and covered both at the base and now.
    case coveredBaseline = "CBC"
    /// Unchanged, not covered at the base, not executable now.
    case excludedUncovered = "EUB"
    /// Unchanged, covered at the base, not executable now.
    case excludedCovered = "ECB"
    /// Gone, and was not covered.
    case deletedUncovered = "DUB"
    /// Gone, and was covered.
    case deletedCovered = "DCB"
}
