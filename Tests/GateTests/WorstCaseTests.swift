import Foundation
import RunModel
import TestSupport
import Testing

@testable import Gate

/// What a rule costs follows from the length of what it is given. `scripts/check-costs` measures it; here a rule that goes
/// through one list for every entry of two others takes so long that the test is ended.
@Suite(.serialized) struct WorstCaseTests {
    @Test func `every rule has a worst case, and every worst case a rule`() {
        #expect(Set(WorstCase.all.filter { !$0.value().isEmpty }.keys) == Set(Rules.all.map { $0.code }))
    }

    @Test(.slow, .timeLimit(.minutes(10)), arguments: Rules.all.map { $0.code })
    func `the worst case of a rule is judged or refused`(rule: String) throws {
        for (number, found) in (WorstCase.all[rule]?() ?? []).enumerated() {
            let cost = try Cost.measure { _ = try found.judge() }
            cost.tell("rule \(rule) \(number + 1)")
        }
    }

    @Test(.slow, .timeLimit(.minutes(10)), arguments: CodeOwnersForm.allCases)
    func `the owners of the worst run are looked up or left out`(form: CodeOwnersForm) {
        for (number, found) in WorstCase.owners(form).enumerated() {
            let cost = Cost.measure { _ = RunOwners(found.run, found.verdict) }
            cost.tell("owners of \(form.rawValue) \(number + 1)")
        }
    }
}
