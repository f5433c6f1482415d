/// How a run is judged whose classes inherit tests that SwiftPM does not find on Linux.
public enum UndiscoveredTestsRule: String, Sendable, Hashable, Codable, CaseIterable {
    /// They are named in a note.
    case note
    /// They are a gap: the run is undecided.
    case gap
}
