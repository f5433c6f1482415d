import Foundation
import RunModel
import Testing

@testable import Evidence
@testable import TestResults

@Suite struct XUnitReportTests {
    private func foreign(_ text: String) throws -> XUnitReport {
        try XUnitReport.read(Array(text.utf8), file: "f.xml", origin: .foreign)
    }

    private func isAccepted(_ text: String) -> Bool {
        do { return try foreign(text).truncation == nil } catch { return false }
    }

    private func suite(_ inner: String) -> String { "<testsuite name=\"S\">\(inner)</testsuite>" }

    // MARK: SwiftPM

    @Test func `a report of Swift Testing is read, its unescaped name repaired`() throws {
        let bytes = try Fixture.recorded("good-parallel/xunit-swift-testing.xml")
        let report = try XUnitReport.read(bytes, file: "f.xml", origin: .swiftPM)
        #expect(report.cases.count == 18)
        #expect(report.cases.count { $0.isSkipped } == 3)
        #expect(report.repairs == ["1 name was not escaped"])
        #expect(report.truncation == nil)
        #expect(
            report.cases[8]
                == XUnitReport.Case(
                    id: TestID(module: "UtilTests", suite: "GoodSuite", name: "`raw identifier <a & \"b\"> 生`()"),
                    duration: .nanoseconds(2_801_806)
                )
        )
        #expect(report.cases[3].id == TestID(module: "UtilTests", suite: "GoodSuite/Nested/Deep", name: "deepest()"))
        #expect(report.cases[9].skipReason == "無効化 <理由> & \"q\"")
        #expect(try XUnitReport.read(bytes, file: "f.xml", origin: .foreign) == report)
    }

    @Test func `only what begins as a report of SwiftPM is repaired for a stranger`() throws {
        let bytes = try Fixture.recorded("good-parallel/xunit-swift-testing.xml")
        let text = try #require(String(validating: bytes, as: UTF8.self))
        let other = text.replacing("TestResults", with: "Results")
        #expect(
            throws: EvidenceError.malformed(
                file: "f.xml", line: 14, column: 69, reason: "Unescaped '<' not allowed in attributes values")
        ) { try foreign(other) }
        let damaged = text.replacing("</testsuite>", with: "</testsweet>")
        #expect(
            throws: EvidenceError.malformed(
                file: "f.xml", line: 14, column: 69, reason: "Unescaped '<' not allowed in attributes values")
        ) { try foreign(damaged) }
    }

    @Test func `a report of XCTest is read`() throws {
        let bytes = try Fixture.recorded("good-parallel/xunit.xml")
        let report = try XUnitReport.read(bytes, file: "f.xml", origin: .foreign)
        #expect(report.cases.count == 11)
        #expect(
            report.cases[9]
                == XUnitReport.Case(
                    id: TestID(module: "CoreTests", suite: "GoodTests", name: "test_絵文字👩‍👩‍👧‍👦_が通る"),
                    duration: .nanoseconds(12_866_701)
                )
        )
    }

    @Test func `a report that a NUL or a crash cut short is recognized`() throws {
        let crashed = try Fixture.recorded("crash-st-CrashSuite/xunit.xml")
        #expect(crashed.count == 52)
        let report = try XUnitReport.read(crashed, file: "f.xml", origin: .swiftPM)
        #expect(report.cases == [])
        #expect(!report.hasSuite)
        #expect(report.truncation == "line 3: 1 of its elements not closed")
        let cut = try Fixture.recorded("nosourcechange-escape/xunit.xml")
        #expect(
            try XUnitReport.read(cut, file: "f.xml", origin: .swiftPM).truncation
                == "line 5: the file ends inside of a tag"
        )
        #expect(throws: EvidenceError.truncated(file: "f.xml", line: 5, reason: "the file ends inside of a tag")) {
            try XUnitReport.read(cut, file: "f.xml", origin: .foreign)
        }
    }

    @Test(arguments: ["all-skipped-xct/xunit.xml", "xunit-equals/xunit.xml"])
    func `a report cut at any byte is refused, or read in part and said to be cut`(name: String) throws {
        let bytes = try Fixture.recorded(name)
        let whole = try XUnitReport.read(bytes, file: "f.xml", origin: .swiftPM)
        let end = try #require(bytes.lastIndex(of: UInt8(ascii: ">")))
        for length in 0...end {
            let cut = Array(bytes[..<length])
            #expect(throws: EvidenceError.self) { try XUnitReport.read(cut, file: "f.xml", origin: .foreign) }
            do {
                let report = try XUnitReport.read(cut, file: "f.xml", origin: .swiftPM)
                #expect(report.truncation != nil)
                #expect(report.cases == Array(whole.cases[..<report.cases.count]))
            } catch {
                #expect(error.isBadInput)
            }
        }
    }

    @Test func `a name that was escaped stays as it is`() throws {
        let line = #"<testcase classname="M.S" name="a &amp; &lt;b&gt; &#38;amp; ]]>" time="0.5" />"#
        let report = try foreign(suite(line))
        #expect(report.cases.map(\.id.name) == ["a & <b> &amp; ]]>"])
    }

    @Test func `characters that XML forbids are replaced, in text and in references`() throws {
        let line = #"<testcase classname="M" name="f()"><failure message="a\#u{1B}b&#11;c&#xFFFE;d&#9;e" /></testcase>"#
        let bytes = Array(suite(line).utf8)
        let report = try XUnitReport.read(bytes, file: "f.xml", origin: .swiftPM)
        #expect(report.cases[0].problems == [XUnitReport.Problem(message: "a\u{FFFD}b\u{FFFD}c\u{FFFD}d\te", text: "")])
        #expect(report.repairs == ["3 characters that XML forbids were replaced"])
        #expect(throws: EvidenceError.self) { try XUnitReport.read(bytes, file: "f.xml", origin: .foreign) }
    }

    // MARK: Attacks

    @Test(arguments: [
        "<!DOCTYPE r [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><testsuite name='S'>&x;</testsuite>",
        "<!DOCTYPE r [<!ENTITY a 'aa'><!ENTITY b '&a;&a;'>]><testsuite name='&b;'/>",
        "<!DOCTYPE r [<!ENTITY % p SYSTEM 'http://127.0.0.1:1/'>%p;]><testsuite/>",
        "<!DOCTYPE r SYSTEM 'file:///etc/passwd'><testsuite>&undeclared;</testsuite>",
        "<testsuite><!DOCTYPE r><testcase name='a'/></testsuite>",
        "<testsuite><!ENTITY x 'y'></testsuite>",
        "<testsuite>&undeclared;</testsuite>",
    ])
    func `entities and declarations are refused`(text: String) {
        #expect(throws: EvidenceError.self) { try foreign(text) }
    }

    @Test func `a document type without declarations is passed over and never loaded`() throws {
        let text = "<!DOCTYPE testsuite\n SYSTEM 'http://127.0.0.1:1/x.dtd'>\n\(suite("<testcase name='a'/>"))"
        #expect(try foreign(text).cases.map(\.id) == [TestID(module: "S", suite: "", name: "a")])
        #expect(throws: EvidenceError.self) {
            try XUnitReport.read(Array(text.utf8), file: "f.xml", origin: .swiftPM)
        }
        let broken = "<!DOCTYPE testsuite\n SYSTEM 'x'>\n<testsuite>\n</wrong>"
        let error = #expect(throws: EvidenceError.self) { try foreign(broken) }
        guard case .malformed(_, let line, _, _) = error else { return }
        #expect(line == 4)
    }

    @Test(arguments: [(63, true), (64, true), (65, false), (200_000, false)])
    func `a tag has at most 64 attributes`(count: Int, isAllowed: Bool) {
        let attributes = (0..<count).map { " a\($0)=''" }.joined()
        let text = "<testsuite><testcase\(attributes)/></testsuite>"
        #expect(isAccepted(text) == isAllowed)
    }

    @Test(arguments: [(31, true), (32, true), (33, false), (100_000, false)])
    func `elements nest at most 32 deep`(depth: Int, isAllowed: Bool) {
        let text =
            String(repeating: "<testsuite>", count: depth) + String(repeating: "</testsuite>", count: depth)
        #expect(isAccepted(text) == isAllowed)
    }

    @Test(arguments: [(1 << 20, true), (1 << 20 + 1, false)])
    func `a tag has at most a mebibyte`(length: Int, isAllowed: Bool) {
        let frame = "<testcase name=''/>".utf8.count
        let text = suite("<testcase name='\(String(repeating: "x", count: length - frame))'/>")
        #expect(isAccepted(text) == isAllowed)
    }

    @Test(arguments: ["utf-16", "ISO-8859-1", "UTF-7", "Shift_JIS"])
    func `an encoding other than UTF-8 is refused by its name`(name: String) {
        let text = "<?xml version=\"1.0\" encoding=\"\(name)\"?><testsuite/>"
        #expect(
            throws: EvidenceError.malformed(
                file: "f.xml", line: 1, column: 1, reason: "the encoding '\(name.lowercased())' is not UTF-8"
            )
        ) { try foreign(text) }
    }

    @Test(
        arguments: [
            Array("<testsuite name='\u{0}'/>".utf8), [0x3C, 0x61, 0xFF, 0x3E], [0xFF, 0xFE, 0x3C, 0x00], [], [0x20],
            Array("plain".utf8), Array("<a/><b/>".utf8), Array("<testsuite/>x".utf8), Array("<html></html>".utf8),
            Array("</testsuite>".utf8), Array("<testsuite></testcase>".utf8), Array("<testsuite a='1' a='2'/>".utf8),
            Array("<testsuite>\u{1B}</testsuite>".utf8), [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80],
            [0x4C, 0x6F, 0xA7, 0x94],
        ] as [[UInt8]])
    func `what is not a report is refused`(bytes: [UInt8]) {
        #expect(throws: EvidenceError.self) { try XUnitReport.read(bytes, file: "f.xml", origin: .foreign) }
    }

    @Test func `any single byte may be damaged without a trap`() throws {
        let bytes = try Fixture.recorded("xunit-equals/xunit.xml")
        for index in bytes.indices {
            for byte in [0, 0x22, 0x26, 0x3C, 0xFF] as [UInt8] {
                var damaged = bytes
                damaged[index] = byte
                for origin in [XUnitReport.Origin.swiftPM, .foreign] {
                    do {
                        _ = try XUnitReport.read(damaged, file: "f.xml", origin: origin)
                    } catch {
                        #expect(error.isBadInput)
                    }
                }
            }
        }
    }

    // MARK: Numbers

    @Test(arguments: [
        ("0.002276012", 2_276_012), ("1", 1_000_000_000), (".5", 500_000_000), ("5.", 5_000_000_000),
        ("1e-3", 1_000_000), ("0.0000000019", 1), ("2.5E+1", 25_000_000_000),
    ])
    func `seconds are read to the nanosecond`(text: String, nanoseconds: Int64) {
        #expect(StrictNumber.seconds(text.utf8) == .nanoseconds(nanoseconds))
    }

    @Test(arguments: [
        "", "-1", "+1", "NaN", "inf", "1e309", "1,200", "1,23.5", "1.234,5", ",5", "1,", "9223372036854775808", "٣",
        "1 0", "0x1", ".", "e5",
        "1e",
        "1.2.3",
        "999999999999999999999999999999", "34560001", "3.5e7",
    ])
    func `what is no number of seconds is left out`(text: String) throws {
        #expect(StrictNumber.seconds(text.utf8) == nil)
        let report = try foreign(suite("<testcase name='a' time='\(text)'/>"))
        #expect(report.cases[0].duration == nil)
        #expect(report.unreadableNumbers == 1)
    }

    @Test(arguments: [
        ("0,160", 160_000_000), ("1,5", 1_500_000_000), ("12,0345", 12_034_500_000),
        ("1,002.5", 1_002_500_000_000), ("1,234,567", 1_234_567_000_000_000), (" 0,5\n", 500_000_000),
    ])
    func `a comma is read where it can only be one thing`(text: String, nanoseconds: Int64) {
        #expect(StrictNumber.groupedSeconds(text.utf8) == .nanoseconds(nanoseconds))
    }

    @Test(arguments: [
        ("0", 0, true), ("18446744073709551615", UInt64.max, true), ("99999999999999999999", .max, true),
        ("1.0", 1, true), ("0.0", 0, true), ("1.5e+10", 15_000_000_000, false), ("0.25", 1, false), ("-1", 0, false),
        ("-0.5", 0, false), ("1e300", .max, false),
    ])
    func `a count of executions may be written as a fraction`(text: String, count: UInt64, isWhole: Bool) {
        let read = StrictNumber.executions(text.utf8)
        #expect(read?.count == count)
        #expect(read?.isWhole == isWhole)
    }

    @Test(arguments: ["", "x", "+1", "1,0", "NaN", "inf", "0x1", "-", "1e", "1 ", "٣"])
    func `what is no count of executions is none`(text: String) { #expect(StrictNumber.executions(text.utf8) == nil) }

    // MARK: Other dialects

    /// The outcomes of the cases in a suite: passed, failed, skipped, or a question mark where nobody knows.
    private func outcomes(_ inner: String) throws -> String {
        let report = try foreign(suite(inner))
        let words = report.cases.map { $0.problems.isEmpty ? $0.isSkipped ? "s" : "p" : "f" }.joined()
        return words + String(repeating: "?", count: report.unknownStatuses)
    }

    @Test(arguments: [
        (#"status="run" result="completed""#, "p"), (#"status="Passed""#, "p"), (#"result="success""#, "p"),
        (#"status="run" result="skipped""#, "s"), (#"status="notrun" result="suppressed""#, "s"),
        (#"status="NOT_RUN""#, "s"), (#"status="disabled""#, "s"), (#"status="Ignored""#, "s"),
        (#"result="Inconclusive""#, "s"), (#"status="pending""#, "s"), (#"ignored="true""#, "s"),
        (#"skipped="1""#, "s"), (#"skipped="false" disabled="0""#, "p"), (#"executed="False""#, "s"),
        (#"status="failed""#, "f"), (#"result="fail""#, "f"), (#"status="ERROR""#, "f"), (#"status="timed out""#, "f"),
        (#"status="passed" result="failed""#, "f"), (#"failure="no""#, "f"), (#"failures="0" errors="0""#, "p"),
        (#"failures="2""#, "f"), (#"success="false""#, "f"), (#"incomplete="true""#, "f"),
        (#"status="blocked""#, "p?"), (#"result="200""#, "p?"),
        (#"success="maybe""#, "p?"), (#"success="Yes""#, "p"), (#"passed=" 0 ""#, "f"), (#"passed="12""#, "p"),
        (#"success="failed""#, "f"), (#"executed="filtered""#, "s"), (#"crashed="true""#, "f"),
        (#"timedout="no""#, "p"), (#"verdict="FAIL""#, "f"), (#"xmlns:j="u" j:status="failed""#, "f"),
        (#"xml:status="failed""#, "p"),
        (#"Status="Failed""#, "f"), (#"RESULT="skipped""#, "s"), (#"Executed="False""#, "s"), (#"State="limbo""#, "p?"),
    ])
    func `what became of a case may stand in its attributes`(attributes: String, expected: String) throws {
        #expect(try outcomes("<testcase name='a' \(attributes)/>") == expected)
    }

    @Test(arguments: [
        ("<testcase name='a' status='passed'><failure/></testcase>", "f"),
        ("<testcase name='a' status='disabled'><failure/></testcase>", "f"),
        ("<testcase name='a'><aborted message='b'/></testcase>", "f"), ("<testcase name='a'><failed/></testcase>", "f"),
        ("<testcase name='a'><Fail>b</Fail></testcase>", "f"),
        ("<testcase name='a' status='failed'><skipped/></testcase>", "f"),
        ("<testcase name='a' status='blocked'><skipped/></testcase>", "s"),
        ("<testcase name='a'><ignored/></testcase>", "s"), ("<testcase name='a'><skip/></testcase>", "s"),
        ("<testcase name='a'><properties/><x><y><error/></y></x></testcase>", "f"),
        ("<testcase name='a'><skipped><failure/></skipped></testcase>", "f"),
        ("<testcase name='a'><testcase name='b'><failure/></testcase></testcase>", "pf"),
        ("<testcase name='a'><testcase name='b'/><failure/></testcase>", "fp"),
        ("<testcase name='a'><testsuite><testcase name='b'><failure/></testcase></testsuite></testcase>", "pf"),
        ("<testsuites><testcase name='a'><failure/></testcase></testsuites>", "f"),
        ("<group><testcases><testcase name='a'><failure/></testcase></testcases></group>", "f"),
        ("<system-out><testcase name='a'><failure/></testcase></system-out>", "f"),
    ])
    func `no element takes along what is in it`(inner: String, expected: String) throws {
        #expect(try outcomes(inner) == expected)
    }

    @Test(arguments: [
        ("<testcase name='a'><broken/></testcase>", "p?"), ("<testcase name='a'><Crash-Report/></testcase>", "p?"),
        ("<testcase name='a'><result>failed</result></testcase>", "p?"),
        ("<testcase name='a'><flakyTimeout/></testcase>", "p?"), ("<testcase name='a'><ko/></testcase>", "p?"),
        ("<testcase name='a'><x><y><aborted-by-user/></y></x></testcase>", "p?"),
        ("<testcase name='a'><step name='b' status='failed'/></testcase>", "p?"),
        ("<testcase name='a'><failures>1</failures></testcase>", "p?"),
        ("<testcase name='a'><broken/><broken/></testcase><testcase name='b'><broken/></testcase>", "pp??"),
        ("<testcase name='a' status='blocked'><broken/></testcase>", "p?"),
        ("<testcase name='a'/><broken>b</broken>", "p?"),
        ("<testcase name='a'/><test name='b' result='failure'/>", "p?"),
        // Something else decides.
        ("<testcase name='a'><broken/><failure/></testcase>", "f"),
        ("<testcase name='a'><skipped/><broken/></testcase>", "s"),
        ("<testcase name='a'><results><failure/></results></testcase>", "f"),
        ("<testcase name='a'/><results><testcase name='b'/></results>", "pp"),
        // Nothing is said.
        ("<testcase name='a'><failures/></testcase>", "p"), ("<testcase name='a'/><errors> </errors>", "p"),
        ("<testcase name='a'><passed/></testcase>", "p"), ("<testcase name='a'><benchmark/></testcase>", "p"),
        ("<testcase name='a'><Ok/></testcase>", "p"), ("<testcase name='a'><ok>no</ok></testcase>", "p?"),
        ("<testcase name='a'><Attachments><tag><status>failed</status></tag></Attachments></testcase>", "p"),
        ("<testcase name='a'><properties><property><error-rate>1</error-rate></property></properties></testcase>", "p"),
        ("<testcase name='a'><failure>b<stacktrace>c</stacktrace></failure></testcase>", "f"),
        ("<testcase name='a'><system-out>b<exception>c</exception></system-out></testcase>", "p"),
    ])
    func `an element that nobody knows passes no test whose outcome it may be`(inner: String, expected: String) throws {
        #expect(try outcomes(inner) == expected)
    }

    @Test func `what stands in a failure is its text, whatever its elements are called`() throws {
        let inner = "a<description>b</description><Output>c</Output><label>d<tag>e</tag></label>"
        let report = try foreign(suite("<testcase name='x'><failure>\(inner)</failure></testcase>"))
        #expect(report.cases.map(\.problems) == [[XUnitReport.Problem(message: "abcde", text: "")]])
    }

    @Test func `a case in a case keeps its texts apart from the outer one's`() throws {
        let report = try foreign(
            suite(
                """
                <testcase name="outer"><system-out>o1</system-out><failure message="no">a<trace>b</trace>\
                <testcase name="inner"><skipped message="later"/><system-out>i</system-out></testcase>c</failure>\
                <system-out>o2</system-out></testcase>
                """))
        #expect(
            report.cases == [
                XUnitReport.Case(
                    id: TestID(module: "S", suite: "", name: "outer"),
                    problems: [XUnitReport.Problem(message: "no", text: "abc")], output: "o1o2"),
                XUnitReport.Case(
                    id: TestID(module: "S", suite: "", name: "inner"), isSkipped: true, skipReason: "later"),
            ])
    }

    /// What counters of a suite with two passed tests, one of them flaky, a failed and a skipped one contradict.
    private func contradictions(_ attributes: String, _ root: String = "testsuite") throws -> [String] {
        let text = """
            <\(root) name="S" \(attributes)><testcase name="a"/><testcase name="b"><flakyFailure/></testcase>\
            <testcase name="c"><failure/></testcase><testcase name="d"><skipped/></testcase></\(root)>
            """
        return try foreign(text).contradictions
    }

    @Test(arguments: [
        (#"tests="4" failures="1" errors="0" skipped="1""#, []), (#"tests="2""#, []),
        (#"failures="" errors="none" skipped="no""#, []), (#"tests=" 4 " failures="&#9;1&#10;" skipped="true""#, []),
        (#"tests="many""#, [#"suite 'S' says tests="many", which is no count"#]),
        (#"failures="-1""#, [#"suite 'S' says failures="-1", which is no count"#]),
        (
            #"errors="0x1" skipped="NaN""#,
            [
                #"suite 'S' says errors="0x1", which is no count"#, #"suite 'S' says skipped="NaN", which is no count"#,
            ]
        ),
        (#"failures=" 3""#, ["suite 'S' counts 3 failures, its cases show 2"]),
        (#"Tests="6""#, ["suite 'S' counts 6 tests, there are 4 in it"]),
        (#"xmlns:j="u" j:skipped="2""#, ["suite 'S' counts 2 skipped tests, there are 1 in it"]),
        (#"tests="4" failures="2""#, []), (#"tests="4" failures="1" errors="1""#, []),
        (#"failures="3""#, ["suite 'S' counts 3 failures, its cases show 2"]),
        (#"failures="2" errors="1""#, ["suite 'S' counts 3 failures, its cases show 2"]),
        (#"failure="2""#, []), (#"failure="3""#, ["suite 'S' counts 3 failures, its cases show 2"]),
        (#"error="3""#, ["suite 'S' counts 3 failures, its cases show 2"]),
        (#"failures="1" error="2""#, ["suite 'S' counts 3 failures, its cases show 2"]),
        (#"error="none" failure="true" timeout="30" timeouts="2" crashes="0""#, []),
        (#"timeouts="3""#, [#"suite 'S' says timeouts="3", its cases show 2 that failed"#]),
        (#"Failures="3""#, ["suite 'S' counts 3 failures, its cases show 2"]),
        (#"crashed="3" fail="4""#, [#"suite 'S' says fail="4", its cases show 2 that failed"#]),
        // Surefire counts five executions here.
        (#"tests="5""#, []), (#"tests="6""#, ["suite 'S' counts 6 tests, there are 4 in it"]),
        (#"tests="1,000""#, ["suite 'S' counts 1000 tests, there are 4 in it"]),
        (#"skipped="2""#, ["suite 'S' counts 2 skipped tests, there are 1 in it"]),
        (#"skipped="1" disabled="1""#, ["suite 'S' counts 2 skipped tests, there are 1 in it"]),
        (#"ignored="1" skipped="1""#, []),
        (
            #"tests="6" skipped="3""#,
            [
                "suite 'S' counts 6 tests, there are 4 in it", "suite 'S' counts 3 skipped tests, there are 1 in it",
            ]
        ),
        (#"tests="90" hostname="tbd""#, []),
    ])
    func `a counter that speaks of more than there is is a contradiction`(attributes: String, expected: [String]) throws
    {
        #expect(try contradictions(attributes) == expected)
    }

    @Test(arguments: ["failure", "error", "timeouts", "ERRORS", "timedOut", "crashes"])
    func `whatever the counter of failed tests is called, its only case has not passed`(counter: String) throws {
        let suite = #"<testsuite name="S" tests="1" \#(counter)="1"><testcase name="a"/></testsuite>"#
        #expect(try foreign("<testsuites>\(suite)</testsuites>").contradictions.count == 1)
    }

    @Test func `what an inner suite lacks is told once, and pending tests that mocha does not write are none`() throws {
        func report(_ top: String, _ inner: String) throws -> [String] {
            try foreign(
                """
                <testsuites name="T" \(top)><testsuite name="S" \(inner)><testcase name="a"/></testsuite></testsuites>
                """
            ).contradictions
        }
        #expect(
            try report(#"tests="3" skipped="1""#, #"tests="3" skipped="1""#) == [
                "suite 'S' counts 3 tests, there are 1 in it", "suite 'S' counts 1 skipped tests, there are none in it",
            ])
        #expect(try report(#"tests="3" skipped="2""#, #"tests="1""#) == [])
        // What stands in the note.
        #expect(
            try foreign(
                """
                <testsuites tests="3" skipped="2"><testsuite tests="1"><testcase name="a"/></testsuite></testsuites>
                """
            ).unwrittenSkips == 2)
        #expect(try foreign(#"<testsuite tests="3" skipped="2"><testcase name="a"/></testsuite>"#).unwrittenSkips == 0)
        #expect(try report(#"tests="4" skipped="2""#, #"tests="1""#).count == 2)
        #expect(try report(#"tests="3" skipped="2""#, "").count == 2)
    }

    @Test func `doctest counts assertions`() throws {
        func report(_ status: String, _ more: String = "") throws -> [String] {
            try foreign(
                """
                <testsuites><testsuite name="S" errors="0" failures="0" tests="9"\(more)>\
                <testcase name="a"\(status)/></testsuite></testsuites>
                """
            ).contradictions
        }
        #expect(try report(#" status="run""#) == [])
        #expect(try report("").count == 1)
        #expect(try report(#" status="run""#, #" time="1""#).count == 1)
    }

    @Test func `reruns, output, skips and nested suites of other runners are read`() throws {
        let report = try foreign(
            """
            <testsuites><testsuite name="outer"><testsuite name="inner">
              <testcase classname="a.b.C" name="x" time="0.5" file="src/c.rs" line="7">
                <flakyFailure message="once"><stackTrace>at 1</stackTrace><system-out>early</system-out></flakyFailure>
                <system-out><![CDATA[out <&> ]]></system-out><system-err>err</system-err>
              </testcase>
              <testcase classname="a.b.C" name="y"><skipped message="why"/></testcase>
              <testcase classname="a.b.C" name="z"><error type="E">
            first line
              second</error><failure message="both"/></testcase>
            </testsuite><error message="the suite broke"/></testsuite></testsuites>
            """
        )
        let suite = TestID(module: "a", suite: "b/C", name: "x")
        #expect(
            report.cases == [
                XUnitReport.Case(
                    id: suite, location: SourceLocation(path: "src/c.rs", line: 7), duration: .milliseconds(500),
                    reruns: [XUnitReport.Problem(message: "once", text: "at 1")], output: "out <&> err"
                ),
                XUnitReport.Case(
                    id: TestID(module: "a", suite: "b/C", name: "y"), isSkipped: true, skipReason: "why"
                ),
                XUnitReport.Case(
                    id: TestID(module: "a", suite: "b/C", name: "z"),
                    problems: [
                        XUnitReport.Problem(message: "first line", text: "  second"),
                        XUnitReport.Problem(message: "both", text: ""),
                    ]
                ),
            ]
        )
        #expect(report.strayProblems.map(\.id) == [TestID(module: "outer", suite: "", name: "(suite)")])
    }

    @Test func `counters that speak of what is not there are contradictions`() throws {
        #expect(
            try foreign("<testsuite name='S' failures='2' tests='1'><testcase name='a'/></testsuite>").contradictions
                == ["suite 'S' counts 2 failures, its cases show none"]
        )
        #expect(
            try foreign("<testsuite name='S' tests='3'/>").contradictions == [
                "suite 'S' counts 3 tests, there are none in it"
            ]
        )
    }
}
