import Evidence
import Foundation
import RunModel
import TestResults
import TestSupport
import Testing

/// What other runners write, in the dialects that occur.
@Suite struct ForeignFormatTests {
    private func ingest(_ names: [String], package: String = "kit", modules: [Module] = []) throws -> TestRun {
        try ingest(names.map { ForeignReport(path: $0, bytes: try Fixture.bytes("Foreign/\($0)")) }, package, modules)
    }

    private func ingest(_ reports: [ForeignReport], _ package: String, _ modules: [Module] = []) throws -> TestRun {
        try TestRun.ingesting(
            reports, id: SampleRuns.id(1), project: "p", package: package, at: SampleRuns.moment,
            packageRoot: "/home/ci/py", modules: modules)
    }

    private func text(_ text: String) -> ForeignReport { ForeignReport(path: "f", bytes: Array(text.utf8)) }

    // MARK: JUnit

    /// Passed, failed, skipped.
    private func counts(_ run: TestRun) -> [Int] {
        [run.outcomes[.passed], run.outcomes.failures, run.outcomes[.skipped]]
    }

    @Test func `every report of Jenkins' own tests has the counts of another reader`() throws {
        let lines = String(decoding: try Fixture.bytes("JUnitJenkins/counts.txt"), as: UTF8.self).split(separator: "\n")
        #expect(lines.count == 46)
        for line in lines {
            let fields = line.split(separator: " ")
            let bytes = try Fixture.bytes("JUnitJenkins/\(fields[0])")
            let run = try ingest([ForeignReport(path: String(fields[0]), bytes: bytes)], "kit")
            let found = [run.tests.count, run.outcomes.failures, run.outcomes[.skipped]]
            #expect(found.map(String.init) == fields.dropFirst().map(String.init), "\(fields[0])")
        }
    }

    @Test func `pytest`() throws {
        let run = try ingest(["pytest.xml"])
        #expect(counts(run) == [3, 1, 1])
        let wrong = try run.test("test_mathx.TestSign/test_wrong")
        #expect(
            wrong.firstFailure?.message.hasPrefix("AssertionError: three is <positive> & odd\nassert 1 == 2") == true)
        #expect(try run.test("test_mathx.TestSign/test_later").skipReason == "not today")
    }

    @Test func `surefire, with what flapped and what failed again`() throws {
        let run = try ingest(["surefire.xml"])
        #expect(counts(run) == [2, 1, 1])
        #expect(try run.test("com.example/ParserTest/parses").duration == .milliseconds(1_002_500))
        #expect(run.notes == [])
        #expect(try run.test("com.example/ParserTest/flaps").attempts.map(\.outcome) == [.failed, .passed])
        #expect(try run.test("com.example/ParserTest/throws").attempts.map(\.outcome) == [.failed, .failed])
    }

    @Test func `gotestsum, where a test has a test inside`() throws {
        #expect(counts(try ingest(["gotestsum.xml"])) == [2, 1, 1])
    }

    @Test func `xcbeautify`() throws { #expect(counts(try ingest(["xcbeautify.xml"])) == [1, 1, 1]) }

    @Test(
        arguments: [
            // Two tests that ran beside each other.
            (#"<testsuites time="3.5"><testsuite time="9">CASES</testsuite></testsuites>"#, 3_500),
            (#"<testsuites time="0"><testsuite time="2">CASES</testsuite><testsuite time="1,5"/></testsuites>"#, 3_500),
            (#"<testsuite time="4"><testsuite time="1">CASES</testsuite></testsuite>"#, 4_000),
            (#"<testsuites><testsuite>CASES</testsuite></testsuites>"#, 6_000),
            (#"<testsuites time="-1"><testsuite time="soon">CASES</testsuite></testsuites>"#, 6_000),
        ]) func `a run took as long as its suites say, and else as its tests together`(
            _ report: String, _ milliseconds: Int
        )
        throws
    {
        let cases = #"<testcase name="a" time="3"/><testcase name="b" time="3"/>"#
        let run = try ingest([text(report.replacing("CASES", with: cases))], "kit")
        #expect(run.duration == .milliseconds(milliseconds))
        let twice = try ingest([text(report.replacing("CASES", with: cases)), text("<testsuite time='1'/>")], "kit")
        #expect(twice.duration == .milliseconds(milliseconds + (milliseconds == 6_000 ? 0 : 1_000)))
    }

    // MARK: Coverage

    private func summary(_ run: TestRun) -> [String] {
        (run.coverage?.files ?? []).map { file in
            let missed = file.missedRanges.map { "\($0.lowerBound)" }.joined(separator: ",")
            let functions = "\(file.functions.covered)/\(file.functions.total)"
            return
                "\(file.module) \(file.path) \(file.lineTally.covered)/\(file.lineTally.total) -\(missed) f\(functions)"
        }
    }

    @Test func `Cobertura counts a file to its package`() throws {
        let run = try ingest(["pytest.xml", "coverage-py.xml"])
        #expect(summary(run) == ["mathx mathx/__init__.py 4/6 -3,8 f0/0"])
        #expect(run.gaps == [])
    }

    @Test func `LCOV counts a file to the package as a whole`() throws {
        #expect(summary(try ingest(["coverage-py.lcov"])) == ["kit mathx/__init__.py 4/6 -3,8 f1/2"])
    }

    @Test func `with targets a file belongs to the target that lists it, and others are only named`() throws {
        let module = Module(
            name: "Mathx", compilerName: "Mathx", kind: .library, isSwift: true, path: "mathx",
            sources: ["__init__.py"],
            dependencies: [])
        let other = text("SF:/elsewhere/x.c\nDA:1,1\nend_of_record\n")
        let reports = try [ForeignReport(path: "c", bytes: Fixture.bytes("Foreign/coverage-py.xml")), other]
        let run = try ingest(reports, "kit", [module])
        #expect(summary(run) == ["Mathx mathx/__init__.py 4/6 -3,8 f0/0"])
        #expect(
            run.coverage?.unattributed == [
                UnattributedFile(path: "/elsewhere/x.c", kind: .dependency, lines: CoverageTally(covered: 1, total: 1))
            ])
    }

    @Test func `that a module has no executable line is not said of one that a report leaves out`() throws {
        let modules = ["Core", "Net"].map { name in
            Module(
                name: name, compilerName: name, kind: .library, isSwift: true, path: "Sources/\(name)",
                sources: ["A.swift"], dependencies: [])
        }
        let core = "SF:Sources/Core/A.swift\nDA:1,1\nend_of_record\n"
        #expect(try ingest([text(core)], "kit", modules).notMeasurable == [:])
        let empty = core + "SF:Sources/Net/A.swift\nend_of_record\n"
        #expect(try ingest([text(empty)], "kit", modules).notMeasurable == ["Net": "no executable line"])
    }

    @Test func `an underflowed counter is a covered line in either form`() throws {
        let module = Module(
            name: "uf2", compilerName: "uf2", kind: .library, isSwift: true, path: "", sources: ["uf2.swift"],
            dependencies: [])
        let files = try ["underflow.lcov", "underflow.json"].map { name -> FileCoverage in
            let report = ForeignReport(path: name, bytes: try Fixture.bytes("Foreign/\(name)"))
            let run = try TestRun.ingesting(
                [report], id: SampleRuns.id(1), project: "p", package: "p", at: SampleRuns.moment,
                packageRoot: "/home/ci", modules: [module])
            return try #require(run.coverage?.files.first)
        }
        #expect(files.map(\.lineTally) == Array(repeating: CoverageTally(covered: 8, total: 8), count: 2))
        #expect(files.map { $0.lines[4].count.value } == [nil, nil])
    }

    @Test func `reports of one file add up line by line`() throws {
        let shards = [
            text("SF:a\nDA:1,1\nDA:2,0\nend_of_record\n"),
            text("TN:x\r\nSF:a\r\nDA:1,2\r\nDA:2,1,md5\r\nend_of_record\r\n"),
        ]
        let file = try #require(try ingest(shards, "kit").coverage?.files.first)
        #expect(file.lines.map(\.count.value) == [3, 1])
    }

    @Test func `lines in any order and several times are each one line`() throws {
        let trace = """
            SF:b.swift
            DA:7,1
            DA:3,0
            DA:7,2
            end_of_record
            SF:a.swift
            DA:1,1
            end_of_record
            SF:b.swift
            DA:3,18446744073709551615
            DA:1,0
            DA:3,5
            end_of_record

            """
        let run = try ingest([text(trace), text("SF:b.swift\nDA:9,1\nDA:1,4\nend_of_record\n")], "kit")
        let lines = try #require(run.coverage).files.map { file in file.lines.map { "\($0.line):\($0.count.raw)" } }
        #expect(lines == [["1:1"], ["1:4", "3:\(UInt64.max)", "7:3", "9:1"]])
    }

    @Test func `classes of one file are one file`() throws {
        let xml = """
            <!-- <x> --><!DOCTYPE coverage SYSTEM "http://cobertura.sourceforge.net/xml/coverage-04.dtd">
            <coverage><packages><package name="p"><classes>
            <class filename="a.kt"><methods><method name="m"><lines><line number="9" hits="1"/></lines></method></methods>
            <lines><line number="1" hits="4"/></lines></class>
            <class filename="a.kt"><lines><line number="1" hits="2"/><line number="2" hits="0"/></lines></class>
            </classes></package></packages></coverage>
            """
        #expect(summary(try ingest([text(xml)], "kit")) == ["p a.kt 1/2 -2 f1/1"])
    }

    @Test(arguments: [
        ("SF:a\nDA:1,1\n", "f:3: ends too early: the record of a file has no end_of_record"),
        ("SF:a\nDA:1\nend_of_record\n", "f:1:1: line 2, a line without a number and a count"),
        ("SF:a\nDA:0,1\nend_of_record\n", "f:1:1: line 2, line 0, which no file has"),
        (
            "SF:a\nDA:1,x\nDA:2,y\nend_of_record\n",
            "f:1:1: 2 lines cannot be read, the first: line 2, a line without a number and a count"
        ),
        ("SF:a\nDA:4000000000,1\nend_of_record\n", "f:1:1: line 2, line 4000000000, which no file has"),
        ("SF:a\nDA:2000001,1\nend_of_record\n", "f:1:1: line 2, line 2000001, which no file has"),
        ("SF:a\nLF:3\nLH:3\nend_of_record\n", "f:4:1: a record that counts 3 lines and names none"),
        ("SF:a\nSF:b\n", "f:2:1: a file begins within the record of another"),
        ("SF:a\nhello\nend_of_record\n", "f:1:1: line 2, which is no record of LCOV"),
        ("SF:a\nhello\n", "f:3: ends too early: the record of a file has no end_of_record"),
        ("SF:\nDA:1,1\nend_of_record\n", "f:1:1: 2 lines cannot be read, the first: line 1, a file without a name"),
        ("TN:\nDA:1,1\n", "f:2:1: a line outside of the record of a file"),
        ("SF:a\nend_of_record\nend_of_record\n", "f:3:1: an end_of_record without a file"),
        ("<coverage/>", "f:1:1: a coverage report without packages, which is not Cobertura's"),
        ("<coverage lines-valid='9'><packages/></coverage>", "f:1:1: a report that counts 9 lines and names none"),
        ("<coverage><packages>\n<package", "f:2: ends too early: the file ends inside of a tag"),
        (
            "<coverage><packages><package><classes>\n<class filename='a'><lines><line number='1' hits='x'/></lines></class></classes></package></packages></coverage>",
            "f:1:1: a, line 1, whose hits 'x' are no count"
        ),
        (
            "<coverage><packages><package><classes>\n<class><lines><line number='3' hits='1'/></lines></class></classes></package></packages></coverage>",
            "f:1:1: line 3 of a class without a file"
        ),
        (
            "<coverage><packages><package><classes>\n<class filename='a'><lines><line number='2000001' hits='1'/></lines></class></classes></package></packages></coverage>",
            "f:1:1: a, line 2000001, which no file has"
        ),
    ])
    func `a broken report is refused with its location`(content: String, description: String) {
        let error = #expect(throws: EvidenceError.self) { try ingest([text(content)], "kit") }
        #expect(error?.description == description)
    }
}
