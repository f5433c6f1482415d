/// By what a list is ordered, and in which direction.
public struct ListOrder: Sendable, Hashable {
    /// What the entries of a list are compared by; each list knows some of these. The raw value is that of an address.
    public enum Key: String, Sendable, Hashable, CaseIterable {
        case name, time, verdict, outcome, coverage, missed, duration, median, longest
        case disagreements, flips, failures, recoveries, files, lines
        case owner, expires, runs, waiting, refused, flaky, slow, tests, deselected, rate

        /// Whether the largest comes first, unless the other direction is requested.
        var isDescendingAtFirst: Bool {
            switch self {
            case .name, .coverage, .owner, .expires: false
            case .time, .verdict, .outcome, .missed, .duration, .median, .longest, .disagreements, .flips, .failures,
                .recoveries, .files, .lines, .runs, .waiting, .refused, .flaky, .slow, .tests, .deselected,
                .rate:
                true
            }
        }
    }

    /// What is compared.
    public var key: Key
    /// Whether the largest comes first: the newest, the worst verdict, the longest.
    public var isDescending: Bool

    /// Makes an order; without a direction it is the one in which the key is mostly looked at.
    public init(_ key: Key, isDescending: Bool? = nil) {
        self.key = key
        self.isDescending = isDescending ?? key.isDescendingAtFirst
    }

    /// The order of a list of runs, unless another is requested.
    public static let newestFirst = ListOrder(.time)

    /// The same the other way round.
    public var reversed: ListOrder { ListOrder(key, isDescending: !isDescending) }
}
