import Evidence
import RunModel

/// What one pass is to run.
struct PassPlan: Sendable, Hashable {
    /// What it is for.
    var reason: TestPass.Reason
    /// The tests; `nil` for every test there is.
    var tests: [DiscoveredTests.Entry]?
    /// Whether Swift Testing is to run one test at a time, so that a crash has a name.
    var isSerial = false
    /// Whether the tests are all that their library has: then they need not be named to it.
    var isWhole = false

    /// The longest list of tests that one argument takes: the kernel refuses words of 128 KiB.
    private static let longestList = 100_000

    /// As many plans as it takes to name every test. Tests of one class stay together, if one argument can name them all.
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

    /// Neighbors of one class together.
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

/// The passes of a run that are still to come: pure, so that what follows upon a crash can be tested without one.
struct PassQueue: Sendable, Hashable {
    /// How often a process may die or hang before what is left is left alone.
    static let mostRecoveries = 50

    private var waiting: [PassPlan]
    private let tests: [TestID: DiscoveredTests.Entry]
    private var recoveriesLeft = mostRecoveries
    private var retriesLeft: Int
    private var failing: Set<TestID> = []

    /// Begins with the plans given.
    ///
    /// - Parameter discovered: All tests by identity; without them nothing can be run again.
    init(_ plans: [PassPlan], discovered: DiscoveredTests?, retries: Int) {
        waiting = plans
        tests = Dictionary((discovered?.entries ?? []).map { ($0.id, $0) }) { first, _ in first }
        retriesLeft = retries
    }

    /// The next pass; retries come when everything else has been run.
    ///
    /// - Parameter othersRun: Whether passes that were taken are still running.
    mutating func next(whileOthersRun othersRun: Bool = false) -> PassPlan? {
        if waiting.isEmpty, !othersRun, retriesLeft > 0, !failing.isEmpty {
            retriesLeft -= 1
            waiting = PassPlan.plans(.retry, entries(failing.sorted()))
        }
        return waiting.isEmpty ? nil : waiting.removeFirst()
    }

    /// The passes of what was asked for that nobody has taken.
    var unbegun: [PassPlan] { waiting.filter { $0.reason == .first } }

    /// Takes what a pass left open.
    mutating func take(_ report: PassReport, of plan: PassPlan) {
        failing.subtract((plan.tests ?? []).map(\.id))
        failing.formUnion(report.failed)
        // A process that dies before its first test would do so for ever.
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
