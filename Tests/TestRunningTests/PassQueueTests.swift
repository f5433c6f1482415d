import Evidence
import RunModel
import TestResults
import Testing

@testable import TestRunning

@Suite struct PassQueueTests {
    private static func entry(_ name: String, _ library: TestingLibrary = .xctest) -> DiscoveredTests.Entry {
        DiscoveredTests.Entry(id: TestID(module: "M", suite: "S", name: name), library: library, name: "M.S/\(name)")
    }

    private let all = ["a", "b", "c"].map { Self.entry($0) }
    private var discovered: DiscoveredTests { DiscoveredTests(entries: all) }

    private func report(
        unfinished: [Int] = [], suspects: [Int] = [], failed: [Int] = [], settled: Int = 1
    ) -> PassReport {
        PassReport(
            unfinished: unfinished.map { all[$0].id }, suspects: suspects.map { all[$0].id },
            failed: failed.map { all[$0].id }, settled: settled
        )
    }

    @Test func `a pass that leaves nothing open is the last`() {
        var queue = PassQueue([PassPlan(reason: .first)], discovered: discovered, retries: 2)
        let plan = queue.next()
        #expect(plan == PassPlan(reason: .first))
        queue.take(report(), of: PassPlan(reason: .first))
        #expect(queue.next() == nil)
    }

    @Test func `what was left behind is run next, suspects one at a time`() {
        var queue = PassQueue([PassPlan(reason: .first)], discovered: discovered, retries: 0)
        let plan = queue.next()
        queue.take(report(unfinished: [2], suspects: [0, 1], settled: 0), of: plan ?? PassPlan(reason: .first))
        #expect(queue.next() == PassPlan(reason: .recovery, tests: [all[0], all[1]], isSerial: true))
        #expect(queue.next() == PassPlan(reason: .recovery, tests: [all[2]]))
        #expect(queue.next() == nil)
    }

    @Test func `a process that dies before its first test is not started again`() {
        var queue = PassQueue([PassPlan(reason: .first)], discovered: discovered, retries: 1)
        _ = queue.next()
        queue.take(report(unfinished: [0, 1, 2], settled: 0), of: PassPlan(reason: .first))
        #expect(queue.next() == nil)
    }

    @Test func `recoveries have an end`() {
        var queue = PassQueue([PassPlan(reason: .first)], discovered: discovered, retries: 0)
        var passes = 0
        while let plan = queue.next() {
            passes += 1
            queue.take(report(unfinished: [0]), of: plan)
        }
        #expect(passes == 1 + PassQueue.mostRecoveries)
    }

    @Test func `what failed is tried again when all else has run, as long as it fails`() {
        var queue = PassQueue([PassPlan(reason: .first)], discovered: discovered, retries: 2)
        _ = queue.next()
        queue.take(report(unfinished: [2], failed: [0, 1]), of: PassPlan(reason: .first))
        let recovery = PassPlan(reason: .recovery, tests: [all[2]])
        #expect(queue.next() == recovery)
        queue.take(report(), of: recovery)
        let first = PassPlan(reason: .retry, tests: [all[0], all[1]])
        #expect(queue.next() == first)
        queue.take(report(failed: [1]), of: first)
        let second = PassPlan(reason: .retry, tests: [all[1]])
        #expect(queue.next() == second)
        queue.take(report(failed: [1]), of: second)
        #expect(queue.next() == nil)
    }

    @Test func `what was skipped when it was tried again is not tried a third time`() {
        var queue = PassQueue([PassPlan(reason: .first)], discovered: discovered, retries: 10)
        _ = queue.next()
        queue.take(report(failed: [0, 1]), of: PassPlan(reason: .first))
        let retry = PassPlan(reason: .retry, tests: [all[0], all[1]])
        #expect(queue.next() == retry)
        // One of them passed, the other was skipped: both are settled, and TestResults says that one of them has failed.
        queue.take(report(settled: 2), of: retry)
        #expect(queue.next() == nil)
    }

    @Test func `what failed is not tried again while others run, which may fail too`() {
        let first = [PassPlan(reason: .first, tests: [all[0]]), PassPlan(reason: .first, tests: [all[1]])]
        var queue = PassQueue(first, discovered: discovered, retries: 1)
        #expect([queue.next(), queue.next(whileOthersRun: true)] == first)
        queue.take(report(failed: [0]), of: first[0])
        #expect(queue.next(whileOthersRun: true) == nil)
        queue.take(report(failed: [1]), of: first[1])
        #expect(queue.next() == PassPlan(reason: .retry, tests: [all[0], all[1]]))
    }

    @Test func `what was asked for and not begun is known, what was left behind by others is theirs`() {
        let first = all.map { PassPlan(reason: .first, tests: [$0]) }
        var queue = PassQueue(first, discovered: discovered, retries: 0)
        #expect(queue.unbegun == first)
        _ = queue.next()
        queue.take(report(unfinished: [0]), of: first[0])
        #expect(queue.unbegun == [first[1], first[2]])
    }

    @Test func `a class is parted only where one argument cannot name all of it`() {
        func tests(_ suite: String, _ count: Int) -> [DiscoveredTests.Entry] {
            (0..<count).map { number in
                let name = String(repeating: "x", count: 90) + "\(number)"
                return DiscoveredTests.Entry(
                    id: TestID(module: "M", suite: suite, name: name), library: .xctest, name: "M.\(suite)/\(name)")
            }
        }
        let (small, fitting, large) = (tests("A", 600), tests("B", 600), tests("C", 1500))
        let plans = PassPlan.plans(.first, small + fitting + large)
        #expect(plans.map { Set(($0.tests ?? []).map(\.id.suite)) } == [["A"], ["B"], ["C"], ["C"]])
        let names = plans.flatMap { $0.tests ?? [] }.map(\.name)
        #expect(names.elementsEqual((small + fitting + large).map(\.name)))
    }

    @Test func `names are parted so that each list fits into one argument`() {
        let names = (0..<3000).map { Self.entry(String(repeating: "x", count: 90) + "\($0)") }
        let plans = PassPlan.plans(.first, names)
        #expect(plans.count == 3)
        #expect(plans.flatMap { $0.tests ?? [] } == names)
        #expect(plans.allSatisfy { ($0.tests ?? []).reduce(0) { $0 + $1.name.utf8.count + 1 } <= 100_000 })
        #expect(PassPlan.plans(.first, []) == [])
    }
}
