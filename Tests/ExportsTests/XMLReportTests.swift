import Exports
import Foundation
import FoundationXML
import RunModel
import TestSupport
import Testing

@Suite struct XMLReportTests {
    /// Every element with its attributes and text, as a parser of another hand reads it.
    private final class Elements: NSObject, XMLParserDelegate {
        var attributes: [(name: String, attributes: [String: String])] = []
        var text = ""

        func parser(
            _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
            attributes: [String: String]
        ) { self.attributes.append((name, attributes)) }

        func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }
    }

    private func elements(_ xml: some Sequence<UInt8>) throws -> Elements {
        let parser = XMLParser(data: Data(xml))
        let elements = Elements()
        parser.delegate = elements
        try #require(parser.parse(), "\(String(describing: parser.parserError))")
        return elements
    }

    /// A run whose names, suites, messages and paths hold every scalar that XML, a path or a terminal minds.
    private func hostileRun() -> TestRun {
        var run = SampleRuns.failing()
        let all =
            SampleRuns.hostile + String(String.UnicodeScalarView((0...0x9F).compactMap { Unicode.Scalar($0) }))
            + "\u{FFFE}\u{FFFF}\u{2028}]]>日本語.Ünïcode👨‍👩‍👧"
        for outcome in Outcome.allCases {
            run.tests.append(
                TestResult(
                    id: TestID(module: "M.\(all)", suite: all + outcome.rawValue, name: all, discriminator: all),
                    library: .swiftTesting, outcome: outcome, displayName: all,
                    attempts: [
                        TestAttempt(outcome: outcome, issues: [Issue(message: all, argument: all)], output: all)
                    ],
                    skipReason: all
                )
            )
        }
        run.coverage?.files[0].path = all
        run.coverage?.files[0].module = all
        return run
    }

    @Test func `JUnit is well-formed, follows the strict schema, and has every test once`() throws {
        let run = hostileRun()
        let files = JUnitReport.files(run, nil)
        #expect(Set(files.map { $0.name.lowercased() }).count == files.count)
        var cases = 0
        for file in files {
            #expect(file.name.hasPrefix("TEST-") && file.name.hasSuffix(".xml") && file.name.utf8.count < 250)
            #expect(!file.name.unicodeScalars.contains { "/\\\u{0}\n<>\"'`|&;$*? ".unicodeScalars.contains($0) })
            let parsed = try elements(file.bytes).attributes
            #expect(parsed.first?.name == "testsuite")
            var failed = 0
            for element in parsed {
                switch element.name {
                case "testsuite":
                    #expect(
                        Set(element.attributes.keys) == [
                            "name", "tests", "failures", "errors", "skipped", "time", "timestamp",
                        ]
                    )
                    #expect(element.attributes["timestamp"]?.hasSuffix("Z") == true)
                case "testcase":
                    cases += 1
                    failed = 0
                    #expect(Set(element.attributes.keys) == ["classname", "name", "time"])
                    #expect(element.attributes["classname"]?.unicodeScalars.count { $0 == "." } == 1)
                    #expect(element.attributes["classname"]?.contains("/") == false)
                    #expect(element.attributes["time"]?.split(separator: ".").last?.count == 3)
                case "failure", "error", "skipped":
                    failed += 1
                    #expect(failed == 1)
                    #expect(element.attributes["message"] != nil)
                case "system-out", "properties", "property": break
                default: Testing.Issue.record("unexpected element \(element.name)")
                }
            }
        }
        #expect(cases == run.tests.count)
    }

    @Test func `a test keeps its identity in JUnit, and its names for readers are properties of the suite`() throws {
        var run = SampleRuns.passing()
        for place in run.tests.indices where run.tests[place].displayName != nil {
            run.tests[place].suiteDisplayName = "the \"flags\""
        }
        let file = try #require(JUnitReport.files(run, nil).first { $0.name.contains("Flags") })
        let parsed = try elements(file.bytes).attributes
        #expect(
            parsed.filter { $0.name == "property" }.map(\.attributes) == [
                ["name": "display-name", "value": "the \"flags\""],
                ["name": "display-name of counts 🇯🇵 as one(_:)", "value": "counts 🇯🇵 as one"],
                ["name": "tag of counts 🇯🇵 as one(_:)", "value": ".unicode"],
                ["name": "tag of counts 🇯🇵 as one(_:)", "value": ".Net.http"],
            ])
        #expect(parsed.filter { $0.name == "testcase" }.map { $0.attributes["name"] } == ["counts 🇯🇵 as one(_:)"])
        let plain = JUnitReport.files(run, nil).filter { !$0.name.contains("Flags") }
        #expect(try plain.allSatisfy { try !elements($0.bytes).attributes.contains { $0.name == "properties" } })
    }

    /// A parameterized test whose attempts ended with these issues, and the test cases that it becomes.
    private func cases(
        _ arguments: [String], _ attempts: [[RunModel.Issue]], crashed: Bool = false, outcome whole: Outcome? = nil
    ) throws -> (names: [String], text: String) {
        var run = SampleRuns.passing()
        let ended = attempts.map { issues in
            let outcome: Outcome =
                if crashed {
                    .crashed
                } else if issues.contains(where: \.isFailure) {
                    .failed
                } else if issues.contains(where: \.isCancellation) {
                    whole == .skipped ? .skipped : .passed
                } else {
                    issues.isEmpty ? .passed : .knownIssue
                }
            return TestAttempt(outcome: outcome, duration: .milliseconds(9), issues: issues)
        }
        run.tests = [
            TestResult(
                id: TestID(module: "M", suite: "", name: "counts(_:)"), library: .swiftTesting,
                outcome: whole ?? ended.last?.outcome ?? .passed, arguments: arguments, attempts: ended)
        ]
        let file = try #require(JUnitReport.files(run, nil, eachArgument: true).first)
        let found = try elements(file.bytes).attributes.filter { $0.name == "testcase" }
        return (found.compactMap { $0.attributes["name"] }, String(decoding: file.bytes, as: UTF8.self))
    }

    @Test func `each argument is a test case of its own, with its own issues`() throws {
        let issues = [
            Issue(message: "seven is odd", argument: "7"), Issue(message: "announced", isKnown: true, argument: "<8>"),
        ]
        let found = try cases(["6", "7", "<8>"], [issues])
        #expect(found.names == ["counts(_:) [6]", "counts(_:) [7]", "counts(_:) [<8>]"])
        #expect(found.text.contains(#"tests="3" failures="1" errors="0""#))
        #expect(found.text.components(separatedBy: "<failure").count == 2)
        #expect(found.text.contains(#"<failure message="seven is odd""#))
    }

    @Test func `an argument that cancelled itself is a skipped test case, with its reason`() throws {
        let cancelled = Issue(message: "not here", isCancellation: true, argument: "7")
        let some = try cases(["6", "7"], [[cancelled]], outcome: .passed)
        #expect(some.names == ["counts(_:) [6]", "counts(_:) [7]"])
        #expect(some.text.contains(#"tests="2" failures="0" errors="0" skipped="1""#))
        #expect(some.text.components(separatedBy: #"<skipped message="not here"/>"#).count == 2)
        let all = try cases(["7"], [[cancelled]], outcome: .skipped)
        #expect(all.text.contains(#"skipped="1""#))
        // A retry in which the argument that failed cancels itself leaves it failed.
        let failure = [Issue(message: "odd", argument: "7")]
        let retried = try cases(["6", "7"], [failure, [cancelled]], outcome: .failed)
        #expect(retried.text.contains(#"failures="1""#))
        #expect(!retried.text.contains("<skipped"))
    }

    @Test func `an argument that passed in the end keeps its failed attempt`() throws {
        let found = try cases(["6", "7"], [[Issue(message: "odd", argument: "7")], []])
        #expect(found.text.contains(#"failures="0""#))
        #expect(found.text.components(separatedBy: "<flakyFailure").count == 2)
    }

    @Test func `a test stays whole where it is not known how each argument ended`() throws {
        let whole = ["counts(_:)"]
        #expect(try cases(["6", "7"], [[Issue(message: "no argument")]]).names == whole)
        #expect(try cases(["6", "7"], [[Issue(message: "odd", argument: "9")]]).names == whole)
        #expect(try cases(["6", "6"], [[]]).names == whole)
        #expect(try cases(["6", "7"], [[]], crashed: true).names == whole)
        #expect(try cases([], [[]]).names == whole)
    }

    @Test func `every JUnit file says which test targets are switched off`() throws {
        var run = SampleRuns.passing()
        run.selection.disabledTargets = ["PerformanceTests", "\"<Slow>\""]
        let files = JUnitReport.files(run, nil)
        #expect(files.count == 2)
        for file in files {
            let elements = try elements(file.bytes)
            #expect(elements.attributes.prefix(3).map(\.name) == ["testsuite", "properties", "property"])
            #expect(
                elements.attributes[2].attributes == ["name": "switched-off", "value": "PerformanceTests, \"<Slow>\""])
        }
    }

    @Test func `all issues of a test are in one failure, each after its location`() throws {
        var run = SampleRuns.passing()
        run.tests = [
            TestResult(
                id: TestID(module: "M", suite: "", name: "f(_:)"), library: .swiftTesting, outcome: .failed,
                attempts: [
                    TestAttempt(
                        outcome: .failed, duration: .microseconds(1999),
                        issues: [
                            Issue(message: "one", location: SourceLocation(path: "a.swift", line: 1), argument: "7"),
                            Issue(message: "known", isKnown: true), Issue(message: "two"),
                        ]
                    )
                ]
            )
        ]
        let file = try #require(JUnitReport.files(run, nil).first)
        #expect(file.name == "TEST-M.free-functions.xml")
        let parsed = try elements(file.bytes)
        #expect(
            parsed.attributes[1].attributes == ["classname": "M.(free functions)", "name": "f(_:)", "time": "0.001"])
        #expect(parsed.attributes[2].attributes == ["message": "one", "type": "failed"])
        #expect(parsed.text.contains("a.swift:1: one\nArgument: 7\n\ntwo"))
        run.tests = []
        #expect(JUnitReport.files(run, nil).isEmpty)
    }

    /// A test with an attempt for each outcome given, each with an issue of its own where it failed.
    private func attempted(_ outcomes: [Outcome]) -> TestResult {
        TestResult(
            id: TestID(module: "M", suite: "S", name: "t"), library: .xctest, outcome: outcomes.last ?? .notRun,
            location: SourceLocation(path: "t.swift", line: 3),
            attempts: outcomes.enumerated().map { number, outcome in
                let issue = Issue(message: "no \(number)", location: SourceLocation(path: "a.swift", line: 7))
                return TestAttempt(
                    outcome: outcome, duration: .seconds(1), issues: outcome.isFailure ? [issue] : [],
                    output: "out \(number)")
            }
        )
    }

    private func element(_ outcomes: [Outcome], _ dialect: JUnitReport.Dialect = .strict) throws -> String {
        var run = SampleRuns.passing()
        run.tests = [attempted(outcomes)]
        let file = try #require(JUnitReport.files(run, nil, dialect: dialect).first)
        return String(decoding: file.bytes, as: UTF8.self).split(separator: "\n").dropFirst(2).dropLast()
            .joined(separator: "\n")
    }

    @Test func `a test that passed in the end keeps its failed attempts as flaky failures`() throws {
        #expect(
            try element([.failed, .timedOut, .passed]) == """
                  <testcase classname="M.S" name="t" time="1.000">
                    <flakyFailure message="no 0" type="failed"><stackTrace>a.swift:7: no 0</stackTrace><system-out>out 0</system-out></flakyFailure>
                    <flakyFailure message="no 1" type="timed-out"><stackTrace>a.swift:7: no 1</stackTrace><system-out>out 1</system-out></flakyFailure>
                  </testcase>
                """
        )
    }

    @Test func `a test that failed in the end keeps its earlier attempts as reruns`() throws {
        #expect(
            try element([.crashed, .failed], .withPlaces) == """
                  <testcase classname="M.S" name="t" time="1.000" file="a.swift" line="7">
                    <failure message="no 1" type="failed">a.swift:7: no 1</failure>
                    <rerunFailure message="no 0" type="crashed"><stackTrace>a.swift:7: no 0</stackTrace><system-out>out 0</system-out></rerunFailure>
                    <system-out>out 1</system-out>
                  </testcase>
                """
        )
        #expect(
            try element([.passed], .withPlaces)
                == #"  <testcase classname="M.S" name="t" time="1.000" file="t.swift" line="3"/>"#)
    }

    @Test func `what a test attached stands behind its output, each file alone on its line`() throws {
        var run = SampleRuns.passing()
        let file = { TestAttachment(name: $0, path: "attachments/\($0)", bytes: 1) }
        for outcomes in [[Outcome.passed], [.failed]] {
            run.tests = [attempted(outcomes)]
            run.tests[0].attachments = ["a", "gone", "b|c", "d\ne", "f]]"].map(file)
            let found = try #require(
                JUnitReport.files(run, nil, attached: { $0.name == "gone" ? nil : "/out/<\($0.name)>" }).first)
            let text = try elements(found.bytes).text.split(separator: "\n").filter { $0.contains("ATTACHMENT") }
            #expect(text.map { $0.trimmingPrefix { $0 == " " } } == ["[[ATTACHMENT|/out/<a>]]"])
        }
        let plain = try element([.passed])
        #expect(!plain.contains("system-out"))
    }

    @Test func `a suite too large for one file is split, and every part counts its own tests`() throws {
        var run = SampleRuns.passing()
        run.tests = (0..<200).map { number in
            TestResult(
                id: TestID(module: "M", suite: "S", name: "t\(number)"), library: .xctest, outcome: .failed,
                attempts: [
                    TestAttempt(outcome: .failed, output: String(repeating: "x", count: 40 << 10))
                ]
            )
        }
        let files = JUnitReport.files(run, nil)
        #expect(files.map(\.name) == ["TEST-M.S.xml", "TEST-M.S-2.xml"])
        let suites = try files.map { try #require(try elements($0.bytes).attributes.first?.attributes) }
        #expect(suites.map { $0["name"] } == ["M.S", "M.S"])
        #expect(suites.compactMap { $0["tests"].flatMap { Int($0) } } == [127, 73])
        #expect(files.allSatisfy { $0.bytes.count <= 4 << 20 + 1000 })
    }

    @Test func `Sonar's data is well-formed for every path, and names no unknown file`() throws {
        let run = hostileRun()
        let verdict = SampleVerdicts.passing()
        let report = try #require(SonarReport.coverage(run, verdict, pathPrefix: "a/b"))
        let coverage = try elements(report.utf8).attributes
        #expect(coverage.count { $0.name == "lineToCover" } == 30)
        #expect(coverage.filter { $0.name == "file" }.allSatisfy { $0.attributes["path"]?.hasPrefix("a/b/") == true })
        let (text, omitted) = SonarReport.tests(run, verdict)
        #expect(try elements(text.utf8).attributes.count { $0.name == "testCase" } + omitted == run.tests.count)
        // A failed test is never omitted: without its own file it is listed under another one.
        #expect(omitted == Outcome.allCases.count { !$0.isFailure })
    }

    @Test func `Cobertura is well-formed for every path`() throws {
        let xml = try #require(
            CoberturaReport.render(hostileRun(), SampleVerdicts.passing(), packageRoot: SampleRuns.hostile))
        let parsed = try elements(xml.utf8).attributes
        #expect(parsed.count { $0.name == "class" } == 3)
        #expect(parsed.count { $0.name == "line" } == 30)
        #expect(parsed.count { $0.name == "package" } == 3)
    }

    /// A file of lines with these counts and functions, and its methods as a parser of another hand reads them.
    private func methods(
        _ counts: [UInt64], called: [SourceFunction], uncalled: [SourceFunction] = []
    ) throws -> [(attributes: [String: String], lines: [String])] {
        var run = SampleRuns.passing()
        let lines = counts.enumerated().map { LineCount(line: Int32($0 + 1), count: ExecutionCount($1)) }
        run.coverage?.files = [
            FileCoverage(
                path: "a.swift", module: "Core", lines: lines, regions: CoverageTally(), functions: CoverageTally(),
                unexecuted: UnexecutedCode(functions: uncalled), calledFunctions: called)
        ]
        let xml = try #require(CoberturaReport.render(run, SampleVerdicts.passing(), packageRoot: "/p"))
        var found: [(attributes: [String: String], lines: [String])] = []
        // The lines of the class come after its methods.
        var lineCount = 0
        for element in try elements(xml.utf8).attributes {
            if element.name == "method" { found.append((element.attributes, [])) }
            guard element.name == "line", let number = element.attributes["number"] else { continue }
            lineCount += 1
            if !found.isEmpty { found[found.count - 1].lines.append("\(number):\(element.attributes["hits"] ?? "")") }
        }
        if !found.isEmpty { found[found.count - 1].lines.removeLast(counts.count) }
        #expect(lineCount == found.reduce(counts.count) { $0 + $1.lines.count })
        return found
    }

    private func function(_ name: String, _ line: Int32, _ endLine: Int32, column: Int32 = 5) -> SourceFunction {
        SourceFunction(name: name, line: line, column: column, endLine: endLine, endColumn: 6)
    }

    @Test func `each function is a method, and each line counts to the innermost, also that on which one begins`()
        throws
    {
        let found = try methods(
            [3, 3, 7, 7, 3, 0, 0, 2], called: [function("f()", 1, 5), function("closure #1 in f()", 2, 4, column: 20)],
            uncalled: [function("g()", 6, 7), function("h()", 8, 8)])
        #expect(found.map { $0.attributes["name"] } == ["f()", "closure #1 in f()", "g()", "h()"])
        #expect(found.map(\.lines) == [["1:3", "5:3"], ["2:3", "3:7", "4:7"], ["6:0", "7:0"], ["8:0"]])
        // The only line of h() was executed, but not in it.
        #expect(found.map { $0.attributes["line-rate"] } == ["1", "1", "0.0000", "0.0000"])
        #expect(found.allSatisfy { $0.attributes["signature"] == "" })
    }

    @Test func `functions that begin on one line have that line each`() throws {
        let found = try methods([4, 0], called: [function("a", 1, 1), function("b", 1, 2, column: 9)])
        #expect(found.map(\.lines) == [["1:4"], ["1:4", "2:0"]])
    }

    @Test func `two methods of a file never have the same name and signature`() throws {
        let same = (1...3).map { function("f<\u{1}>()", Int32($0), Int32($0)) }
        let found = try methods([1, 1, 1], called: same)
        #expect(found.map { $0.attributes["signature"] } == ["", "(2:5)", "(3:5)"])
        #expect(Set(found.compactMap { $0.attributes["name"] }).count == 1)
    }

    @Test func `functions that are nested without end, or end before they begin, cost no more than their number`()
        throws
    {
        let nested = (1...500).map { function("f\($0)", Int32($0), .max) }
        let found = try methods(Array(repeating: 1, count: 1000), called: nested + [function("g", .max, .min)])
        #expect(found.count == 501)
        #expect(found.reduce(0) { $0 + $1.lines.count } == 1000)
    }

    @Test func `a file whose functions are unknown has no method`() throws {
        let xml = try #require(
            CoberturaReport.render(SampleRuns.passing(), SampleVerdicts.passing(), packageRoot: "/p"))
        #expect(xml.contains("<methods/>") && !xml.contains("<method "))
    }
}
