import Evidence
import RunModel
import TestResults
import TestSupport
import Testing

/// What writers were found to do in the reports of public projects.
@Suite struct WildWritersTests {
    private func ingest(_ text: String) throws -> TestRun {
        try TestRun.ingesting(
            [ForeignReport(path: "f", bytes: Array(text.utf8))], id: SampleRuns.id(1), project: "p", package: "p",
            at: SampleRuns.moment)
    }

    /// Path, covered and executable lines of every file.
    private func lines(_ text: String) throws -> [String] {
        (try ingest(text).coverage?.files ?? []).map {
            "\($0.path) \($0.lineTally.covered)/\($0.lineTally.total)"
        }
    }

    private func cobertura(_ classes: String) -> String {
        "<coverage><packages><package><classes>\(classes)</classes></package></packages></coverage>"
    }

    // MARK: JUnit

    @Test func `a counter of surefire that counts every execution contradicts nothing`() throws {
        let flaky = """
            <testsuite name="F" tests="3" errors="0" skipped="0" failures="0"><testcase name="f" classname="F" time="0">
            <flakyFailure message="once"/><flakyError message="twice"/></testcase></testsuite>
            """
        let run = try ingest(flaky)
        #expect(run.gaps == [])
        #expect(run.summary == ["F.f: passed"])
        #expect(run.flakyTests.count == 1)
        let failing = """
            <testsuites tests="9"><testsuite name="F" tests="4" failures="1"><testcase name="f" classname="F">
            <failure message="no"/><rerunFailure message="no"/><rerunError message="no"/><rerunFailure message="no"/>
            </testcase></testsuite><testsuite name="G" tests="5"><testcase name="a" classname="G"/>
            <testcase name="b" classname="G"><flakyFailure message="once"/><flakyFailure message="twice"/></testcase>
            <testcase name="c" classname="G"/></testsuite></testsuites>
            """
        #expect(try ingest(failing).gaps == [])
    }

    @Test(arguments: [
        // One execution too many, and one too few: a test is lost in either.
        (
            "<testsuite name='F' tests='4'><testcase name='f'><flakyFailure/><flakyFailure/></testcase></testsuite>",
            "suite 'F' counts 4 tests, there are 1 in it"
        ),
        (
            "<testsuite name='F' tests='2'><testcase name='f'><flakyFailure/><flakyFailure/></testcase></testsuite>",
            "suite 'F' counts 2 tests, there are 1 in it"
        ),
        (
            "<testsuite name='F' tests='99999999999999999999999'><testcase name='f'/></testsuite>",
            "suite 'F' counts 1099511627776 tests, there are 1 in it"
        ),
    ])
    func `a counter of more tests than there were executions is a contradiction`(text: String, detail: String) throws {
        #expect(try ingest(text).gaps == [Gap(.resultsContradict, subject: "f", detail: detail)])
    }

    @Test func `nanoseconds where seconds belong are left out, and so the run can be kept`() throws {
        let run = try ingest(
            """
            <testsuites failures="0" tests="3" time="1967986371"><testsuite>
            <testcase name="Command Test" time="999638317"/><testcase name="Existence Test" time="0"/>
            <testcase name="Metadata Test" time="2"/></testsuite></testsuites>
            """)
        #expect(run.tests.map(\.duration) == [nil, .zero, .seconds(2)])
        #expect(run.duration == .seconds(2))
        #expect(run.notes.map(\.detail) == ["a duration is no number of seconds up to 400 days and was left out"])
        let long = try ingest(
            "<testsuite><testcase name='a' time='30000000'/><testcase name='b' time='30000000'/></testsuite>")
        #expect(long.duration == .seconds(400 * 86_400))
    }

    @Test(arguments: [
        ("<testcase name='a'><Failure>no</Failure></testcase>", "a: failed"),
        ("<TestCase Name='a' Time='1'/>", "a: passed"),
        ("<testcase name='a'><Skipped/></testcase>", "a: skipped"),
        ("<TestSuite><testcase name='a'/></TestSuite>", "a: passed"),
    ])
    func `upper case means the same`(content: String, expected: String) throws {
        #expect(try ingest("<TestSuites name='S'>\(content)</TestSuites>").summary == ["S.\(expected)"])
    }

    @Test func `a test that was executed again and never passed has failed`() throws {
        let run = try ingest(
            """
            <testsuite name="S" tests="1" failures="0"><testcase name="a"><rerunFailure message="first"/>
            <rerunError message="last"/></testcase></testsuite>
            """)
        #expect(run.summary == ["S.a: failed"])
        #expect(run.tests.first?.attempts.map(\.outcome) == [.failed, .failed])
        #expect(run.gaps == [])
    }

    @Test(arguments: [
        ("tests='1' failed='1'", "suite 'S' counts 1 failures, its cases show none"),
        ("tests='1' failures='0' failed='1'", "suite 'S' counts 1 failures, its cases show none"),
        ("total='2'", "suite 'S' counts 2 tests, there are 1 in it"),
        ("tests='1' total='2'", "suite 'S' counts 2 tests, there are 1 in it"),
        ("tests='1' Success='False'", "suite 'S' says Success=\"False\", its cases show no failure"),
        ("tests='1' not-run='1'", "suite 'S' counts 1 skipped tests, there are none in it"),
        ("tests='1' status='Failed'", "suite 'S' says status=\"Failed\", its cases show no failure"),
        ("tests='1' failures=' 1'", "suite 'S' counts 1 failures, its cases show none"),
        ("tests='1' errors='?'", "suite 'S' says errors=\"?\", which is no count"),
        ("tests='1' failed='True'", "suite 'S' says failed=\"True\", its cases show none that failed"),
        ("tests='1' timedOut='yes'", "suite 'S' says timedOut=\"yes\", its cases show none that failed"),
        ("tests='1' disabled='true'", "suite 'S' says disabled=\"true\", its cases show none that was skipped"),
        ("xmlns:j='u' j:failures='1'", "suite 'S' counts 1 failures, its cases show none"),
    ])
    func `whatever a suite calls what its cases do not show, it is a contradiction`(tag: String, detail: String) throws
    {
        let run = try ingest("<testsuite name='S' \(tag)><testcase name='a'/></testsuite>")
        #expect(run.gaps == [Gap(.resultsContradict, subject: "f", detail: detail)])
    }

    @Test(arguments: [
        (2, ["2 skipped tests counted at the top alone, and not in it"]),
        (1, ["1 skipped test counted at the top alone, and not in it"]), (0, []),
    ])
    func `pending tests that mocha counts and does not write are said`(pending: Int, notes: [String]) throws {
        let run = try ingest(
            """
            <testsuites name='Mocha Tests' tests='\(1 + pending)' skipped='\(pending)'>
            <testsuite name='S' tests='1'><testcase name='a'/></testsuite></testsuites>
            """)
        #expect(run.gaps == [])
        #expect(run.notes == notes.map { Note(.resultsContradict, subject: "f", detail: $0) })
    }

    @Test func `what a suite says in a word that is not known leaves it undecided, unless it failed anyway`() throws {
        func gaps(_ content: String) throws -> [Gap] {
            try ingest("<testsuite name='S' status='blocked' success='1'>\(content)</testsuite>").gaps
        }
        let detail = "what became of a test is not known: suite 'S': status=\"blocked\""
        #expect(try gaps("<testcase name='a'/>") == [Gap(.reportMalformed, subject: "f", detail: detail)])
        #expect(try gaps("<testcase name='a'><failure/></testcase>") == [])
    }

    @Test func `an element that may be what became of a test passes nothing, and others are named`() throws {
        // PHPUnit's, up to version 9.
        let warned = try ingest(
            "<testsuite name='S'><testcase name='a'><warning type='W'>no assertions</warning></testcase></testsuite>")
        let detail = "what became of a test is not known: S.a: an element 'warning'"
        #expect(warned.gaps == [Gap(.reportMalformed, subject: "f", detail: detail)])
        #expect(warned.notes == [])
        let named = try ingest(
            """
            <testsuite name='S'><testcase name='a'><benchmark><mean>3</mean></benchmark></testcase>
            <testcase name='b'><cpu/><attachments><attachment><note>n</note></attachment></attachments></testcase>
            </testsuite>
            """)
        #expect(named.summary == ["S.a: passed", "S.b: passed"])
        #expect(named.gaps == [])
        let words = "2 elements of tests are not known, and nothing was read of them, the first is 'benchmark'"
        #expect(named.notes == [Note(.reportMalformed, subject: "f", detail: words)])
    }

    @Test(arguments: [
        (
            "<testsuites xmlns='http://check.sourceforge.net/ns'><suite><test result='failure'/></suite></testsuites>",
            "f:1:105: there is no testcase in it, but an element 'suite', which is none of JUnit's"
        ),
        (
            "<testsuite name='S'><properties><property name='a'/></properties><test name='a'/></testsuite>",
            "f:1:94: there is no testcase in it, but an element 'test', which is none of JUnit's"
        ),
        (
            #"{"$schema":"s","version":"2.1.0","runs":[]}"#,
            "f: neither xUnit XML nor a Swift Testing event stream nor coverage of llvm-cov, Cobertura or LCOV"
        ),
    ])
    func `another format whose tests would get lost is refused`(text: String, description: String) {
        let error = #expect(throws: EvidenceError.self) { try ingest(text) }
        #expect(error?.description == description)
    }

    @Test func `suites without cases are read`() throws {
        let text = """
            <testsuites tests="0"><testsuite name="S" tests="0"><properties><property name="a" value="b"/></properties>
            <system-out/></testsuite><testsuite/></testsuites>
            """
        #expect(try ingest(text).gaps.map(\.code) == [.noTests])
    }

    // MARK: Coverage

    @Test func `the line where a function begins is none of a class that does not name it`() throws {
        // Istanbul's: of the three lines two have statements.
        let text = cobertura(
            """
            <class filename="src/run.js"><methods><method name="(anonymous_1)" hits="3"><lines><line number="1" hits="3"/>
            </lines></method></methods><lines><line number="2" hits="3"/><line number="3" hits="0"/></lines></class>
            """)
        #expect(try lines(text) == ["src/run.js 1/2"])
        #expect(try ingest(text).coverage?.files.first?.functions == CoverageTally(covered: 1, total: 1))
        let below = cobertura(
            """
            <class filename="a"><methods><method><lines><line number="1" hits="3"/><line number="2" hits="0"/></lines></method>
            <method><lines><line number="2" hits="1"/></lines></method></methods><lines/></class>
            """)
        #expect(try lines(below) == ["a 2/2"])
    }

    @Test func `a class without a file is left out, and not the report`() throws {
        let text = cobertura(
            """
            <class filename=""><methods><method><lines><line number="1" hits="1"/></lines></method></methods></class>
            <class filename="a"><lines><line number="1" hits="1"/><line number="2" hits="0"/></lines></class>
            """)
        #expect(try lines(text) == ["a 1/2"])
        #expect(try ingest(text).notes.map(\.detail) == ["a line was left out: line 1 of a class without a file"])
    }

    @Test func `blanks around numbers are none of them`() throws {
        let lines = "<line number=' 1' hits='1 '/><line number='&#10;2' hits='&#9;0'/>"
        #expect(try self.lines(cobertura("<class filename='a'><lines>\(lines)</lines></class>")) == ["a 1/2"])
        #expect(try self.lines("SF:a\nDA: 1 ,\t1\nDA:2, 0 \nLF: 2\nend_of_record\n") == ["a 1/2"])
    }

    @Test func `a record without a name is left out, and not the report`() throws {
        let text = "SF:\nFN:1,f\nFNDA:1,f\nDA:1,1\nLF:1\nend_of_record\nSF:a\nDA:1,1\nDA:2,0\nend_of_record\n"
        #expect(try lines(text) == ["a 1/2"])
        #expect(
            try ingest(text).notes.map(\.detail) == [
                "2 lines were left out, the first: line 1, a file without a name"
            ])
    }

    @Test func `a line that is no record is left out, and not the report`() throws {
        // The name of a file in which there are newlines, and what a shell left at the end.
        let text = "SF:data:,new function() {\n  run();\n}\nDA:1,1\nDA:2,1\nDA:3,0\nend_of_record\nEOF\n"
        #expect(try lines(text) == ["data:,new function() { 2/3"])
        #expect(
            try ingest(text).notes.map(\.detail) == [
                "3 lines were left out, the first: line 2, which is no record of LCOV"
            ])
    }

    /// The gaps of coverage, then the notes.
    private func remarks(_ text: String) throws -> [String] {
        let run = try ingest(text)
        return run.gaps.filter { $0.code == .coverageMissing }.map { "gap \($0.subject): \($0.detail)" }
            + run.notes.map { "note \($0.detail)" }
    }

    @Test(arguments: [
        ("TN:\nSF:a\nDA:1,1\nDA:2,0\nLF:2\nLH:1\nend_of_record\n", []),
        // Less than there is shows no loss.
        ("SF:a\nDA:1,1\nDA:2,0\nLF:1\nLH:0\nend_of_record\n", []),
        // OpenCover's converter counts a line as often as it names it.
        ("TN:\nSF:a\nDA:6,0\nDA:6,1\nLF:2\nLH:1\nend_of_record\n", []),
        ("TN:\nSF:a\nDA:1,1\nLF:3\nLH:1\nend_of_record\n", ["gap f: a counts 3 lines and names 1 of them"]),
        (
            "SF:a\nDA:1,1\nLF:1,002\nend_of_record\nSF:b\nDA:1,1\nLF:2\nend_of_record\n",
            ["gap f: 1002 lines of 2 files are counted and not named: a counts 1002 lines and names 1 of them"]
        ),
        (
            "SF:a\nDA:1,1\nDA:2,0\nLF:2\nLH:2\nend_of_record\n",
            ["note a counts 2 executed lines and names 1 of them"]
        ),
        (
            "SF:a\nDA:0,1\nDA:1,0\nDA:2,1\nLF:3\nLH:2\nend_of_record\n",
            ["note a line was left out: line 2, line 0, which no file has"]
        ),
        // llvm-cov's: a line of a closure is one of the function around it, too.
        (
            "SF:a\nFN:1,f\nFN:2,g\nFNDA:1,f\nFNDA:0,g\nFNF:2\nFNH:1\nDA:1,1\nDA:2,0\nLF:4\nLH:3\nend_of_record\n",
            ["note a counts 4 lines and names 2 of them, maybe once for each function around them"]
        ),
        // llvm-cov names every function that it counts.
        (
            "SF:a\nFNF:3\nDA:1,1\nLF:3\nend_of_record\n",
            [
                "gap f: a counts 3 lines and names 1 of them",
                "note a counts 3 functions and names 0 of them; the others count as not called",
            ]
        ),
        (
            "TN:\nSF:a\nFN:1,f\nFNDA:1,f\nFNF:2\nDA:1,1\nLF:1\nend_of_record\nSF:b\nFNF:1\nDA:1,1\nend_of_record\n",
            ["note a counts 2 functions and names 1 of them; the others count as not called; and so do 1 more files"]
        ),
        ("SF:a\nDA:1,1\nLF:?\nend_of_record\n", ["gap f: a says LF:?, which is no count"]),
        (
            "SF:a\nDA:1,1\nLF:2\nFNF:-1\nend_of_record\n",
            ["gap f: a counts 2 lines and names 1 of them; a says FNF:-1, which is no count"]
        ),
        ("SF:a\nDA:1,1\nLF:\nend_of_record\n", []),
        // Several functions of one name.
        ("TN:\nSF:a\nFN:1,f\nFN:2,f\nFNDA:1,f\nFNDA:1,f\nFNF:2\nDA:1,1\nLF:1\nend_of_record\n", []),
        (
            "SF:a\nFN:1,f\nFNDA:1,f\nFNF:1\nFNH:1\nDA:1,1\nLF:2\nLH:1\nend_of_record\n",
            ["gap f: a counts 2 lines and names 1 of them"]
        ),
        (
            "TN:t\nSF:a\nFN:1,f\nFN:2,g\nFNF:2\nFNH:1\nDA:1,1\nDA:2,0\nLF:4\nLH:1\nend_of_record\n",
            ["gap f: a counts 4 lines and names 2 of them"]
        ),
    ])
    func `a tracefile that counts lines which it does not name is undecided`(text: String, expected: [String]) throws {
        #expect(try remarks(text) == expected)
    }

    @Test func `a function that a tracefile counts and does not name was not called`() throws {
        let run = try ingest("TN:\nSF:a\nFN:1,f\nFNDA:1,f\nFNF:3\nDA:1,1\nend_of_record\n")
        #expect(run.coverage?.files.map(\.functions) == [CoverageTally(covered: 1, total: 3)])
    }

    @Test(arguments: [
        ("lines-valid='2' lines-covered='1'", []), ("lines-valid='1' lines-covered='0'", []),
        ("lines-valid='many'", ["gap f: the report says lines-valid=\"many\", which is no count"]),
        ("lines-valid=''", []), ("lines-valid=' 3'", ["gap f: the report counts 3 lines and names 2 of them"]),
        ("lines-valid='1,000'", ["gap f: the report counts 1000 lines and names 2 of them"]),
        ("lines-valid='3.0' lines-covered='3'", ["gap f: the report counts 3 lines and names 2 of them"]),
        // As scoverage wrote it, which had mixed up the two.
        ("lines-valid='1' lines-covered='2'", ["note the report counts 2 executed lines and names 1 of them"]),
    ])
    func `a report of Cobertura that counts lines which it does not name is undecided`(
        tag: String, expected: [String]
    ) throws {
        // The lines of methods are those of the class.
        let text = cobertura(
            """
            <class filename="a"><methods><method><lines><line number="1" hits="1"/></lines></method></methods>
            <lines><line number="1" hits="1"/><line number="2" hits="0"/></lines></class>
            """)
        #expect(try remarks(text.replacing("<coverage>", with: "<coverage \(tag)>")) == expected)
    }

    @Test func `lines below methods alone count as named where their class has none of its own`() throws {
        let lines = "<method><lines><line number='1' hits='1'/><line number='2' hits='0'/></lines></method>"
        func report(_ own: String) -> String {
            cobertura("<class filename='a'><methods>\(lines)</methods><lines>\(own)</lines></class>")
                .replacing("<coverage>", with: "<coverage lines-valid='2'>")
        }
        #expect(try remarks(report("")) == [])
        // Old versions of grcov: the class has only what is in no method.
        #expect(
            try remarks(report("<line number='9' hits='1'/>"))
                == ["gap f: the report counts 2 lines and names 1 of them"])
    }

    @Test func `segments of old versions of llvm-cov lack the mark of gaps`() throws {
        let count = #""count":1,"covered":1"#
        let text = """
            {"data":[{"files":[{"expansions":[],"filename":"/a.swift","segments":[[1,1,3,true,true],[3,2,0,false,false],
            [5,1,0,true,true],[6,2,0,false,false]],"summary":{"functions":{\(count)},"regions":{\(count)}}}],"functions":[]}],
            "type":"llvm.coverage.json.export","version":"2.0.0"}
            """
        #expect(try lines(text) == ["/a.swift 3/5"])
    }
}
