import Evidence
import RunModel

extension PassPlan {
    /// Deals tests over processes that run at the same time, so that these end together.
    ///
    /// A class of XCTest is never parted, as its tests may share what the class sets up. Swift Testing runs its tests at the
    /// same time by itself and stays one process; it counts as long as its tests would take on as many hands, and no less
    /// than the longest of them.
    ///
    /// - Parameters:
    ///   - tests: The tests to run.
    ///   - discovered: All tests there are.
    ///   - jobs: How many processes run at a time.
    ///   - durations: How long tests took before; one that is not known counts as the middle of the others.
    /// - Returns: First what each process begins with, then what is left for those that end early.
    static func dealt(
        _ tests: [DiscoveredTests.Entry],
        of discovered: DiscoveredTests,
        over jobs: Int,
        durations: [TestID: Duration]
    ) -> [PassPlan] {
        let middle = durations.middle(of: tests.map(\.id)) ?? .seconds(1)
        let swiftTesting = tests.filter { $0.library == .swiftTesting }
        let classes = classes(of: tests)
        let shared = swiftTesting.map { durations[$0.id] ?? middle }
        let hands = LongestFirst.deal(
            [max(shared.max() ?? .zero, shared.reduce(.zero, +) / jobs)]
                + classes.map { $0.reduce(.zero) { $0 + (durations[$1.id] ?? middle) } },
            over: jobs)
        var (begin, rest): ([PassPlan], [PassPlan]) = ([], [])
        for hand in 0..<jobs {
            let own = zip(classes, hands.dropFirst()).filter { $1 == hand }.flatMap(\.0)
            let plans = (hands[0] == hand ? together(swiftTesting, of: discovered) : []) + plans(.first, own)
            begin += plans.prefix(1)
            rest += plans.dropFirst()
        }
        return begin + rest
    }

    /// The tests of XCTest by class, in the order given.
    private static func classes(of tests: [DiscoveredTests.Entry]) -> [[DiscoveredTests.Entry]] {
        var places: [TestID: Int] = [:]
        var classes: [[DiscoveredTests.Entry]] = []
        for test in tests where test.library == .xctest {
            if let place = places[test.ofClass] {
                classes[place].append(test)
            } else {
                places[test.ofClass] = classes.count
                classes.append([test])
            }
        }
        return classes
    }

    /// One process for tests of Swift Testing, which are named to it only where they are not all of them.
    private static func together(
        _ tests: [DiscoveredTests.Entry], of discovered: DiscoveredTests
    ) -> [PassPlan] {
        let isWhole = tests.count == discovered.entries.count { $0.library == .swiftTesting }
        return isWhole && !tests.isEmpty
            ? [PassPlan(reason: .first, tests: tests, isWhole: true)] : plans(.first, tests)
    }
}
