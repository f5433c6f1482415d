import Exports
import Foundation
import RunModel
import TestSupport
import Testing

@testable import Gate

/// What other platforms are told: what counts, what blocks, and what is new.
@Suite struct PlatformReportTests {
    private struct Reports: Equatable {
        let cobertura, lcov, sonar: String?

        init(_ run: TestRun, _ verdict: Verdict) {
            cobertura = CoberturaReport.render(run, verdict, packageRoot: "/home/ci/kit")
            lcov = LCOVReport.render(run, verdict)
            sonar = SonarReport.coverage(run, verdict)
        }
    }

    @Test func `files that an exclude takes out are in no report on coverage`() {
        let run = SampleRuns.passing()
        var short = run
        short.coverage?.files.removeLast()
        var verdict = SampleVerdicts.passing()
        let all = Reports(run, verdict)
        verdict.policy.excludes = ["Sources/tool/**"]
        #expect(Reports(run, verdict) == Reports(short, SampleVerdicts.passing()))
        verdict.base = BaseReview(
            commit: BaseCommit(commit: String(repeating: "0a", count: 20), kind: .mergeBase, name: "origin/main"),
            changes: [GateChange(.excludeAdded, subject: "Sources/tool/**", items: ["Sources/tool/main.swift"])])
        #expect(Reports(run, verdict) == all)
        verdict.base = nil
        verdict.policy.excludes = ["**"]
        short.coverage = nil
        #expect(Reports(run, verdict) == Reports(short, verdict))
        #expect(Reports(run, verdict).lcov == nil)
    }

    /// What GitLab tells entries apart by.
    private func fingerprints(_ run: TestRun, _ verdict: Verdict) throws -> [String] {
        let json = try GitLabCodeQuality.render(run, verdict)
        let entries = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [[String: Any]]
        return try #require(entries).compactMap { $0["fingerprint"] as? String }
    }

    /// A module under its floor, with two ranges of missed lines in one file.
    private func missed(covered: Int, shift: Int = 0) throws -> Verdict {
        var verdict = SampleVerdicts.passing()
        let file = MissedFile(
            path: "Sources/tool/main.swift", missed: 3, ranges: [6 + shift...7 + shift, 9 + shift...9 + shift])
        verdict.violations = [
            .floorMissed(
                module: "tool",
                MissedCoverage(
                    metric: .line, tally: CoverageTally(covered: covered, total: 10),
                    floor: try #require(Percentage(thousandths: 80_000)), shortfall: 8 - covered, files: [file]))
        ]
        return verdict
    }

    @Test func `missed lines keep their GitLab fingerprint when they move or their numbers change`() throws {
        let run = SampleRuns.passing()
        let before = try fingerprints(run, missed(covered: 5))
        #expect(Set(before).count == 3)
        #expect(try fingerprints(run, missed(covered: 7, shift: 20)) == before)
    }

    @Test func `however long a failure is, it says whether it is new`() throws {
        let id = TestID(module: "CoreTests", suite: "", name: "long()")
        let issue = Issue(message: String(repeating: "a long line of a message\n", count: 80))
        var run = SampleRuns.passing()
        run.tests = [
            TestResult(
                id: id, library: .swiftTesting, outcome: .failed,
                attempts: [TestAttempt(outcome: .failed, issues: [issue])])
        ]
        var verdict = SampleVerdicts.failing(run)
        verdict.failureOrigins = [FailureOrigin(test: id, kind: .new)]
        let annotation = try #require(GitHubAnnotations.render(run, verdict).split(separator: "\n").first)
        #expect(annotation.hasSuffix("… 60 more lines%0ANew: it passed on the base."))
        #expect(try GitLabCodeQuality.render(run, verdict).contains("…␊New: it passed on the base.\""))
    }

    @Test func `where nobody knows whether a failure is new, each report that shows it alone says so`() throws {
        let run = SampleRuns.failing()
        var verdict = SampleVerdicts.failing(run)
        verdict.failureOrigins = run.failures.map {
            FailureOrigin(test: $0.id, kind: .unknown(reason: "it did not run on the base"))
        }
        let words = "Whether it is new is unknown: it did not run on the base."
        let errors = GitHubAnnotations.render(run, verdict).split(separator: "\n").filter { $0.contains("failed::") }
        #expect(!errors.isEmpty)
        #expect(errors.allSatisfy { $0.hasSuffix("%0A\(words)") })
        let files = JUnitReport.files(run, verdict).map { String(decoding: $0.bytes, as: UTF8.self) }.joined()
        #expect(files.components(separatedBy: "value=\"\(words)\"").count == run.failures.count + 1)
    }

    @Test func `a failure whose contract is broken is an error everywhere`() {
        let run = SampleRuns.unsteady()
        var verdict = SampleVerdicts.unsteady(run)
        let excused = SonarReport.tests(run, verdict).text
        #expect(!excused.contains("<failure message=\"the server did not answer\">"))
        #expect(GitHubAnnotations.render(run, verdict).contains("::warning file="))
        verdict.quarantine[0].fault = .alwaysFails(executions: 12)
        #expect(SonarReport.tests(run, verdict).text.contains("<failure message=\"the server did not answer\">"))
        let lines = GitHubAnnotations.render(run, verdict).split(separator: "\n")
        #expect(lines.first?.hasPrefix("::error file=Tests/CoreTests/CoreTests.swift,line=35,") == true)
        #expect(!lines.contains { $0.hasPrefix("::warning") })
    }
}
