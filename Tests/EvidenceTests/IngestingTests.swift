import Evidence
import Foundation
import RunModel
import TestResults
import TestSupport
import Testing

@Suite struct IngestingTests {
    private func ingest(_ reports: [ForeignReport]) throws -> TestRun {
        try TestRun.ingesting(
            reports, id: SampleRuns.id(1), project: "p", package: "P", at: SampleRuns.moment,
            packageRoot: "/home/ci/Sample"
        )
    }

    private func jenkins(_ name: String) throws -> ForeignReport {
        ForeignReport(path: name, bytes: try Fixture.bytes("JUnitJenkins/\(name)"))
    }

    @Test(arguments: [
        ("junit-report-1233.xml", 5, 0), ("junit-report-1463.xml", 6, 0), ("junit-report-20090516.xml", 5, 3),
        ("junit-report-2874.xml", 1, 0), ("junit-report-494.xml", 1, 1), ("junit-report-bad-duration.xml", 2, 0),
        ("junit-report-empty-testcasename.xml", 0, 1), ("junit-report-errror-details.xml", 0, 1),
        ("junit-report-nested-testsuites.xml", 2, 1), ("junit-report-with-properties.xml", 1, 1),
        ("TEST-io.olamy.FlakyTest.xml", 1, 0),
    ])
    func `reports of other runners are read`(name: String, passed: Int, failures: Int) throws {
        let run = try ingest([try jenkins(name)])
        #expect(run.outcomes[.passed] == passed)
        #expect(run.outcomes.failures == failures)
        #expect(run.tests.count == passed + failures)
    }

    @Test(arguments: [
        ("testXxe-xxe.xml", "the encoding 'iso-8859-1' is not UTF-8"),
        ("testXxe-oob.xml", "a declaration that does not belong here"),
        ("junitResult.xml", "the root element 'result' is not testsuites or testsuite"),
    ])
    func `a file that is no report is refused with location and reason`(name: String, reason: String) throws {
        let error = #expect(throws: EvidenceError.self) { try ingest([try jenkins(name)]) }
        guard case .malformed(let file, _, _, let said) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(file == name)
        #expect(said == reason)
    }

    @Test func `what SwiftPM wrote wrongly is repaired, and the run says so`() throws {
        let bytes = try Fixture.recorded("good-parallel/xunit-swift-testing.xml")
        let run = try ingest([ForeignReport(path: "xunit.xml", bytes: bytes)])
        #expect(run.tests.count == 18)
        #expect(run.notes == [Note(.reportRepaired, subject: "xunit.xml", detail: "1 name was not escaped")])
        #expect(run.gaps == [])
    }

    @Test func `a failure that passed on a rerun is two attempts`() throws {
        let text = """
            <testsuite name="S"><testcase classname="A.B" name="x" time="1">\
            <flakyFailure message="once"/></testcase></testsuite>
            """
        let run = try ingest([ForeignReport(path: "f.xml", bytes: Array(text.utf8))])
        #expect(
            run.tests == [
                TestResult(
                    id: TestID(module: "A", suite: "B", name: "x"), library: .foreign, outcome: .passed,
                    attempts: [
                        TestAttempt(outcome: .failed, issues: [Issue(message: "once")]),
                        TestAttempt(outcome: .passed, duration: .seconds(1)),
                    ]
                )
            ]
        )
        #expect(run.duration == .seconds(1))
        #expect(run.engine == .foreign)
        #expect(run.gaps == [])
    }

    @Test func `a test in two reports keeps its failure whichever comes first`() throws {
        func report(_ inner: String) -> ForeignReport {
            let text = "<testsuite><testcase classname='A.B' name='x'>\(inner)</testcase></testsuite>"
            return ForeignReport(path: "f.xml", bytes: Array(text.utf8))
        }
        let reports = [report("<failure message='no'/>"), report("")]
        #expect(try ingest(reports).summary == ["A.B/x: failed"])
        #expect(try ingest(reports.reversed()).summary == ["A.B/x: failed"])
    }

    @Test func `all executions of a test are kept, and the gravest is the last`() throws {
        func report(_ cases: String...) -> ForeignReport {
            let text = cases.map { "<testcase classname='A.B' name='x' \($0)</testcase>" }.joined()
            return ForeignReport(path: "f.xml", bytes: Array("<testsuite>\(text)</testsuite>".utf8))
        }
        let reports = [
            report("time='1'>"), report("time='2'><failure message='no'/>", "time='3'>"), report("time='4'><skipped/>"),
            report("time='5'><failure message='again'/>"),
        ]
        let run = try ingest(reports)
        let test = try #require(run.tests.first)
        #expect(run.tests.count == 1 && test.outcome == .failed)
        #expect(test.attempts.map(\.duration) == [5, 3, 1, 2].map { .seconds($0) })
        #expect(run.duration == .seconds(2))
    }

    @Test func `a hundred thousand executions of one test are put together at once`() throws {
        let cases = String(repeating: "<testcase classname='A.B' name='x'><failure/></testcase>", count: 100_000)
        let report = ForeignReport(path: "f.xml", bytes: Array("<testsuite>\(cases)</testsuite>".utf8))
        #expect(try ingest([report]).tests.map(\.attempts.count) == [100_000])
    }

    /// A report of suites, each with a case of the same name for each letter: passed, failed or skipped.
    private func suites(_ suites: (attributes: String, outcomes: String)...) -> ForeignReport {
        let text = suites.map { suite in
            let cases = suite.outcomes.map { outcome in
                "<testcase classname='A.B' name='x'>\(["f": "<failure/>", "s": "<skipped/>"][outcome] ?? "")</testcase>"
            }.joined()
            return "<testsuite \(suite.attributes)>\(cases)</testsuite>"
        }.joined()
        return ForeignReport(path: "f.xml", bytes: Array("<testsuites>\(text)</testsuites>".utf8))
    }

    @Test func `tests of one name are several in several suites, and where what comes before did not fail`() throws {
        #expect(try ingest([suites(("", "ffp"))]).summary == ["A.B/x: failed"])
        #expect(
            try ingest([suites(("", "pf"))]).summary == ["A.B/x: passed", "A.B/x (#2): failed"])
        #expect(
            try ingest([suites(("name='u'", "p"), ("name='v'", "f"))]).summary == [
                "A.B/x (u): passed", "A.B/x (v): failed",
            ])
        #expect(
            try ingest([suites(("name='u' hostname='web kit'", "p"), ("name='u' hostname='edge'", "s"))]).summary == [
                "A.B/x (edge): skipped", "A.B/x (web kit): passed",
            ])
        // The name of a machine is another one tomorrow.
        #expect(
            try ingest([suites(("hostname='ci-1'", "p"), ("hostname='ci-2'", "fp"), ("", "pp"))]).summary == [
                "A.B/x: passed", "A.B/x (suite 2): failed", "A.B/x (suite 3): passed", "A.B/x (suite 3#2): passed",
            ])
        // Suites of one name in two reports are shards, or the same again.
        let reports = [suites(("name='u'", "p"), ("name='v'", "p")), suites(("name='v'", "f"), ("name='u'", "p"))]
        #expect(try ingest(reports).summary == ["A.B/x (u): passed", "A.B/x (v): failed"])
        #expect(try ingest(reports.reversed()).tests.map(\.attempts.count) == [2, 2])
    }

    @Test func `a status that nobody knows is a gap`() throws {
        let text =
            "<testsuite name='S'><testcase name='a' status='blocked'/><testcase name='b' result='7'/></testsuite>"
        let run = try ingest([ForeignReport(path: "f.xml", bytes: Array(text.utf8))])
        let detail = #"what became of 2 tests is not known: S.a: status="blocked""#
        #expect(run.gaps == [Gap(.reportMalformed, subject: "f.xml", detail: detail)])
    }

    @Test func `an event stream is read with paths cut`() throws {
        let bytes = try Fixture.recorded("fail-swifttesting-clean/events.jsonl")
        let run = try ingest([ForeignReport(path: "e.jsonl", bytes: bytes)])
        #expect(run.tests.count == 26)
        #expect(
            try run.test("UtilTests.FailSuite/one()").location
                == SourceLocation(path: "Tests/UtilTests/FailSwiftTests.swift", line: 7, column: 4)
        )
        #expect(run.gaps.map(\.code) == [.issueWithoutTest])
    }

    /// An event stream that lists tests and runs some of them.
    private func stream(_ names: [String], running: [String]) -> ForeignReport {
        func id(_ name: String) -> String { "M.\(name)()/T.swift:1:2" }
        let listed = names.map { #"{"kind":"test","payload":{"kind":"function","id":"\#(id($0))"},"version":"6.3.0"}"# }
        let told = running.flatMap { name in
            ["testStarted", "testEnded"].map { #"{"kind":"\#($0)","testID":"\#(id(name))","# }
        }
        let events = ([#"{"kind":"runStarted","#] + told + [#"{"kind":"runEnded","#]).map {
            #"{"kind":"event","payload":\#($0)"instant":{"absolute":1,"since1970":1},"messages":[]},"version":"6.3.0"}"#
        }
        let text = (listed + events).joined(separator: "\n") + "\n"
        return ForeignReport(path: "e.jsonl", bytes: Array(text.utf8))
    }

    @Test func `a test that one stream lists and another runs has a result`() throws {
        let run = try ingest([stream(["a", "b"], running: ["a"]), stream(["b"], running: ["b"])])
        #expect(run.outcomes[.passed] == 2)
        #expect(run.gaps == [])
    }

    @Test func `tests that no stream runs are reported once`() throws {
        let run = try ingest([stream(["a", "b"], running: ["a"]), stream(["c", "d"], running: ["c"])])
        let first = TestID(module: "M", suite: "", name: "b()")
        #expect(
            run.gaps == [Gap(.testsNotRun, detail: "2 of 4 tests have no result, the first is \(first)")])
    }

    @Test func `an event stream without its end is an error`() throws {
        let bytes = try Fixture.recorded("crash-st-CrashSuite/events.jsonl")
        let error = EvidenceError.truncated(
            file: "e.jsonl", line: 14, reason: "the record that ends a run is missing"
        )
        #expect(throws: error) { try ingest([ForeignReport(path: "e.jsonl", bytes: bytes)]) }
        #expect(error.description == "e.jsonl:14: ends too early: the record that ends a run is missing")
        #expect(error.isBadInput)
    }

    @Test(arguments: [
        ("{\"kind\":\"test\",}\n", "e:1:16: '}' where a string should be"),
        ("{\"kind\":\"test\",\"version\":0}\n{\"kind\":tru}\n", "e:2:9: 't' where a string should be"),
        ("{\"kind\":\"test\"}\n", "e:1:16: a record without a version"),
        ("{\"kind\":\"a\",\"kind\":\"b\"}\n", "e:1:13: a repeated key"),
        ("{\"kind\":\"a\",\"version\":0} x\n", "e:1:26: text after the end of the value"),
        ("{\"kind\":\"a\",\"x\":01}\n", "e:1:18: '1' where a comma should be"),
        ("{\"payload\":{},\"version\":0}\n", "e:1:27: a record without a kind"),
        ("{\"version\":0", "e:1: ends too early: the record that ends a run is missing"),
        ("[1]", "e: neither xUnit XML nor a Swift Testing event stream nor coverage of llvm-cov, Cobertura or LCOV"),
        (
            "{\"x\":1}",
            "e: neither xUnit XML nor a Swift Testing event stream nor coverage of llvm-cov, Cobertura or LCOV"
        ),
        ("", "e:1: ends too early: the file is empty"),
    ])
    func `malformed JSON is refused with line, column and reason`(text: String, description: String) {
        let error = #expect(throws: EvidenceError.self) {
            try ingest([ForeignReport(path: "e", bytes: Array(text.utf8))])
        }
        #expect(error?.description == description)
        #expect(error?.hint != nil)
    }

    @Test(arguments: [
        ("<testsuites/>", "there is no test in it"),
        ("<testsuite name='S' tests='0'><properties/></testsuite>", "there is no test in it"),
        ("TN:\n", "there is no executable line in it"),
        ("SF:b\nend_of_record\n", "there is no executable line in it"),
        ("<coverage lines-valid='0'><packages/></coverage>", "there is no executable line in it"),
        (
            "<coverage><packages><package><classes><class filename='b'/></classes></package></packages></coverage>",
            "there is no executable line in it"
        ),
        (
            #"{"data":[{"files":[],"functions":[]}],"type":"llvm.coverage.json.export","version":"2.0.1"}"#,
            "there is no executable line in it"
        ),
    ])
    func `an empty report beside full ones is named, wherever it stands`(text: String, detail: String) throws {
        func report(_ path: String, _ text: String) -> ForeignReport {
            ForeignReport(path: path, bytes: Array(text.utf8))
        }
        let full = [
            report("r.xml", "<testsuite><testcase name='a'/></testsuite>"),
            report("c.info", "SF:a\nDA:1,1\nend_of_record\n"),
        ]
        for reports in [[report("e", text)] + full, full + [report("e", text)]] {
            let run = try ingest(reports)
            #expect(run.notes == [Note(.reportEmpty, subject: "e", detail: detail)])
            #expect(run.gaps == [])
            #expect(run.coverage?.files.first?.lineTally == CoverageTally(covered: 1, total: 1))
        }
        #expect(try ingest(full).notes == [])
        // Where nothing is in any report, the gap says so.
        #expect(try ingest([report("e", text)]).notes == [])
        // Results that are empty beside coverage are named, too.
        let alone = try ingest([report("e", text), full[1]])
        #expect(alone.notes.map(\.subject) == ["e"])
        #expect(alone.gaps.map(\.code) == [.noTests])
    }

    @Test func `a report without tests is a gap`() throws {
        let run = try ingest([ForeignReport(path: "f.xml", bytes: Array("<testsuites/>".utf8))])
        #expect(run.gaps == [Gap(.noTests, detail: "there are no tests in 1 reports")])
    }
}
