/// Which run of a project an address means that stays right while runs come and go.
public enum Permalink: Sendable, Hashable {
    /// The latest.
    case latest
    /// The latest of a commit, by at least four digits of its hash.
    case commit(String)
    /// The latest of a tree, by its whole hash.
    case tree(String)

    /// What stands behind the name of the project.
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
        let digits = Set("0123456789abcdefABCDEF".utf8)
        guard steps.count >= 2, (4...64).contains(last.utf8.count), last.utf8.allSatisfy(digits.contains) else {
            return nil
        }
        switch steps[steps.endIndex - 2] {
        case "commit": return (.commit(String(last)), 2)
        case "tree": return (.tree(String(last)), 2)
        default: return nil
        }
    }
}
