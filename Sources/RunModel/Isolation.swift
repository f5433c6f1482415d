/// What holds the processes of a run together, so that none outlives it.
public enum Isolation: String, Sendable, Hashable, Codable, CaseIterable {
    /// Only the reaper, which adopts every orphan.
    case reaper
    /// A cgroup beside the reaper: the kernel ends everything in it at once.
    case cgroup
    /// A PID namespace with the reaper as its first process: everything in it ends with the reaper, and nothing in it
    /// can see processes outside.
    case pidNamespace = "pid-namespace"
}

/// Which isolation a run asks for.
public enum IsolationRule: Sendable, Hashable {
    /// Exactly this one; the run fails on a machine that does not allow it.
    case exactly(Isolation)
    /// The strongest that the machine allows.
    case best

    /// Reads the word of the settings.
    public init?(word: String) {
        if word == Self.bestWord {
            self = .best
        } else if let isolation = Isolation(rawValue: word) {
            self = .exactly(isolation)
        } else {
            return nil
        }
    }

    /// The word of the settings.
    public var word: String {
        switch self {
        case .exactly(let isolation): isolation.rawValue
        case .best: Self.bestWord
        }
    }

    /// All words.
    public static let words = Isolation.allCases.map(\.rawValue) + [bestWord]

    private static let bestWord = "best"
}
