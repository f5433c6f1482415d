/// When a run makes a clean build, and compares it with the incremental build.
public enum CleanBuilds: String, Sendable, Hashable, Codable, CaseIterable {
    /// Only if nothing of an earlier build can be used.
    case never
    /// If the last build from scratch is a day old.
    case daily
    /// Each time.
    case always
}
