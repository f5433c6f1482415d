import Gate
import RunModel
import TestSupport
import Testing

@testable import Application

/// How a server judges what machines deliver.
@Suite struct JudgingTests {
    @Test func `a run from a person's machine is judged without what others ran`() throws {
        var run = SampleRuns.failing()
        let failed = try #require(run.failures.first)
        var policy = Policy()
        policy.quarantine = [
            QuarantineEntry(
                test: failed.id.description, owner: "o", reason: "r", expires: CalendarDay(SampleRuns.moment))
        ]
        func asks() -> Bool { (try? policy.past(of: run) { throw Problem(.ioError, "it was opened") }) == nil }
        #expect(asks())
        run.delivery = DeliveryRecord(token: "ci", isAttested: true, receivedAt: SampleRuns.moment, address: nil)
        #expect(asks())
        run.delivery?.isAttested = false
        #expect(!asks())
    }

    @Test func `what a process that judges quotes of a run has an end`() {
        let long = String(repeating: "\u{1}", count: 100_000)
        let cut = String(repeating: "\u{1}", count: 4000) + " …"
        #expect(JudgingAnswer.impossible(long).short == .impossible(cut))
        #expect(JudgingAnswer.tooLarge(long).short == .tooLarge(cut))
        #expect(JudgingAnswer.impossible("é").short == .impossible("é"))
    }
}
