import Gate
import RunModel
import Testing
import Wording

/// Who answers for a test in quarantine, and until when: the same words on pages, in reports and on the command line.
@Suite struct QuarantineWordsTests {
    private static let id = TestID(module: "CoreTests", suite: "URLTests", name: "testHost")

    private func status(_ fault: QuarantineFault? = nil, id: TestID? = Self.id) throws -> QuarantineStatus {
        let day = try #require(CalendarDay("2026-12-01"))
        let entry = QuarantineEntry(
            test: "CoreTests.URLTests/testHost", owner: "ana", reason: "waits for the name server", expires: day)
        return QuarantineStatus(entry: entry, id: id, outcome: .failed, fault: fault)
    }

    @Test func `an entry in force says until when and for whom, one that has ended says when it did`() throws {
        let (held, broken, ended) = (try status(), try status(.alwaysFails(executions: 10)), try status(.expired))
        #expect([held, broken, ended].map(\.term) == ["until 2026-12-01", "until 2026-12-01", "ended on 2026-12-01"])
        #expect(
            [held, broken, ended].map(\.words) == [
                "in quarantine until 2026-12-01 for ana", "in quarantine until 2026-12-01 for ana",
                "its quarantine ended on 2026-12-01",
            ])
        #expect(held.entry.words == "in quarantine until 2026-12-01 for ana: waits for the name server")
        let failed = TestResult(
            id: Self.id, library: .xctest, outcome: .failed, attempts: [TestAttempt(outcome: .failed)])
        let verdict = Verdict(
            decision: .passed, violations: [], gaps: [], modules: [], quarantine: [held], policy: Policy())
        #expect(verdict.reason(of: failed) == "failed, in quarantine until 2026-12-01")
    }
}
