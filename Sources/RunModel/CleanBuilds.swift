/// When a run builds anew, and compares with what the incremental build made.
public enum CleanBuilds: String, Sendable, Hashable, Codable, CaseIterable {
    /// Only if nothing of an earlier build can be used.
    case never
    /// If the last build from scratch is a day old.
    case daily
    /// Each time.
    case always
}
