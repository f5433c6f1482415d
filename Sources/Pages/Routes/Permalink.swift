/// A permanent address of a run of a project.
public enum Permalink: Sendable, Hashable {
    /// The latest.
    case latest
    /// The latest of a commit, by at least four digits of its hash.
    case commit(String)
    /// The latest of a tree, by its whole hash.
    case tree(String)

    /// The latest run of a commit; `nil` for an invalid hash.
    init?(commit: String) {
        guard Self.isHash(commit) else { return nil }
        self = .commit(commit)
    }

    private static func isHash(_ text: some StringProtocol) -> Bool {
        let digits = Set("0123456789abcdefABCDEF".utf8)
        return (4...64).contains(text.utf8.count) && text.utf8.allSatisfy(digits.contains)
    }

    /// The part of the path after the name of the project.
    var steps: String {
        switch self {
        case .latest: "latest"
        case .commit(let hash): "commit/\(hash)"
        case .tree(let hash): "tree/\(hash)"
        }
    }

    /// Reads the last steps of a path, and says how many they are.
    static func read(_ steps: ArraySlice<Substring>) -> (link: Permalink, length: Int)? {
        guard let last = steps.last else { return nil }
        if last == "latest" { return (.latest, 1) }
        guard steps.count >= 2, isHash(last) else { return nil }
        switch steps[steps.endIndex - 2] {
        case "commit": return (.commit(String(last)), 2)
        case "tree": return (.tree(String(last)), 2)
        default: return nil
        }
    }
}
