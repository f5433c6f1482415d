import Foundation
import Gate
import RunModel
import TestSupport
import Testing

/// Flaky tests and the quarantine.
@Suite struct TestRulesTests {
    /// The run begins on 2026-01-02.
    private let run = SampleRuns.unsteady()
    private var flaky: TestID { run.tests[0].id }
    private var failed: TestID { run.tests[3].id }

    private func entry(_ test: TestID, expires: String = "2026-01-02") throws -> QuarantineEntry {
        QuarantineEntry(
            test: test.description, owner: "ana", reason: "waits", expires: try #require(CalendarDay(expires)))
    }

    private func failures(_ count: Int, then outcome: Outcome = .passed) -> [PastExecution] {
        Array(repeating: PastExecution(outcome: .crashed), count: count) + [PastExecution(outcome: outcome)]
    }

    @Test func `a flaky test blocks only where the policy says so`() throws {
        var steady = run
        steady.tests.removeLast()
        #expect(try Verdict(judging: steady, by: Policy()).violations == [])
        let verdict = try Verdict(judging: steady, by: Policy(flaky: .fail))
        #expect(verdict.violations == [.testFlaky(id: flaky, attempts: 2)])
        #expect(verdict.exitStatus == .gateFailed)
        let excused = try Verdict(judging: steady, by: Policy(flaky: .fail, quarantine: [entry(flaky)]))
        #expect(excused.decision == .passed)
    }

    @Test func `a failure in quarantine does not block, and is shown with its contract`() throws {
        let policy = Policy(quarantine: [try entry(failed)])
        let verdict = try Verdict(judging: run, by: policy)
        #expect(verdict.decision == .passed)
        #expect(verdict.quarantine == [QuarantineStatus(entry: try entry(failed), id: failed, outcome: .failed)])
        #expect(verdict.quarantine(of: failed)?.entry.owner == "ana")
        #expect(try JSONRoundTrip.of(verdict) == verdict)
    }

    @Test func `only the test that is named is excused, byte by byte`() throws {
        var twins = run
        for name in ["test\u{E9}", "teste\u{301}"] {
            let id = TestID(module: "CoreTests", suite: "Zoo", name: name)
            twins.tests.append(TestResult(id: id, library: .xctest, outcome: .failed))
        }
        let named = try entry(twins.tests[4].id)
        let verdict = try Verdict(judging: twins, by: Policy(quarantine: [named, entry(failed)]))
        #expect(verdict.violations == [.testFailed(id: twins.tests[5].id, outcome: .failed, issue: nil)])
    }

    @Test func `an entry that is over blocks, and excuses nothing`() throws {
        let over = try entry(failed, expires: "2026-01-01")
        let verdict = try Verdict(judging: run, by: Policy(quarantine: [over]))
        #expect(
            verdict.violations == [
                .testFailed(id: failed, outcome: .failed, issue: run.tests[3].firstFailure),
                .quarantineBroken(entry: over, fault: .expired),
            ])
        let passing = try entry(flaky, expires: "2026-01-01")
        let healed = try Verdict(judging: SampleRuns.unsteady(), by: Policy(quarantine: [passing, entry(failed)]))
        #expect(healed.violations == [.quarantineBroken(entry: passing, fault: .expired)])
        #expect(healed.exitStatus == .gateFailed)
    }

    @Test func `an entry that names no test blocks, and the nearest name is suggested`() throws {
        var steady = run
        steady.tests.removeLast()
        let wrong = QuarantineEntry(
            test: "CoreTests.VideoInfoTests/testNetwrk", owner: "ana", reason: "", expires: try entry(flaky).expires)
        let policy = Policy(quarantine: [wrong])
        let fault = QuarantineFault.matchesNothing(nearest: "CoreTests.VideoInfoTests/testNetwork")
        let verdict = try Verdict(judging: steady, by: policy)
        #expect(verdict.violations == [.quarantineBroken(entry: wrong, fault: fault)])
        #expect(verdict.quarantine == [QuarantineStatus(entry: wrong, fault: fault)])

        var part = steady
        part.selection = Selection(filters: ["x"])
        #expect(try Verdict(judging: part, by: policy).violations == [])
        var off = steady
        off.selection = Selection(disabledTargets: ["CoreTests"])
        #expect(try Verdict(judging: off, by: policy).violations == [])
        var unlisted = steady
        unlisted.gaps = [Gap(.listUnavailable, detail: "")]
        #expect(try Verdict(judging: unlisted, by: policy).violations == [])
    }

    @Test(arguments: [(8, false), (9, true), (20, true)])
    func `a test that failed ten times in a row is broken, not flaky`(earlier: Int, isBroken: Bool) throws {
        let contract = try entry(failed)
        let past = PastResults([failed: failures(earlier)])
        let verdict = try Verdict(judging: run, by: Policy(quarantine: [contract]), past: past)
        #expect(
            verdict.violations
                == (isBroken
                    ? [.quarantineBroken(entry: contract, fault: .alwaysFails(executions: earlier + 1))] : []))
    }

    @Test func `one success in between keeps a test flaky`() throws {
        let past = PastResults([failed: failures(3) + failures(30)])
        #expect(try Verdict(judging: run, by: Policy(quarantine: [entry(failed)]), past: past).decision == .passed)
        let passed = PastResults([flaky: failures(30)])
        let policy = Policy(quarantine: [try entry(flaky), try entry(failed)])
        #expect(try Verdict(judging: run, by: policy, past: passed).decision == .passed)
    }

    @Test func `the past is asked for of the tests that a rule is about and were executed, and of those that failed`()
        throws
    {
        #expect(Policy(flaky: .fail).testsWithPast(in: run) == run.failures.map(\.id))
        let skipped = try #require(run.tests.first { $0.outcome == .skipped }).id
        let policy = Policy(
            quarantine: [try entry(failed), try entry(skipped)],
            budgets: [BudgetRule(pattern: "CoreTests/Parsing", bound: .seconds(1))])
        let asked = policy.testsWithPast(in: run)
        #expect(
            Set(asked)
                == Set(run.failures.map(\.id) + [try #require(run.tests.first { $0.id.suite == "Parsing/Flags" }).id]))
        #expect(Set(asked).count == asked.count)
    }
}
