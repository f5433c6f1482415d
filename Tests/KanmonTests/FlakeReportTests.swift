import Exports
import Foundation
import Gate
import RunModel
import Storage
import TestSupport
import Testing

@testable import Application
@testable import kanmon

/// `kanmon flaky TEST`.
@Suite struct FlakeReportTests {
    /// Four runs, in the second of which the first test failed and then passed, and a file of owners.
    private func store(in folder: TemporaryFolder) throws -> RunStore {
        let store = try RunStore(path: "\(folder.path)/kanmon.sqlite")
        for number in 1...4 {
            var run = SampleRuns.passing(number)
            run.revision?.tree = "tree \(number)"
            if number == 2 {
                let failed = TestAttempt(outcome: .failed, issues: [Issue(message: "waited 31 ms")])
                run.tests[0].attempts = [failed, TestAttempt(outcome: .passed)]
            }
            var verdict = try Verdict(judging: run, by: Policy())
            verdict.owners = CodeOwnersFile(
                path: "CODEOWNERS", form: .gitHub, text: "/Tests/ @tests\n", commit: String(repeating: "c", count: 40))
            _ = try store.ingest(run, verdict: verdict, runDirectory: nil)
        }
        return store
    }

    private func report(_ name: String, in store: RunStore) throws -> FlakeReport {
        try FlakeReport(
            of: name, project: SampleRuns.passing().project, since: SampleRuns.moment, in: store,
            today: CalendarDay(SampleRuns.moment))
    }

    @Test func `a flaky test is reported with an entry of the quarantine for its owner`() throws {
        let folder = try TemporaryFolder()
        let report = try report("Flags/counts 🇯🇵 as one(_:)", in: store(in: folder))
        #expect(
            report.text == """
                CoreTests.Parsing/Flags/counts 🇯🇵 as one(_:)
                  Flaky: an attempt failed in 1 of 4 runs, 25.0 % (95 %: 4.5–70.0 %).
                  Looked at: 4 runs of exact trees since 2026-01-02.
                  First change of outcome: 9f3c2ab1, run 000000000002, 2026-01-02
                  Last change of outcome:  9f3c2ab1, run 000000000002, 2026-01-02
                  with Swift version 6.3.1 (swift-6.3.1-RELEASE): 1 of 4 runs, 25.0 % (95 %: 4.5–70.0 %)
                  fails in runs that begin at, in UTC: 03:00 (1 of 4)
                  says in 1 run, first in 9f3c2ab1, run 000000000002, 2026-01-02: waited 31 ms
                  Proposed: in quarantine until 2026-01-16 for @tests: failed in 1 of 4 runs since 2026-01-02. \
                Nothing was written. To write the entry, in a clone:
                    kanmon quarantine --owner='@tests' --until=2026-01-16 --reason='failed in 1 of 4 runs since 2026-01-02' \
                -- 'CoreTests.Parsing/Flags/counts 🇯🇵 as one(_:)'
                """)
        let json = try JSONText.render(report.form)
        let form = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
        #expect(form["kind"] as? String == "flaky")
        #expect(["runs", "executions", "recoveries", "unread"].map { form[$0] as? Int } == [4, 4, 1, 0])
        #expect((form["firstChange"] as? [String: Any])?["run"] as? String == SampleRuns.id(2).description)
        let proposal = try #require(form["proposal"] as? [String: Any])
        #expect(["owner", "expires"].map { proposal[$0] as? String } == ["@tests", "2026-01-16"])
    }

    @Test func `a steady test is reported without a proposal, and an unknown one is refused`() throws {
        let folder = try TemporaryFolder()
        let store = try store(in: folder)
        let steady = try report("CoreTests.VideoInfoTests/test_異常系_thumbnailのURLがnil", in: store)
        #expect(!steady.text.contains("Proposed"))
        #expect(steady.text.contains("\n  Not flaky, as far as these runs tell: an attempt failed in 0 of 4 runs"))
        for name in ["Flags/counts", "counts 🇯🇵 as one(_:", ""] {
            #expect(throws: Problem.self) { try report(name, in: store) }
        }
    }
}
