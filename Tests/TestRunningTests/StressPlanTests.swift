import RunModel
import Testing

@testable import TestRunning

/// Which tests run next while they are repeated, without any process.
@Suite struct StressPlanTests {
    private static func test(_ name: String) -> TestID { TestID(module: "M", suite: "", name: name) }
    private static let own = ["a", "b"].map(test)
    private static let others = ["c", "d", "e", "f"].map(test)

    private func plan(
        _ tests: [TestID] = Self.own, among all: [TestID] = Self.own + Self.others, runs: Int = 2,
        whole: Duration? = .seconds(1), canNarrow: Bool = true
    ) -> StressPlan {
        StressPlan(
            tests.map { Probation.Entry(test: $0) }, among: all,
            StressRequest(runs: runs, budget: .seconds(30), seed: 7, wholeDuration: whole), canNarrow: canNarrow)
    }

    /// Each step in words, with what came of every test of it.
    private func steps(_ plan: inout StressPlan, ending outcome: Outcome = .passed) -> [String] {
        var steps: [String] = []
        while let step = plan.nextStep() {
            let company =
                switch step.round.way {
                case .alone: ""
                case .together: " together"
                case .inCompany(of: nil): " among all"
                case .inCompany(of: let others?): " among " + others.map(\.name).joined()
                }
            let width = step.round.poolWidth.map { " on \($0)" } ?? ""
            steps.append("\(step.way.rawValue) \(step.round.tests.map(\.name).joined())\(company)\(width)")
            plan.take(report(step.round.tests, outcome), of: step.way)
        }
        return steps
    }

    private func report(_ tests: [TestID], _ outcome: Outcome) -> TrialReport.Round {
        var round = TrialReport.Round()
        round.entries = tests.map { test in
            var tally = TrialTally()
            tally.count(outcome)
            let sample = FailureSample(outcome: outcome, issues: [Issue(message: "it \(outcome.rawValue)")])
            return TrialReport.Entry(
                test: test, tally: tally, firstFailure: outcome.isFailure ? sample : nil)
        }
        round.isComplete = true
        return round
    }

    @Test func `every way comes once before any comes again, in an order and a company that the seed draws`() {
        var first = plan()
        let expected = [
            "alone ba", "one-thread ba on 1", "company ba among all", "two-threads ba on 2", "alone ab",
            "drawn-company ab among ec",
        ]
        #expect(steps(&first) == expected)
        #expect(first.isOver)
        #expect(first.progress.done == first.progress.of)
        #expect(
            first.entries.map(\.counts)
                == Array(
                    repeating: [
                        Probation.Count(.alone, TrialTally(passed: 2)),
                        Probation.Count(.oneThread, TrialTally(passed: 1)),
                        Probation.Count(.company, TrialTally(passed: 1)),
                        Probation.Count(.twoThreads, TrialTally(passed: 1)),
                        Probation.Count(.drawnCompany, TrialTally(passed: 1)),
                    ], count: 2))
        var second = plan()
        #expect(steps(&second) == expected)
    }

    @Test func `all tests are the company only where they take little, and few threads are used where that can be`() {
        var slow = plan(whole: .seconds(4), canNarrow: false)
        #expect(
            steps(&slow) == ["alone ba", "drawn-company ab among ec", "alone ab", "drawn-company ab among cefd"])
        var unknown = plan(runs: 1, whole: nil, canNarrow: false)
        #expect(steps(&unknown) == ["alone ba", "drawn-company ab among ec"])
        var lonely = plan([Self.own[0]], among: [Self.own[0]], runs: 2, canNarrow: false)
        #expect(steps(&lonely) == ["alone a", "alone a"])
        var none = plan([], runs: 3)
        #expect(none.isOver)
        #expect(none.nextStep() == nil)
    }

    @Test func `the same seed draws the same, whatever else is repeated and however long that may take`() {
        func companies(of names: [String], whole: Duration?) -> [Set<String>] {
            var plan = self.plan(names.map(Self.test), runs: 8, whole: whole, canNarrow: false)
            var companies: [Set<String>] = []
            while let step = plan.nextStep() {
                guard case .inCompany(of: let others?) = step.round.way else { continue }
                companies.append(Set((others + step.round.tests).map(\.name)))
            }
            return companies
        }
        // With all tests as the company every second time there are half as many draws, and these are the first.
        let some = companies(of: ["a", "b"], whole: .seconds(1))
        #expect(some.count == 4)
        #expect(companies(of: ["b", "a"], whole: nil).prefix(4) == some[...])
        // A test by itself has the company that it had beside another, but for that one where it was not drawn.
        let one = companies(of: ["a"], whole: nil)
        #expect(zip(one, some).allSatisfy { $0.union(["b"]) == $1 })
        #expect(one.map { $0.contains("b") } == [true, false, true, true, true, true, true, false])
    }

    @Test func `who else was repeated in the same company is kept with a failure, if that draws it again`() {
        func fellows(_ tests: [TestID] = Self.own, of way: Probation.Way, isPart: Bool = false) -> [TestID]? {
            var plan = StressPlan(
                tests.map { Probation.Entry(test: $0) }, among: tests + Self.others,
                StressRequest(runs: 1, budget: .seconds(30), seed: 7), canNarrow: false, isPart: isPart)
            plan.take(report(tests, .failed), of: way)
            return plan.entries[0].firstFailure?.fellows
        }
        #expect(fellows(of: .drawnCompany) == [Self.own[1]])
        #expect(fellows(of: .alone) == [])
        #expect(fellows(of: .company) == [])
        #expect(fellows(of: .drawnCompany, isPart: true) == nil)
        let many = (0..<22).map { Self.test("t\($0)") }
        #expect(fellows(Array(many.dropLast()), of: .drawnCompany)?.count == 20)
        #expect(fellows(many, of: .drawnCompany) == nil)
    }

    @Test func `where the company lacks a test that was drawn, nothing draws it again`() {
        var alone = self.plan([Self.own[1]], runs: 30, whole: nil, canNarrow: false)
        var hasOther: [Bool] = []
        while let step = alone.nextStep() {
            guard case .inCompany(of: let others?) = step.round.way else { continue }
            hasOther.append(others.contains(Self.own[0]))
        }
        var plan = self.plan(runs: 30, whole: nil, canNarrow: false)
        var isFirst = true
        var known: [Bool] = []
        while let step = plan.nextStep() {
            guard step.way == .drawnCompany else { continue }
            if isFirst {
                // The other test hangs, and from now on is not in the company, whatever is drawn.
                plan.take(report([Self.own[0]], .timedOut), of: .drawnCompany)
                isFirst = false
                known.append(true)
                continue
            }
            #expect(step.round.tests == [Self.own[1]])
            var failed = plan
            failed.take(report(step.round.tests, .failed), of: .drawnCompany)
            let fellows = failed.entries.first { $0.test == Self.own[1] }?.firstFailure?.fellows
            known.append(fellows == [])
        }
        #expect(known.count == 30)
        let expected = hasOther.dropFirst().map { !$0 }
        #expect(Array(known.dropFirst()) == expected)
        #expect(Set(expected).count == 2)
    }

    @Test func `few threads are tried in every fifth repetition`() {
        var long = plan(runs: 11)
        let narrow = steps(&long).filter { $0.contains(" on ") }.count
        #expect(narrow == 6)
    }

    @Test func `what hangs is not repeated in that way again, and what fails five times neither`() {
        var hanging = plan([Self.own[0]], runs: 20, canNarrow: false)
        #expect(steps(&hanging, ending: .timedOut) == ["alone a", "company a among all", "drawn-company a among ecb"])
        #expect(hanging.isOver)
        var failing = plan([Self.own[0]], runs: 20, canNarrow: false)
        #expect(steps(&failing, ending: .failed).count == 15)
        #expect(failing.entries[0].counts.map(\.tally) == Array(repeating: TrialTally(failed: 5), count: 3))
        #expect(failing.entries[0].all.executions == 15)
    }

    @Test func `the first failure is kept with its way, number and what waited, and long texts are cut`() {
        var plan = plan(canNarrow: false)
        plan.take(report(Self.own, .passed), of: .alone)
        var hang = report([Self.own[0]], .timedOut)
        hang.entries[0].firstFailure?.issues = [
            Issue(message: String(repeating: "x", count: 5_000), argument: String(repeating: "é", count: 5_000)),
            Issue(message: "second"),
        ]
        hang.entries[0].firstFailure?.count = 2
        hang.waiting = [Self.own[0], Self.others[1]]
        plan.take(hang, of: .company)
        plan.take(report(Self.own, .failed), of: .alone)
        let failure = plan.entries[0].firstFailure
        #expect(failure?.way == .company)
        #expect(failure?.repetition == 2)
        #expect(failure?.waiting == [Self.others[1]])
        #expect(failure?.sample.issues.map(\.message) == [String(repeating: "x", count: 2_000)])
        #expect(failure?.sample.issues.map(\.argument) == [String(repeating: "é", count: 250)])
        #expect(failure?.sample.count == 2)
        #expect(plan.entries[1].firstFailure?.repetition == 2)
        #expect(plan.entries[1].firstFailure?.waiting == [])
        // What did not come to an end has neither passed nor failed.
        plan.take(TrialReport.Round(), of: .alone)
        #expect(plan.entries[1].all == TrialTally(passed: 1, failed: 1))
    }

    @Test func `a test hangs when it takes ten times as long as the slowest of its company did`() {
        let request = StressRequest(
            runs: 1, budget: .seconds(30), seed: 1,
            durations: [Self.own[0]: .seconds(1), Self.own[1]: .milliseconds(5), Self.others[0]: .seconds(3)])
        func limit(_ round: TrialRequest.Round) -> Duration { request.testLimit(of: round, atMost: .seconds(120)) }
        #expect(limit(TrialRequest.Round([Self.own[1]], .alone)) == .seconds(5))
        #expect(limit(TrialRequest.Round(Self.own, .alone)) == .seconds(10))
        #expect(limit(TrialRequest.Round([Self.own[1]], .inCompany(of: [Self.others[0]]))) == .seconds(30))
        #expect(limit(TrialRequest.Round([Self.own[1]], .inCompany(of: nil))) == .seconds(30))
        #expect(request.testLimit(of: TrialRequest.Round(Self.own, .alone), atMost: .seconds(8)) == .seconds(8))
        let unknown = StressRequest(runs: 1, budget: .seconds(300), seed: 1)
        let all = TrialRequest.Round(Self.own, .inCompany(of: nil))
        #expect(unknown.testLimit(of: TrialRequest.Round(Self.own, .alone), atMost: .seconds(120)) == .seconds(60))
        #expect(unknown.testLimit(of: all, atMost: .seconds(120)) == .seconds(120))
    }
}
