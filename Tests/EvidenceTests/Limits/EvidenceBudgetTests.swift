import RunModel
import TestSupport
import Testing

@testable import CodeCoverage
@testable import Evidence
@testable import TestResults

@Suite struct EvidenceBudgetTests {
    /// A reader, and a file of its format that holds `count` of something.
    struct Reader: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let file: @Sendable (Int) -> String
        let read: @Sendable (LentBytes, EvidenceBudget) throws(EvidenceError) -> Void
    }

    private static func xunit(_ body: @escaping @Sendable (Int) -> String, _ what: String) -> Reader {
        Reader(
            testDescription: what,
            file: { count in "<testsuite>" + (0..<count).map(body).joined() + "</testsuite>" },
            read: { document, budget throws(EvidenceError) in
                _ = try XUnitReport.read(document, file: "f", origin: .foreign, budget: budget)
            })
    }

    private static func events(_ body: @escaping @Sendable (Int) -> String, _ what: String) -> Reader {
        Reader(
            testDescription: what, file: { count in (0..<count).map(body).joined() },
            read: { document, budget throws(EvidenceError) in
                _ = try EventStream.read(document, file: "f", budget: budget)
            })
    }

    private static func coverage(
        _ what: String, _ file: @escaping @Sendable (Int) -> String,
        _ read: @escaping @Sendable (ForeignReport, EvidenceBudget) throws(EvidenceError) -> ForeignCoverage
    ) -> Reader {
        Reader(
            testDescription: what, file: file,
            read: { document, budget throws(EvidenceError) in
                _ = try read(ForeignReport(path: "f", bytes: Array(document.bytes)), budget)
            })
    }

    private static func export(_ document: LentBytes, _ budget: EvidenceBudget) throws(EvidenceError) {
        do throws(CoverageExportError) {
            _ = try CoverageExport.read(document, budget: budget)
        } catch {
            throw EvidenceError(error, file: "f")
        }
    }

    private static let summary =
        #""summary":{"functions":{"count":1,"covered":1},"regions":{"count":1,"covered":1}}"#
    private static let long = String(repeating: "long", count: 30)

    static let readers = [
        xunit({ "<testcase name='\($0)'/>" }, "cases"),
        xunit({ "<testcase name='t'><failure message='\($0)'/></testcase>" }, "failures"),
        xunit({ "<testcase name='\($0)\(long)'/>" }, "long names"),
        xunit({ "<testsuite name='\($0)' tests='1'/>" }, "contradictions"),
        xunit({ "<failure message='\($0)'/>" }, "failures of suites"),
        events(
            { #"{"kind":"test","payload":{"kind":"function","id":"M.S/f\#($0)()/F.swift:1:1"},"version":0}"# + "\n" },
            "functions"),
        events(
            { number in
                let payload = #"{"kind":"issueRecorded","messages":[{"text":"\#(number)"}]}"#
                return #"{"kind":"event","payload":\#(payload),"version":0}"# + "\n"
            }, "issues"),
        Reader(
            testDescription: "records",
            file: { count in
                (0..<count).map { #"{"ev":"start","cls":"M.A","name":"t\#($0)"}"# + "\n" }.joined()
            },
            read: { document, budget throws(EvidenceError) in
                _ = try ObserverRecords.read(document, file: "f", budget: budget)
            }),
        Reader(
            testDescription: "a list",
            file: { count in
                let tests = (0..<count).map { #"{"name":"t\#($0)"}"# }.joined(separator: ",")
                return #"{"tests":[{"name":"M.A","tests":[\#(tests)]}],"name":"all"}"#
            },
            read: { document, budget throws(EvidenceError) in
                _ = try XCTestList.read(document, file: "f", budget: budget)
            }),
        Reader(
            testDescription: "a transcript",
            file: { count in
                (0..<count).map { "Test Case 'A.t\($0)' started at 2026-01-02 03:04:05.678\n" }.joined()
            },
            read: { document, budget throws(EvidenceError) in
                _ = Transcript.read(document, known: nil, budget: budget)
                try budget.check("f")
            }),
        Reader(
            testDescription: "crashes",
            file: { count in String(repeating: "*** Program crashed: x at 0x1 ***\n", count: count) },
            read: { document, budget throws(EvidenceError) in
                _ = Transcript.read(document, known: nil, budget: budget)
                try budget.check("f")
            }),
        Reader(
            testDescription: "names of functions",
            file: { count in (0..<count).map { "$s\($0)\tname\n" }.joined() },
            read: { document, budget throws(EvidenceError) in
                _ = FunctionNames(document, budget)
                try budget.check("f")
            }),
        Reader(
            testDescription: "files of an export",
            file: { count in
                let files = (0..<count).map { #"{"filename":"\#($0)","segments":[],\#(summary)}"# }
                return #"{"data":[{"files":[\#(files.joined(separator: ","))]}],"#
                    + #""type":"llvm.coverage.json.export","version":"3.0.1"}"#
            }, read: export),
        Reader(
            testDescription: "functions of an export",
            file: { count in
                let functions = (0..<count).map {
                    #"{"name":"f\#($0)","count":1,"filenames":["a"],"regions":[[1,1,2,1,1,0,0,0]]}"#
                }
                return #"{"data":[{"files":[],"functions":[\#(functions.joined(separator: ","))]}],"#
                    + #""type":"llvm.coverage.json.export","version":"3.0.1"}"#
            }, read: export),
        coverage(
            "lines of LCOV",
            { count in
                "SF:/a\n" + (1...max(1, count)).map { "DA:\($0),1\n" }.joined() + "end_of_record\n"
            }, { report, budget throws(EvidenceError) in try LCOVReader.read(report, budget) }),
        coverage(
            "functions of LCOV",
            { count in "SF:/a\n" + (0..<count).map { "FN:1,f\($0)\n" }.joined() + "end_of_record\n" },
            { report, budget throws(EvidenceError) in try LCOVReader.read(report, budget) }),
        coverage(
            "lines of Cobertura",
            { count in
                let lines = (1...max(1, count)).map { "<line number='\($0)' hits='1'/>" }.joined()
                return "<coverage><packages><package name='p'><classes><class filename='a'><lines>\(lines)</lines>"
                    + "</class></classes></package></packages></coverage>"
            }, { report, budget throws(EvidenceError) in try CoberturaBuilder.read(report, budget) }),
    ]

    @Test(arguments: readers)
    func `a file with more than a run keeps is refused with its name and the limit`(reader: Reader) throws {
        // More than one MiB of anything.
        let large = Array(reader.file(60_000).utf8)
        let error = #expect(throws: EvidenceError.self) {
            try large.lent { try reader.read($0, EvidenceBudget(1 << 20)) }
        }
        guard case .tooLarge("f", let reason)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.hasSuffix("more than is kept of one run, 1 MiB") || reason.contains("kept of one run, 1 MiB ("))
        #expect(error?.hint == "split it into several runs" && error?.isBadInput == true)
        #expect(throws: Never.self) {
            try Array(reader.file(2).utf8).lent { try reader.read($0, EvidenceBudget(1 << 20)) }
        }
    }

    @Test func `what was not kept is not counted`() throws {
        let budget = EvidenceBudget(1 << 20)
        let functions = (0..<2_000).map { "FN:1,function\($0)\n" }.joined()
        let trace = (0..<20).map { "SF:/\($0)\n\(functions)end_of_record\n" }.joined()
        _ = try LCOVReader.read(ForeignReport(path: "f", bytes: Array(trace.utf8)), budget)
        #expect(
            budget.used == 20 * EvidenceBudget.Item.entry.rawValue + (0..<20).map { "/\($0)".utf8.count }.reduce(0, +))
    }

    @Test func `a report that is refused leaves room for the others`() throws {
        let folder = try TemporaryFolder()
        let start = "Test Case 'A.t' started at 2026-01-02 03:04:05.678\n"
        let log = String(repeating: start, count: 4_000)
        var recorded = RecordedRun()
        recorded.artifacts = [
            (.transcript, Array(log.utf8)),
            (.observerRecords, try Fixture.recorded("xctest-observer-ldpreload/xct.jsonl")),
        ]
        let directory = try recorded.write(in: folder)
        let run = try TestRun.read(from: directory, budget: EvidenceBudget(1 << 20))
        #expect(run.gaps.contains { $0.code == .artifactDamaged && $0.detail.contains("kept of one run") })
        #expect(run.tests.contains { $0.outcome == .passed })
    }

    @Test func `strings and lines end somewhere`() throws {
        let long = [UInt8](repeating: UInt8(ascii: "x"), count: JSONCursor.stringLimit + 1)
        let fault = #expect(throws: JSONFault.self) {
            try (Array("\"".utf8) + long + Array("\"".utf8)).withJSONCursor { cursor throws(JSONFault) in
                _ = try cursor.string()
            }
        }
        #expect(fault?.isLimit == true && fault?.reason == "more than 16777216 bytes in a string")
        let line = [UInt8](repeating: 0x20, count: JSONLines.lineLimit + 1)
        let reason = "line 1: more than 33554432 bytes in a line"
        #expect(throws: EvidenceError.tooLarge(file: "e", reason: reason)) {
            try EventStream.read(line, file: "e")
        }
    }

    @Test func `a document of white space and of what is passed over stays in no memory`() throws {
        for filler in [" ", "1,"] {
            let text = "[" + String(repeating: filler, count: (4 << 20) / filler.utf8.count) + "1]"
            let bytes = Array(text.utf8)
            var released = 0
            try bytes.withUnsafeBufferPointer { bytes throws(JSONFault) in
                var cursor = JSONCursor(LentBytes(bytes, release: { released = $0 }))
                try cursor.skip()
            }
            #expect(released > 3 << 20)
        }
    }
}
