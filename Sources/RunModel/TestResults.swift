/// What became of the tests of a run: results, and beside them in columns those that only passed.
///
/// Only a reader of reports makes columns; everything else has a list, and none needs to know the difference.
public struct TestResults: Sendable {
    /// Where the result of a test is kept.
    public enum Place: Sendable {
        /// In `detailed`.
        case detailed(Int)
        /// In `passed`.
        case passed(Int)
    }

    /// Every result that is not in `passed`: among them whatever did not pass, or passed after it had failed.
    public internal(set) var detailed: [TestResult]
    /// The tests that only passed, ordered by identity.
    public private(set) var passed = PassedTests(library: .foreign)
    /// For every test, in the order of identities, its index in `passed`, or the complement of that in `detailed`; empty
    /// while nothing is in columns.
    private var places: [Int32] = []

    /// A list of results, in its order.
    public init(_ results: [TestResult]) { detailed = results }

    /// Results and columns, each in any order; `nil` when a test is there twice, which is for somebody else to settle.
    public init?(_ results: [TestResult], _ passed: PassedTests) {
        let ordered = results.orderedByIdentity()
        guard let passed = passed.ordered(), ordered.isOrderedByIdentity, ordered.count + passed.count < Int32.max
        else { return nil }
        detailed = ordered
        guard !passed.isEmpty else { return }
        self.passed = passed
        places.reserveCapacity(ordered.count + passed.count)
        var next: Int32 = 0
        for (index, result) in ordered.enumerated() {
            guard let before = passed.count(before: result.id) else { return nil }
            places.append(contentsOf: next..<Int32(before))
            next = Int32(before)
            places.append(~Int32(index))
        }
        places.append(contentsOf: next..<Int32(passed.count))
    }

    /// How many tests there are.
    public var count: Int { detailed.count + passed.count }
    /// Whether there are none.
    public var isEmpty: Bool { count == 0 }

    /// Where the result of a test is kept, by its number in the order of all.
    public subscript(index: Int) -> Place {
        if places.isEmpty { return .detailed(index) }
        let place = Int(places[index])
        return place < 0 ? .detailed(~place) : .passed(place)
    }

    /// All of them as a list: at hand where nothing is in columns, otherwise made.
    public var all: [TestResult] {
        if places.isEmpty { return detailed }
        return (0..<count).map { index in
            switch self[index] {
            case .detailed(let place): detailed[place]
            case .passed(let place): passed[place]
            }
        }
    }

    /// Makes a list of them, to be changed.
    mutating func expand() { if !places.isEmpty { self = TestResults(all) } }

    /// Whether every test comes behind those with lesser identities, and none comes twice.
    public var isOrderedByIdentity: Bool { !places.isEmpty || detailed.isOrderedByIdentity }

    /// How many ended in which way.
    public var outcomes: OutcomeTally {
        var tally = OutcomeTally(detailed)
        tally[.passed] += passed.count
        return tally
    }
}

extension TestResults: Hashable {
    /// Equal when the lists are; how they are kept does not matter.
    public static func == (left: TestResults, right: TestResults) -> Bool { left.all == right.all }

    /// Feeds the list.
    public func hash(into hasher: inout Hasher) { hasher.combine(all) }
}
