import Gate
import RunModel
import Testing

/// What a verdict can list, in the order in which it decides the status.
private enum Finding: CaseIterable {
    case buildFailed, lostEvidence, nothingRan, testFailed, ruleBroken

    var status: Gate.ExitStatus {
        switch self {
        case .buildFailed: .buildFailed
        case .lostEvidence: .undecided
        case .nothingRan: .noTests
        case .testFailed: .testsFailed
        case .ruleBroken: .gateFailed
        }
    }
}

@Suite struct ExitStatusTests {
    @Test func `if several apply, 3 outranks 4, then 5, 1 and 2`() {
        for mask in 0..<(1 << Finding.allCases.count) {
            let findings = Finding.allCases.enumerated().filter { mask >> $0.offset & 1 == 1 }.map(\.element)
            for decision in Decision.allCases where decision != .passed || !findings.isEmpty {
                guard !findings.isEmpty else { continue }
                let status = verdict(decision, findings).exitStatus
                #expect(status == findings[0].status, "\(decision) \(findings)")
            }
        }
    }

    @Test(arguments: [(Decision.passed, Gate.ExitStatus.passed), (.failed, .gateFailed), (.undecided, .undecided)])
    func `a verdict that lists nothing has the status of its decision`(decision: Decision, status: Gate.ExitStatus) {
        #expect(verdict(decision, []).exitStatus == status)
    }

    @Test(arguments: ReasonCode.allCases)
    func `only two codes say that nothing ran`(code: ReasonCode) {
        var verdict = verdict(.undecided, [])
        verdict.gaps = [Gap(code, detail: "")]
        #expect(verdict.exitStatus == (code == .noTests || code == .allSkipped ? .noTests : .undecided))
    }

    @Test func `the table is complete`() {
        let table = Gate.ExitStatus.allCases.map { "\($0.rawValue) \($0.meaning)" }
        #expect(
            table == [
                "0 everything that was asked for was done, and the verdict is passed", "1 one or more tests failed",
                "2 the tests passed, but a rule of the gate is violated", "3 the package or its tests do not compile",
                "4 evidence is missing, cut short, stale or contradictory", "5 nothing ran",
                "64 the command line is wrong", "65 the input data is wrong", "70 a bug in Kanmon",
                "74 input, output, the database or a required delivery failed", "78 the configuration is wrong",
            ]
        )
    }

    private func verdict(_ decision: Decision, _ findings: [Finding]) -> Verdict {
        var verdict = Verdict(decision: decision, violations: [], gaps: [], modules: [], policy: Policy())
        for finding in findings {
            switch finding {
            case .buildFailed: verdict.violations.append(.buildFailed(errors: 1, first: nil))
            case .lostEvidence: verdict.gaps.append(Gap(.reportTruncated, detail: "xunit.xml ends at byte 52"))
            case .nothingRan: verdict.gaps.append(Gap(.noTests, detail: "the run has no test"))
            case .testFailed:
                let id = TestID(module: "CoreTests", suite: "", name: "decodes()")
                verdict.violations.append(.testFailed(id: id, outcome: .failed, issue: nil))
            case .ruleBroken: verdict.violations.append(.tooFewTests(executed: 1, minimum: 2))
            }
        }
        return verdict
    }
}
