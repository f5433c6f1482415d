import RunModel
import TestSupport
import Testing

@testable import Gate

/// Budgets of a commit compared with those of its base.
@Suite struct BudgetChangeTests {
    /// The gate changes of the budgets, where the tests of the run are `CoreTests/Parsing/Flags/…` and
    /// `CoreTests/VideoInfoTests/…`.
    private func changes(from base: [(String, Int)], to head: [(String, Int)]) -> [GateChange] {
        func rules(_ budgets: [(String, Int)]) -> [BudgetRule] {
            budgets.map { BudgetRule(pattern: $0.0, bound: .seconds($0.1)) }
        }
        var trial = Trial()
        trial.baseline.settings?.policy.budgets = rules(base)
        trial.policy.budgets = rules(head)
        trial.baseline.head.places = head.enumerated().map { index, budget in
            SettingsPlace(key: "tests.budgets.\(budget.0)", place: ".kanmon.yml:\(index + 1):3")
        }
        return BaseComparison(trial.run, trial.policy, trial.baseline).changes
    }

    private func raised(_ pattern: String, _ before: Int, to after: Int?, line: Int? = nil) -> GateChange {
        GateChange(
            .budgetRaised, subject: pattern, before: "\(Duration.seconds(before))",
            after: after.map { "\(Duration.seconds($0))" } ?? "none", place: line.map { ".kanmon.yml:\($0):3" })
    }

    @Test func `a laxer rule in front is seen, and so is another order`() {
        let base = [("CoreTests/Parsing", 1), ("CoreTests", 5)]
        #expect(changes(from: base, to: base) == [])
        #expect(
            changes(from: base, to: [("**", 60)] + base) == [
                raised("CoreTests/Parsing", 1, to: 60, line: 1), raised("CoreTests", 5, to: 60, line: 1),
            ])
        #expect(changes(from: base, to: base.reversed()) == [raised("CoreTests/Parsing", 1, to: 5, line: 1)])
    }

    @Test func `a rule that lets only some of its tests go is seen`() {
        #expect(
            changes(from: [("CoreTests", 2)], to: [("CoreTests/Parsing", 9), ("CoreTests", 2)]) == [
                raised("CoreTests", 2, to: 9, line: 1)
            ])
        #expect(changes(from: [("CoreTests", 2)], to: [("CoreTests/Parsing", 2)]) == [raised("CoreTests", 2, to: nil)])
    }

    @Test func `a rule that is raised behind rules for each of its tests is seen`() {
        #expect(
            changes(from: [("**", 1)], to: [("CoreTests", 1), ("*", 1), ("**", 60)]) == [
                raised("**", 1, to: 60, line: 3)
            ])
    }

    @Test func `a rule under another pattern, or parted into stricter ones, is no change`() {
        #expect(changes(from: [("CoreTests/*", 2)], to: [("CoreTests", 2)]) == [])
        #expect(changes(from: [("**", 2)], to: [("CoreTests/Parsing", 1), ("*", 2)]) == [])
    }

    @Test func `a rule that never applied may go`() {
        #expect(changes(from: [("**", 2), ("CoreTests", 1)], to: [("**", 2)]) == [])
    }

    @Test func `a rule for no test of the run is compared by its pattern`() {
        let base = [("CoreTests", 2), ("SlowTests", 3)]
        #expect(changes(from: base, to: [("SlowTests", 3), ("CoreTests", 2)]) == [])
        #expect(
            changes(from: base, to: [("CoreTests", 2), ("SlowTests", 4)]) == [
                raised("SlowTests", 3, to: 4, line: 2)
            ])
        #expect(changes(from: base, to: [("CoreTests", 2)]) == [raised("SlowTests", 3, to: nil)])
    }
}
