/// When a run builds anew, and compares with what the incremental build made.
public enum CleanBuilds: String, Sendable, Hashable, Codable, CaseIterable {
    /// Only where nothing that was built can be used.
    case never
    /// If the last build from nothing is a day old.
    case daily
    /// Each time.
    case always
}
