import Gate
import RunModel
import TestSupport
import Testing

@Suite struct BudgetTests {
    private let machine = MachineClass(processor: "Sample Processor 1", cores: 2)

    private func run(_ latest: Duration, outcome: Outcome = .passed) -> TestRun {
        var run = SampleRuns.unsteady()
        run.tests = [
            TestResult(
                id: TestID(module: "PerfTests", suite: "Decoding/Large", name: "testDecode"), library: .xctest,
                outcome: outcome, attempts: [TestAttempt(outcome: outcome, duration: latest)]
            )
        ]
        return run
    }

    private func past(_ durations: [Int], on machine: MachineClass? = nil, _ outcome: Outcome = .passed) -> PastResults
    {
        let id = run(.zero).tests[0].id
        return PastResults([
            id: durations.map {
                PastExecution(outcome: outcome, duration: .seconds($0), machine: machine ?? self.machine)
            }
        ])
    }

    private func violations(_ run: TestRun, _ past: PastResults = PastResults()) throws -> [Violation] {
        let policy = Policy(budgets: [BudgetRule(pattern: "PerfTests/*", bound: .seconds(2))])
        return try Verdict(judging: run, by: policy, past: past).violations.filter { $0.rule == "budget" }
    }

    private func exceeded(_ median: Duration, over executions: Int, on machine: MachineClass?) -> [Violation] {
        [
            .budgetExceeded(
                test: run(.zero).tests[0].id, rule: BudgetRule(pattern: "PerfTests/*", bound: .seconds(2)),
                median: median, executions: executions, machine: machine)
        ]
    }

    @Test func `the bound itself is within the budget`() throws {
        #expect(try violations(run(.seconds(2))) == [])
        let late = Duration.seconds(2) + .nanoseconds(1)
        #expect(try violations(run(late)) == exceeded(late, over: 1, on: machine))
    }

    @Test func `one slow execution is forgiven, a slow median is not`() throws {
        #expect(try violations(run(.seconds(9)), past([1, 1, 9, 9, 9])) == exceeded(.seconds(9), over: 5, on: machine))
        #expect(try violations(run(.seconds(9)), past([1, 1, 2, 9, 9, 9])) == [])
        #expect(try violations(run(.seconds(1)), past([3, 3])) == exceeded(.seconds(3), over: 3, on: machine))
    }

    @Test func `of an even number the lower middle counts`() throws {
        #expect(try violations(run(.seconds(9)), past([1])) == [])
    }

    @Test func `other machines and failures say nothing of speed`() throws {
        let elsewhere = MachineClass(processor: "Sample Processor 1", cores: 4)
        #expect(try violations(run(.seconds(3)), past([1, 1, 1], on: elsewhere)).count == 1)
        #expect(try violations(run(.seconds(3)), past([1, 1, 1], .failed)).count == 1)
        #expect(try violations(run(.seconds(3), outcome: .failed)) == [])
        var unknown = run(.seconds(3))
        unknown.machine = nil
        #expect(try violations(unknown, past([1, 1, 1])) == exceeded(.seconds(3), over: 1, on: nil))
    }

    @Test(arguments: [
        ("PerfTests", true), ("PerfTests/*", true), ("PerfTests/Decoding", true), ("PerfTests/*/*", true),
        ("PerfTests/Decoding/Large/testDecode", true), ("Perf*/**/test*", true), ("**", true), ("*", true),
        ("Perf", false), ("PerfTests/testDecode", false), ("PerfTests/Large", false), ("Decoding", false), ("", false),
        ("PerfTests/Decoding/Large/testDecode/x", false), ("**/testEncode", false),
    ])
    func `a pattern matches a test, its suite or its module`(pattern: String, matches: Bool) {
        #expect(BudgetRule(pattern: pattern, bound: .seconds(1)).matches(run(.zero).tests[0].id) == matches)
    }

    @Test func `the first budget that matches wins, and one that matches nothing is an error`() throws {
        let first = BudgetRule(pattern: "*", bound: .seconds(10))
        let second = BudgetRule(pattern: "PerfTests", bound: .seconds(1))
        #expect(try Verdict(judging: run(.seconds(5)), by: Policy(budgets: [first, second])).violations.count == 0)
        let wrong = Policy(budgets: [BudgetRule(pattern: "PerfTest", bound: .seconds(1))])
        #expect(throws: PolicyError.budgetMatchesNothing(pattern: "PerfTest", suggestion: "PerfTests")) {
            try Verdict(judging: run(.seconds(5)), by: wrong)
        }
        // A target that is switched off excuses only a pattern that can mean its tests.
        var off = run(.seconds(5))
        off.selection = Selection(disabledTargets: ["SlowTests"])
        #expect(throws: PolicyError.budgetMatchesNothing(pattern: "PerfTest", suggestion: "PerfTests")) {
            try Verdict(judging: off, by: wrong)
        }
        for pattern in ["SlowTests", "Slow*/Decoding", "**/testLate"] {
            let policy = Policy(budgets: [BudgetRule(pattern: pattern, bound: .seconds(1))])
            #expect(try Verdict(judging: off, by: policy).violations == [])
        }
        var part = run(.seconds(5))
        part.selection = Selection(filters: ["a"])
        #expect(try Verdict(judging: part, by: wrong).violations == [])
    }
}
