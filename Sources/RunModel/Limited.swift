/// A value of a file that a stranger may have written. Its limits are checked before anything is done with it.
public protocol Limited {
    /// What is beyond a limit, such as `tests.budgets: 12,000 entries, the limit is 10,000`; `nil` for what may be used.
    var fault: String? { get }
}

extension Limited {
    /// The words for a list that is too long; `nil` for one that is not.
    public static func fault(_ what: String, count: Int, most: Int) -> String? {
        guard count > most else { return nil }
        return "\(what): \(Figures.counted(count, "entry", "entries")), the limit is \(Figures.grouped(most))"
    }
}
