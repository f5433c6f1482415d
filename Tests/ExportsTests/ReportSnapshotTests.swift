import Exports
import Gate
import RunModel
import TestSupport
import Testing

@Suite struct ReportSnapshotTests {
    struct Sample: Sendable, CustomTestStringConvertible {
        let name: String
        let run: TestRun
        let verdict: Verdict

        var testDescription: String { name }
    }

    private static func fixture(_ name: String) -> String { "Tests/ExportsTests/Fixtures/\(name)" }

    static let samples: [Sample] = {
        let unsteady = SampleRuns.unsteady()
        let failing = SampleRuns.failing()
        let undecided = SampleRuns.undecided()
        let unbuilt = SampleVerdicts.unbuilt()
        let estimated = SampleVerdicts.estimated()
        return [
            Sample(name: "passing", run: SampleRuns.passing(), verdict: SampleVerdicts.passing()),
            Sample(name: "failing", run: failing, verdict: SampleVerdicts.failing(failing)),
            Sample(name: "undecided", run: undecided, verdict: SampleVerdicts.undecided(undecided)),
            Sample(name: "rebased", run: SampleRuns.passing(5), verdict: SampleVerdicts.rebased()),
            Sample(name: "unbuilt", run: unbuilt.run, verdict: unbuilt.verdict),
            Sample(name: "estimated", run: estimated.run, verdict: estimated.verdict),
            Sample(name: "unsteady", run: unsteady, verdict: SampleVerdicts.unsteady(unsteady)),
        ]
    }()

    private func source(_ path: String, _ line: Int) -> String? {
        switch (path, line) {
        case ("Tests/CoreTests/CoreTests.swift", 35): "        XCTAssertEqual(情報.count, 34) // \u{1B}]0;title\u{7}"
        case ("Sources/Core/Core.swift", 3): "\treturn items[index]"
        default: nil
        }
    }

    @Test(arguments: samples)
    func `text is what it was`(sample: Sample) throws {
        let text = TextReport.render(sample.run, sample.verdict, style: TextStyle(columns: 80), source: source)
        expectSnapshot(text, at: Self.fixture("\(sample.name).txt"))
    }

    @Test func `color paints signs and headings`() throws {
        let run = SampleRuns.failing()
        let style = TextStyle(color: true, columns: 80)
        expectSnapshot(
            TextReport.render(run, SampleVerdicts.failing(run), style: style), at: Self.fixture("failing-color.txt"))
    }

    @Test(arguments: samples)
    func `JSON is what it was`(sample: Sample) throws {
        expectSnapshot(try JSONReport.render(sample.run, sample.verdict), at: Self.fixture("\(sample.name).json"))
    }

    @Test(arguments: samples)
    func `Markdown is what it was`(sample: Sample) throws {
        expectSnapshot(MarkdownReport.render(sample.run, sample.verdict), at: Self.fixture("\(sample.name).md"))
    }

    @Test(arguments: samples)
    func `JUnit is what it was`(sample: Sample) throws {
        let files = JUnitReport.files(sample.run, sample.verdict).map {
            "== \($0.name)\n\(String(decoding: $0.bytes, as: UTF8.self))"
        }
        expectSnapshot(files.joined(), at: Self.fixture("\(sample.name)-junit.txt"))
    }

    @Test func `Cobertura and LCOV are what they were`() throws {
        var run = SampleRuns.failing()
        run.coverage?.files[0].lines[0] = LineCount(line: 1, count: ExecutionCount(1 << 63 - 1))
        run.coverage?.files[0].lines[1] = LineCount(line: 2, count: ExecutionCount(4_000_000_000))
        run.coverage?.files[1].path = "Sources/Core/<a> & \"b\"\n.swift"
        run.coverage?.files[0].calledFunctions = [
            SourceFunction(name: "Core.run<A>(_: A)", line: 1, column: 1, endLine: 6, endColumn: 2)
        ]
        run.coverage?.files[0].unexecuted = UnexecutedCode(functions: [
            SourceFunction(name: "closure #1 in Core.run<A>(_: A)", line: 2, column: 9, endLine: 4, endColumn: 3)
        ])
        let verdict = SampleVerdicts.failing(run)
        expectSnapshot(
            try #require(CoberturaReport.render(run, verdict, packageRoot: "/home/ci/repo/kit", pathPrefix: "kit")),
            at: Self.fixture("cobertura.xml")
        )
        expectSnapshot(
            try #require(LCOVReport.render(run, verdict, packageRoot: "/home/ci/repo/kit")),
            at: Self.fixture("lcov.info"))
        run.coverage = nil
        #expect(CoberturaReport.render(run, verdict, packageRoot: "/") == nil)
        #expect(LCOVReport.render(run, verdict) == nil)
    }

    @Test(arguments: samples)
    func `Sonar's data, annotations of GitHub and GitLab, and SARIF are what they were`(sample: Sample) throws {
        let sonar = SonarReport.tests(sample.run, sample.verdict, pathPrefix: "kit")
        let parts = [
            SonarReport.coverage(sample.run, sample.verdict, pathPrefix: "kit") ?? "no coverage\n",
            "\(sonar.text)omitted \(sonar.omitted)\n",
            GitHubAnnotations.render(sample.run, sample.verdict, pathPrefix: "kit"),
            try GitLabCodeQuality.render(sample.run, sample.verdict, pathPrefix: "kit"),
            try SARIFReport.render(sample.run, sample.verdict, version: "1.2.3", pathPrefix: "kit"),
        ]
        expectSnapshot(parts.joined(separator: "==\n"), at: Self.fixture("\(sample.name)-platforms.txt"))
    }

    @Test func `what GitHub would drop in silence is counted`() {
        var run = SampleRuns.passing()
        run.tests = (0..<25).map {
            TestResult(id: TestID(module: "M", suite: "", name: "t\($0)"), library: .xctest, outcome: .failed)
        }
        let lines = GitHubAnnotations.render(run, SampleVerdicts.passing()).split(separator: "\n")
        #expect(lines.count == 10)
        #expect(lines.last == "::error title=Kanmon::16 more errors, see the report of the run")
    }
}
