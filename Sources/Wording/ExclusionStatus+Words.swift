public import Gate
import RunModel

extension ExclusionStatus.Warning {
    /// What is odd, in a few words.
    public var words: String {
        switch self {
        case .matchesNothing: "matches nothing"
        case .isExecuted: "is executed by tests"
        }
    }
}

extension ExclusionStatus {
    /// `2 files, 31 executable lines, since 2026-01-02`.
    public var size: String {
        "\(Figures.counted(files, "file")), \(Figures.counted(lines.total, "executable line"))"
            + (since.map { ", since \($0)" } ?? "")
    }

    /// A warning about it, if there is one.
    public var warningText: String? {
        switch warning {
        case .matchesNothing: "matches nothing"
        case .isExecuted: "\(Figures.counted(lines.covered, "excluded line")) still executed"
        case nil: nil
        }
    }

    /// The reason that was given, or that there is none; untrusted text.
    public var statedReason: String { exclusion.reason ?? "no reason given" }
}
