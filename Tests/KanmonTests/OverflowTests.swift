import Foundation
import Testing

@testable import kanmon

/// The sample package of which the compiler counts two executed lines 2^63 - 1 times. A reader that takes such a count for a
/// number, or for none, calls 4 of its 9 lines covered; it is 6.
@Suite struct OverflowTests {
    private let program: Program

    init() throws { program = Program(folder: try TestFolder()) }

    @Test(arguments: ReportFormat.allCases)
    func `a count that overflowed costs no line in any format`(format: ReportFormat) async throws {
        let ingested = try await program.run(["ingest", "\(TestFolder.runs)/Overflow"])
        #expect(ingested.status == 2)
        let out = "\(program.folder.path)/out"
        let run = "019b7c00-0007-7000-8000-000000000007"
        let written = try await program.run(["report", run, "--format", format.rawValue, "--out", out])
        #expect(written.status == 0)
        let text = try Self.text(at: out)
        for words in Self.figures(format) { #expect(text.contains(words), "\(words)") }
    }

    @Test func `another reader's form of that count costs no line either`() async throws {
        let trace = """
            SF:/a/F.swift
            DA:1,1
            DA:2,18446744073709551612
            DA:3,9223372036854775807
            DA:4,0
            end_of_record

            """
        try program.folder.write(trace, to: "work/lcov.info")
        try program.folder.write("<testsuite><testcase name='a'/></testsuite>", to: "work/junit.xml")
        let ingested = try await program.run(["ingest", "lcov.info", "junit.xml", "--project", "kit"])
        #expect(ingested.output.contains("75.0 %  3 of 4"))
        let report = try await program.run(["report", "--project", "kit", "--format", "cobertura"])
        #expect(report.output.contains(#"lines-covered="3" lines-valid="4""#))
    }

    /// What has to stand in a format.
    private static func figures(_ format: ReportFormat) -> [String] {
        switch format {
        case .text:
            ["Divisors line coverage 66.6 % < 80 %: 6 of 9 lines.", "Divisors  66.6 %  6 of 9   66.6 %     50.0 %"]
        case .json:
            [
                """
                      "lines" : {
                        "covered" : 6,
                        "total" : 9
                      },
                """
            ]
        case .markdown: ["| ✕ | Divisors | 66.6 % | 6 of 9 | 66.6 % | 50.0 % | line 80 % |"]
        case .html:
            [
                "<strong>66.6 %</strong> 6 of 9 executable lines",
                ##"<tr id="L4" class="covered"><td class="no"><a href="#L4">4</a></td>"##
                    + #"<td class="count" title="executed, count unknown">✓</td>"#,
                #"<tr id="L8" class="missed">"#,
            ]
        case .cobertura:
            [
                #"lines-covered="6" lines-valid="9""#,
                #"<package name="Divisors" line-rate="0.6666""#,
                lines(1...6, #"            <line number="#, [1, 8, 8, 1, 1, 1].map { #" hits="\#($0)"/>"# }),
                lines(8...10, #"            <line number="#, [0, 0, 0].map { #" hits="\#($0)"/>"# }),
            ]
        case .lcov:
            ["DA:1,1\nDA:2,8\nDA:3,8\nDA:4,1\nDA:5,1\nDA:6,1\nDA:8,0\nDA:9,0\nDA:10,0\nLF:9\nLH:6\nend_of_record\n"]
        case .sonarCoverage:
            [
                lines(1...6, "    <lineToCover lineNumber=", Array(repeating: #" covered="true"/>"#, count: 6)),
                lines(8...10, "    <lineToCover lineNumber=", Array(repeating: #" covered="false"/>"#, count: 3)),
            ]
        case .gitHubAnnotations:
            [",line=8,endLine=10,title=not covered::Divisors line coverage 66.6 %25 < 80 %25: 6 of 9 lines."]
        case .gitLabCodeQuality, .sarif: ["not covered: Divisors line coverage 66.6 % < 80 %: 6 of 9 lines."]
        // They tell of tests.
        case .junit, .sonarTests: ["seven()"]
        }
    }

    private static func lines(_ numbers: ClosedRange<Int>, _ start: String, _ ends: [String]) -> String {
        zip(numbers, ends).map { "\(start)\"\($0)\"\($1)" }.joined(separator: "\n")
    }

    /// The text of a file, or of all files of a folder.
    private static func text(at path: String) throws -> String {
        guard let names = FileManager.default.enumerator(atPath: path) else {
            return try String(contentsOfFile: path, encoding: .utf8)
        }
        let files = names.compactMap { $0 as? String }.filter { $0.hasSuffix("ml") }
        return try (files.isEmpty ? [path] : files.map { "\(path)/\($0)" })
            .map { try String(contentsOfFile: $0, encoding: .utf8) }.joined(separator: "\n")
    }
}
