public import Gate
import RunModel

extension [UnstableFile] {
    /// How many places are named.
    private static var limit: Int { 20 }

    /// `2 lines (Sources/A.swift:10, :12)`; `nil` without any. Untrusted text.
    public var words: String? {
        guard !isEmpty else { return nil }
        let places = flatMap { file in
            file.lines.enumerated().map { ($0.offset == 0 ? file.path : "") + ":" + Figures.lines($0.element) }
        }
        let more = places.count > Self.limit ? ", … \(Figures.counted(places.count - Self.limit, "more place"))" : ""
        return "\(Figures.counted(lineCount, "line")) (\(places.prefix(Self.limit).joined(separator: ", "))\(more))"
    }

    /// An explanation of unstable lines.
    public static var meaning: String {
        "Runs of the same sources sometimes cover them and sometimes do not: floors count them as not covered."
    }
}
