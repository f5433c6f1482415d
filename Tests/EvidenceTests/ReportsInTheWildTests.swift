import Evidence
import Foundation
import RunModel
import TestResults
import TestSupport
import Testing

/// Reports as tools write them, and what is answered to each.
@Suite struct ReportsInTheWildTests {
    private func ingest(_ names: [String]) throws -> TestRun {
        let reports = try names.map { ForeignReport(path: $0, bytes: try Fixture.bytes("Wild/\($0)")) }
        return try TestRun.ingesting(
            reports, id: SampleRuns.id(1), project: "x", package: "x", at: SampleRuns.moment)
    }

    /// Tests and lines in numbers, then the codes of gaps, then those of notes.
    private func answer(_ name: String) -> String {
        let run: TestRun
        do {
            run = try ingest([name])
        } catch let error as EvidenceError {
            return "refused: \(error.description.split(separator: ": ").dropFirst().joined(separator: ": "))"
        } catch {
            return "\(error)"
        }
        var words: [String] = []
        if !run.tests.isEmpty {
            let flaky = run.flakyTests.count
            words.append(
                "\(run.tests.count) tests, \(run.outcomes.failures) failed, \(run.outcomes[.skipped]) skipped"
                    + (flaky > 0 ? ", \(flaky) flaky" : ""))
        }
        if let coverage = run.coverage {
            let lines = coverage.files.reduce(CoverageTally()) { $0 + $1.lineTally }
            let functions = coverage.files.reduce(CoverageTally()) { $0 + $1.functions }
            words.append(
                "\(lines.covered) of \(lines.total) lines, \(functions.covered) of \(functions.total) functions")
        }
        words += run.gaps.filter { $0.code != .noTests }.map { "gap \($0.code.rawValue)" }
        words += run.notes.map { "note \($0.code.rawValue)" }
        return words.joined(separator: "; ")
    }

    @Test(arguments: [
        ("green/g1-nested-testsuites-no-counters.xml", "2 tests, 1 failed, 0 skipped"),
        ("green/g4-all-skipped-by-attribute.xml", "2 tests, 0 failed, 2 skipped; gap all-skipped"),
        ("green/g5-all-disabled.xml", "2 tests, 0 failed, 2 skipped; gap all-skipped"),
        ("green/g6-skipped-by-counter.xml", "2 tests, 0 failed, 0 skipped; gap results-contradict"),
        ("green/g7-status-failed.xml", "2 tests, 1 failed, 0 skipped"),
        ("green/g8-result-failed-with-counters.xml", "2 tests, 1 failed, 0 skipped"),
        ("green/g9-flake-counted.xml", "2 tests, 0 failed, 0 skipped, 1 flaky"),
        ("green/g10-one-suite-failure-hidden-by-max.xml", "3 tests, 2 failed, 0 skipped"),
        ("green/g11-counts-more.xml", "2 tests, 0 failed, 0 skipped; gap results-contradict"),
        ("junit/j01-gtest-skipped-attribute.xml", "3 tests, 0 failed, 2 skipped"),
        ("junit/j02-status-disabled.xml", "3 tests, 0 failed, 2 skipped"),
        ("junit/j03-status-failed-only.xml", "3 tests, 2 failed, 0 skipped"),
        ("junit/j04-nested-testsuites.xml", "2 tests, 1 failed, 0 skipped"),
        ("junit/j05-wrapper-in-suite.xml", "2 tests, 1 failed, 0 skipped"),
        ("junit/j06-flake-counted-as-failure.xml", "2 tests, 0 failed, 0 skipped, 1 flaky"),
        ("junit/j07-decimal-comma.xml", "4 tests, 0 failed, 0 skipped; note report-malformed"),
        ("junit/j08-odd-times.xml", "7 tests, 0 failed, 0 skipped; note report-malformed"),
        ("junit/j09-nested-suites-same-names.xml", "5 tests, 2 failed, 0 skipped"),
        ("junit/j10-arguments-same-name.xml", "4 tests, 1 failed, 0 skipped"),
        ("junit/j11-encoding-utf8-without-hyphen.xml", "1 tests, 0 failed, 0 skipped"),
        ("junit/j11b-encoding-us-ascii.xml", "1 tests, 0 failed, 0 skipped"),
        ("junit/j11c-encoding-windows-1252.xml", "refused: a byte that is not UTF-8"),
        ("junit/j11d-encoding-utf16.xml", "refused: the encoding is UTF-16, and not UTF-8"),
        ("junit/j12-default-namespace.xml", "1 tests, 1 failed, 0 skipped"),
        ("junit/j12b-prefixed.xml", "1 tests, 1 failed, 0 skipped"),
        ("junit/j13-suite-error-no-case.xml", "1 tests, 0 failed, 0 skipped; gap results-contradict"),
        (
            "junit/j14-fewer-cases-than-counted.xml",
            "2 tests, 1 failed, 0 skipped; gap results-contradict; gap results-contradict"
        ),
        ("junit/j15-bazel.xml", "1 tests, 1 failed, 0 skipped"),
        ("junit/j16-retry-same-case.xml", "1 tests, 1 failed, 0 skipped"),
        ("junit/j17-skip-only-in-counter.xml", "2 tests, 0 failed, 0 skipped; gap results-contradict"),
        ("junit/j18-disabled-with-failure.xml", "2 tests, 1 failed, 0 skipped"),
        ("junit/j19-same-name-other-class.xml", "2 tests, 1 failed, 0 skipped"),
        ("junit/j21-several-failures-retries.xml", "2 tests, 1 failed, 0 skipped"),
        ("junit/j22-empty-suites-and-self-closed.xml", ""),
        ("junit/j23-all-counters-and-failures-attr-missing.xml", "2 tests, 1 failed, 0 skipped"),
        ("junit/j24-playwright-projects.xml", "4 tests, 1 failed, 0 skipped"),
        ("junit/j26-inline-dtd.xml", "1 tests, 0 failed, 0 skipped"),
    ])
    func `results`(name: String, expected: String) {
        #expect(answer(name) == expected)
    }

    @Test(arguments: [
        ("cobertura/c01-multi-source.xml", "3 of 4 lines, 0 of 0 functions"),
        ("cobertura/c02-source-whitespace.xml", "1 of 2 lines, 0 of 0 functions"),
        ("cobertura/c03-line-zero.xml", "1 of 2 lines, 0 of 0 functions; note report-malformed"),
        ("cobertura/c04-hits-negative.xml", "1 of 3 lines, 0 of 0 functions; note report-malformed"),
        ("cobertura/c05-hits-float.xml", "2 of 3 lines, 0 of 0 functions"),
        ("cobertura/c07-hits-empty.xml", "1 of 2 lines, 0 of 0 functions; note report-malformed"),
        ("cobertura/c08-number-undefined.xml", "1 of 2 lines, 0 of 0 functions; note report-malformed"),
        ("cobertura/c09-methods-only.xml", "1 of 2 lines, 1 of 1 functions"),
        ("cobertura/c10-class-no-lines.xml", ""),
        ("cobertura/c11-coverage-clover.xml", "refused: a coverage report without packages, which is not Cobertura's"),
        ("cobertura/c12-sonar-generic.xml", "refused: a coverage report without packages, which is not Cobertura's"),
        ("cobertura/c13-two-classes-one-file.xml", "1 of 2 lines, 1 of 2 functions"),
        ("cobertura/c14-xcresultparser-inline-dtd.xml", "1 of 2 lines, 0 of 0 functions"),
        ("lcov/l01-checksum.info", "2 of 3 lines, 0 of 0 functions"),
        ("lcov/l02-fnl-fna.info", "2 of 4 lines, 1 of 2 functions"),
        ("lcov/l03-line-zero.info", "1 of 2 lines, 1 of 1 functions; note report-malformed"),
        ("lcov/l04-negative-count.info", "1 of 2 lines, 0 of 0 functions; note report-malformed"),
        ("lcov/l05-float-count.info", "2 of 3 lines, 0 of 0 functions; note report-malformed"),
        ("lcov/l06-comment-first.info", "1 of 1 lines, 0 of 0 functions"),
        ("lcov/l07-trailing-space.info", "1 of 2 lines, 0 of 0 functions"),
        ("lcov/l09-windows.info", "1 of 1 lines, 0 of 0 functions"),
        ("lcov/l10-fn-negative.info", "1 of 1 lines, 0 of 1 functions"),
        ("lcov/l11-brda-only-file.info", "1 of 1 lines, 0 of 0 functions"),
        ("lcov/l12-no-end-between.info", "refused: a file begins within the record of another"),
        ("lcov/l13-spaces.info", "3 of 3 lines, 0 of 0 functions"),
        ("lcov/l14-space-after-end.info", "1 of 1 lines, 0 of 0 functions"),
        ("llvmcov/v01-plain-3.0.1.json", "3 of 5 lines, 1 of 2 functions"),
        ("llvmcov/v02-cargo-llvm-cov.json", "3 of 5 lines, 1 of 2 functions"),
        ("llvmcov/v03-cargo-llvm-cov-sorted.json", "3 of 5 lines, 1 of 2 functions"),
        ("llvmcov/v04-summary-only.json", "refused: a file without 'filename', 'segments' or 'summary' (byte 449)"),
        ("llvmcov/v05-version-first.json", "3 of 5 lines, 1 of 2 functions"),
        ("llvmcov/v06-version-3.1.0.json", "3 of 5 lines, 1 of 2 functions"),
        ("llvmcov/v07-version-2.0.0.json", "3 of 5 lines, 1 of 2 functions"),
        (
            "llvmcov/v09-array.json",
            "refused: neither xUnit XML nor a Swift Testing event stream nor coverage of llvm-cov, Cobertura or LCOV"
        ),
    ])
    func `coverage`(name: String, expected: String) {
        #expect(answer(name) == expected)
    }

    @Test func `every report of the folder has an answer here`() throws {
        let folder = try #require(Bundle.module.url(forResource: "Fixtures/Wild", withExtension: nil))
        let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        #expect(names.count { $0.contains(".") } == 37 + 34 + 1)
    }

    @Test func `a decimal comma is no comma between thousands`() throws {
        let run = try ingest(["junit/j07-decimal-comma.xml"])
        let times = ["german160ms", "german1200ms", "surefireGrouped", "germanGrouped"].map { name in
            run.tests.first { $0.id.name == name }?.duration
        }
        #expect(times == [.milliseconds(160), nil, .milliseconds(14_029_255), nil])
        #expect(run.notes.map(\.detail) == ["2 durations are no numbers of seconds up to 400 days and were left out"])
    }

    @Test func `tests of one name are told apart by their suites, or by their order`() throws {
        #expect(
            try ingest(["junit/j24-playwright-projects.xml"]).summary == [
                "login.spec/ts/logs in (chromium): passed", "login.spec/ts/logs in (firefox): failed",
                "login.spec/ts/logs out (chromium): passed", "login.spec/ts/logs out (firefox): passed",
            ])
        #expect(
            try ingest(["junit/j10-arguments-same-name.xml"]).summary == [
                "MyTests.cancellation(isActive:expected:): passed",
                "MyTests.cancellation(isActive:expected:) (#2): failed",
                "MyTests.cancellation(isActive:expected:) (#3): passed",
                "MyTests.cancellation(isActive:expected:) (#4): passed",
            ])
    }
}
