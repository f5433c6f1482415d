import Evidence
import RunModel
import TestResults

struct PassPlan: Sendable, Hashable {
    var reason: TestPass.Reason
    /// The tests; `nil` for all.
    var tests: [DiscoveredTests.Entry]?
    /// Whether Swift Testing runs one test at a time, so that a crash can be attributed.
    var isSerial = false
    /// Whether these are all tests of their library, so that they need no filter.
    var isWhole = false
    /// The runner that has the tests, where each test target has one; `nil` where one binary has all.
    var runner: String?

    /// The longest list of tests in one argument: the kernel refuses arguments over 128 KiB.
    private static let longestList = 100_000

    /// As many plans as needed to name every test. Tests of one class stay together if one argument can name them
    /// all.
    static func plans(
        _ reason: TestPass.Reason,
        _ tests: [DiscoveredTests.Entry],
        isSerial: Bool = false
    ) -> [PassPlan] {
        var plans: [PassPlan] = []
        var bytes = longestList
        for family in families(tests) {
            let all = family.reduce(0) { $0 + length($1) }
            for test in family {
                if bytes + (test == family.first ? all : length(test)) > longestList {
                    plans.append(PassPlan(reason: reason, tests: [], isSerial: isSerial))
                    bytes = 0
                }
                bytes += length(test)
                plans[plans.count - 1].tests?.append(test)
            }
        }
        return plans
    }

    private static func length(_ test: DiscoveredTests.Entry) -> Int { test.name.utf8.count + 1 }

    /// Consecutive tests of one class.
    private static func families(_ tests: [DiscoveredTests.Entry]) -> [ArraySlice<DiscoveredTests.Entry>] {
        var families: [ArraySlice<DiscoveredTests.Entry>] = []
        var start = 0
        for next in 1..<(tests.count + 1) where next == tests.count || tests[next].ofClass != tests[start].ofClass {
            families.append(tests[start..<next])
            start = next
        }
        return tests.isEmpty ? [] : families
    }
}

extension DiscoveredTests.Entry {
    /// The identity of its class, which has no test's name.
    var ofClass: TestID { TestID(module: id.module, suite: id.suite, name: "") }
}

/// The remaining passes of a run: pure, so that recovery can be tested without a crash.
struct PassQueue: Sendable, Hashable {
    /// How many crashes or hangs are followed by another process.
    static let mostRecoveries = 50

    private var waiting: [PassPlan]
    private let tests: [TestID: DiscoveredTests.Entry]
    private var recoveriesLeft = mostRecoveries
    private var retriesLeft: Int
    private let products: BuiltFolder?
    private var failing: Set<TestID> = []

    /// Begins with the given plans.
    ///
    /// - Parameters:
    ///   - discovered: All tests by identity; without them nothing can run again.
    ///   - products: The runners among which tests are divided, where there are several.
    init(_ plans: [PassPlan], discovered: DiscoveredTests?, retries: Int, products: BuiltFolder? = nil) {
        self.products = products
        waiting = plans
        tests = Dictionary((discovered?.entries ?? []).map { ($0.id, $0) }) { first, _ in first }
        retriesLeft = retries
    }

    /// The next pass; retries come last.
    ///
    /// - Parameter othersRun: Whether earlier passes are still running.
    mutating func next(whileOthersRun othersRun: Bool = false) -> PassPlan? {
        if waiting.isEmpty, !othersRun, retriesLeft > 0, !failing.isEmpty {
            retriesLeft -= 1
            waiting = PassPlan.plans(.retry, entries(failing.sorted()))
        }
        guard !waiting.isEmpty else { return nil }
        let plan = waiting.removeFirst()
        guard let parts = products?.split(plan) else { return plan }
        waiting = parts.dropFirst() + waiting
        return parts.first
    }

    /// The first passes that have not begun.
    var unbegun: [PassPlan] { waiting.filter { $0.reason == .first } }

    /// Adds passes for the tests that a pass left open.
    mutating func take(_ report: PassReport, of plan: PassPlan) {
        failing.subtract((plan.tests ?? []).map(\.id))
        failing.formUnion(report.failed)
        // A process that crashes before its first test would always do so.
        guard recoveriesLeft > 0, report.settled > 0 || !report.suspects.isEmpty else { return }
        let plans =
            PassPlan.plans(.recovery, entries(report.suspects), isSerial: true)
            + PassPlan.plans(.recovery, entries(report.unfinished), isSerial: plan.isSerial)
        guard !plans.isEmpty else { return }
        recoveriesLeft -= 1
        waiting = plans + waiting
    }

    private func entries(_ ids: [TestID]) -> [DiscoveredTests.Entry] { ids.compactMap { tests[$0] } }
}
