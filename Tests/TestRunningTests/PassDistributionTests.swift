import Evidence
import RunModel
import TestResults
import Testing

@testable import TestRunning

@Suite struct PassDistributionTests {
    private static func entry(
        _ suite: String, _ name: String, _ library: TestingLibrary = .xctest
    )
        -> DiscoveredTests.Entry
    {
        DiscoveredTests.Entry(
            id: TestID(module: "M", suite: suite, name: name), library: library, name: "M.\(suite)/\(name)")
    }

    private static func tests(_ suite: String, _ count: Int) -> [DiscoveredTests.Entry] {
        (0..<count).map { entry(suite, "test\($0)") }
    }

    private static func durations(_ tests: [DiscoveredTests.Entry], _ seconds: Int) -> [TestID: Duration] {
        Dictionary(uniqueKeysWithValues: tests.map { ($0.id, .seconds(seconds)) })
    }

    private let modern = ["f()", "g()"].map { Self.entry("", $0, .swiftTesting) }

    private func first(_ tests: [DiscoveredTests.Entry], isWhole: Bool = false) -> PassPlan {
        PassPlan(reason: .first, tests: tests, isWhole: isWhole)
    }

    @Test func `classes are distributed whole, and by the number of tests where no duration is known`() {
        let (large, middle, small) = (Self.tests("Large", 5), Self.tests("Middle", 4), Self.tests("Small", 2))
        let all = DiscoveredTests(entries: small + large + middle)
        #expect(
            PassPlan.distributed(all.entries, of: all, over: 2, durations: [:]) == [
                first(large), first(small + middle),
            ])
    }

    @Test func `the longest class has a process for itself`() {
        let (slow, fast, new) = (Self.tests("Slow", 1), Self.tests("Fast", 20), Self.tests("New", 1))
        let all = DiscoveredTests(entries: fast + new + slow)
        let durations = Self.durations(slow, 60).merging(Self.durations(fast, 1)) { $1 }
        #expect(
            PassPlan.distributed(all.entries, of: all, over: 2, durations: durations) == [
                first(slow), first(fast + new),
            ])
    }

    @Test func `Swift Testing is one process without a selection, besides those of classes`() {
        let (large, small) = (Self.tests("Large", 3), Self.tests("Small", 2))
        let all = DiscoveredTests(entries: large + small + modern)
        // Two tests on two workers count as one.
        #expect(
            PassPlan.distributed(all.entries, of: all, over: 2, durations: [:]) == [
                first(large), first(modern, isWhole: true), first(small),
            ])
        // Whoever has time takes what is left of a process that goes on to classes.
        #expect(
            PassPlan.distributed(all.entries, of: all, over: 3, durations: [:]) == [
                first(large), first(small), first(modern, isWhole: true),
            ])
    }

    @Test func `a long test of Swift Testing counts as long as it is`() {
        let (one, two) = (Self.tests("One", 1), Self.tests("Two", 1))
        let all = DiscoveredTests(entries: one + two + modern)
        let durations = [modern[0].id: Duration.seconds(30), modern[1].id: .seconds(1)]
            .merging(Self.durations(one + two, 10)) { $1 }
        #expect(
            PassPlan.distributed(all.entries, of: all, over: 2, durations: durations) == [
                first(modern, isWhole: true), first(one + two),
            ])
    }

    @Test func `a part of Swift Testing is named`() {
        let all = DiscoveredTests(entries: Self.tests("One", 1) + modern)
        #expect(
            PassPlan.distributed([all.entries[0], modern[1]], of: all, over: 2, durations: [:]) == [
                first([modern[1]]), first([all.entries[0]]),
            ])
    }

    @Test(arguments: 1...9) func `every test runs once, and every class in one process`(jobs: Int) {
        let classes = (0..<40).map { number in
            (0..<(number * 7 % 13 + 1)).map { Self.entry("S\(number % 29)", "test\(number)_\($0)") }
        }
        let all = DiscoveredTests(entries: classes.flatMap(\.self) + modern)
        let durations = Dictionary(
            uniqueKeysWithValues: all.entries.enumerated().map { ($1.id, Duration.milliseconds($0 * 37 % 1000)) })
        let plans = PassPlan.distributed(all.entries, of: all, over: jobs, durations: durations)
        let lists = plans.map { $0.tests ?? [] }
        #expect(lists.flatMap(\.self).map(\.id).sorted() == all.entries.map(\.id).sorted())
        for name in Set(all.entries.filter { $0.library == .xctest }.map(\.ofClass)) {
            #expect(lists.count { $0.contains { $0.library == .xctest && $0.ofClass == name } } == 1)
        }
        #expect(plans.count == jobs + 1)
        // The order of the list, in which tests of one class may be apart, is that of the classes now.
        let loads = plans.map { plan in (plan.tests ?? []).reduce(Duration.zero) { $0 + (durations[$1.id] ?? .zero) } }
        let total = loads.reduce(.zero, +)
        #expect(loads.max() ?? .zero <= total / jobs + .seconds(8))
    }

    @Test func `without tests there is nothing to run, and one class is one process`() {
        let one = Self.tests("One", 3)
        let all = DiscoveredTests(entries: one)
        #expect(PassPlan.distributed([], of: all, over: 4, durations: [:]) == [])
        #expect(PassPlan.distributed(one, of: all, over: 4, durations: [:]) == [first(one)])
    }
}
