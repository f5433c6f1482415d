import Evidence
import RunModel
import TestResults

extension PassPlan {
    /// Distributes tests across concurrent processes, so that all end at about the same time.
    ///
    /// An XCTest class is never split, because its tests may share what the class sets up. Swift Testing runs its
    /// tests concurrently by itself and gets one process; its duration counts as the sum of its tests divided by the
    /// number of processes, but at least as the longest test.
    ///
    /// - Parameters:
    ///   - tests: The tests to run.
    ///   - discovered: All tests there are.
    ///   - jobs: How many processes run at a time.
    ///   - durations: Earlier durations of tests; a test without one counts as the median of the others.
    /// - Returns: First the plan that each process begins with, then the rest for those that end early.
    static func distributed(
        _ tests: [DiscoveredTests.Entry],
        of discovered: DiscoveredTests,
        over jobs: Int,
        durations: [TestID: Duration]
    ) -> [PassPlan] {
        let median = durations.median(of: tests.map(\.id)) ?? .seconds(1)
        let swiftTesting = tests.filter { $0.library == .swiftTesting }
        let classes = classes(of: tests)
        let shared = swiftTesting.map { durations[$0.id] ?? median }
        let workers = LongestFirst.assign(
            [max(shared.max() ?? .zero, shared.reduce(.zero, +) / jobs)]
                + classes.map { $0.reduce(.zero) { $0 + (durations[$1.id] ?? median) } },
            toWorkers: jobs)
        var (begin, rest): ([PassPlan], [PassPlan]) = ([], [])
        for worker in 0..<jobs {
            let own = zip(classes, workers.dropFirst()).filter { $1 == worker }.flatMap(\.0)
            let plans = (workers[0] == worker ? together(swiftTesting, of: discovered) : []) + plans(.first, own)
            begin += plans.prefix(1)
            rest += plans.dropFirst()
        }
        return begin + rest
    }

    /// The XCTest tests by class, in the given order.
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

    /// One process for Swift Testing, with a filter only if not all of its tests run.
    private static func together(
        _ tests: [DiscoveredTests.Entry], of discovered: DiscoveredTests
    ) -> [PassPlan] {
        let isWhole = tests.count == discovered.entries.count { $0.library == .swiftTesting }
        return isWhole && !tests.isEmpty
            ? [PassPlan(reason: .first, tests: tests, isWhole: true)] : plans(.first, tests)
    }
}
