import Foundation
import RunModel
import Testing

@testable import Evidence

@Suite struct CoverageExportErrorTests {
    @Test(arguments: [true, false])
    func `an export cut at any byte is an error`(keepingFunctions: Bool) throws {
        let bytes = try CoverageFixture.bytes("underflow.json")
        for length in bytes.indices {
            #expect(throws: CoverageExportError.self, "cut after \(length) bytes") {
                try CoverageFixture.read(Array(bytes[..<length]), keepingFunctions: keepingFunctions)
            }
        }
    }

    @Test func `functions as llvm-cov writes them are skipped whole, any others and any cut ones not at all`() throws {
        func length(_ function: some Collection<UInt8>) -> Int? {
            Array(function).withUnsafeBytes { bytes in
                var scanner = ExportScanner(bytes)
                let isTaken = scanner.skipsPlainFunction(depth: 4)
                #expect(isTaken || scanner.offset == 0)
                return isTaken ? scanner.offset : nil
            }
        }
        let recorded = try CoverageFixture.bytes("good.json")
        let start = try #require(recorded.firstRange(of: Array(#""functions":[{"#.utf8)))
        #expect(length(recorded[(start.upperBound - 1)...]) ?? 0 > 100)
        let plain =
            #"{"branches":[],"count":12,"filenames":["/a.swift"],"mcdc_records":[],"#
            + #""name":"$s8Module04Type0V6method04with7optionsSSx_SaySiGtKF","regions":[[1,2,3,4,5,0,0,0],[6,7]]}"#
        #expect(length(plain.utf8) == plain.utf8.count)
        for cut in 0..<plain.utf8.count { #expect(length(plain.utf8.prefix(cut)) == nil) }
        for (sound, other) in [
            (":12,", ":012,"), (":12,", ":1.2,"), (":12,", ":,"), (":12,", ": 12,"), ("[6,7]", "[06,7]"),
            ("[6,7]", "[6,,7]"), ("[6,7]", "[]"), ("[6,7]", "6,7]"), ("]]}", "]]]"), ("V6", "V\n6"),
            ("V6", "V\u{1}6"), ("V6", "Vé6"), ("/a", "\"a"), ("\"branches\":[]", "\"branches\":[0]"),
        ] {
            #expect(length(plain.replacing(sound, with: other).utf8) == nil, "\(other)")
        }
    }

    @Test func `any byte replaced by any of these never traps`() {
        let bytes = Array(CoverageFixture.withSegments("[[1,1,9,true,true,false],[2,1,0,false,false,false]]").utf8)
        for index in bytes.indices {
            for replacement in Array("\u{0}\"\\[]{},:-09eftn \u{FF}".utf8) {
                var damaged = bytes
                damaged[index] = replacement
                _ = Result { try CoverageFixture.read(damaged) }
            }
        }
    }

    @Test func `an error names the line, the byte and the reason`() {
        let text = CoverageFixture.withSegments("\n\n[[1,1,x")
        let offset = Array(text.utf8).firstIndex(of: UInt8(ascii: "x")) ?? 0
        #expect {
            try CoverageFixture.read(text)
        } throws: { error in
            let error = error as? CoverageExportError
            return error?.position.line == 3 && error?.position.offset == offset
                && error?.description == "not JSON: a count expected (byte \(offset))"
        }
    }

    @Test(arguments: [
        "{}", "[]", "null", #"{"data":[],"type":"llvm.coverage.json.export","version":"3.0.1"}"#,
        #"{"data":[{}],"type":"llvm.coverage.json.export","version":"3.0.1"}"#,
        #"{"data":[{"files":[]},{"files":[]}],"type":"llvm.coverage.json.export","version":"3.0.1"}"#,
        #"{"data":[{"files":[]}],"type":"other","version":"3.0.1"}"#,
        #"{"data":[{"files":[]}],"version":"3.0.1"}"#, #"{"data":[{"files":[]}],"type":"llvm.coverage.json.export"}"#,
        #"{"data":[{"files":[]}],"type":"llvm.coverage.json.export","version":"9.0.0"}"#,
        #"{"data":[{"files":[],"files":[]}],"type":"llvm.coverage.json.export","version":"3.0.1"}"#,
        #"{"data":[{"files":[]}],"type":"llvm.coverage.json.export","version":"3.0.1"}{}"#,
        CoverageFixture.withFile(#""filename":"a","segments":[]"#),
        CoverageFixture.withFile(#""filename":"a","summary":\#(CoverageFixture.summary)"#),
        CoverageFixture.withFile(#""segments":[],"summary":\#(CoverageFixture.summary)"#),
        CoverageFixture.withFile(#""filename":"a","filename":"a","segments":[],"summary":\#(CoverageFixture.summary)"#),
        CoverageFixture.withFile(#""filename":"\ud800","segments":[],"summary":\#(CoverageFixture.summary)"#),
    ])
    func `what is not one complete export is refused`(text: String) {
        #expect(throws: CoverageExportError.self) { try CoverageFixture.read(text) }
    }

    @Test(arguments: [
        "[[1,1,1,true,true]]", "[[1,1,1,true,true,false,1]]", "[[0,1,1,true,true,false]]", "[[1,1,-1,true,true,false]]",
        "[[1,1,1.0,true,true,false]]", "[[1,1,1e3,true,true,false]]", "[[01,1,1,true,true,false]]",
        "[[1,1,1,1,1,0]]", "[[1,1,\"1\",true,true,false]]", "[[2,1,1,true,true,false],[1,1,0,false,false,false]]",
        "[[1,1,1,true,true,false],]", "[[2000001,1,1,true,true,false]]", "[[1,1,1,truetrue,true,false]]", "{}", "null",
    ])
    func `segments of another shape are refused`(segments: String) {
        #expect(throws: CoverageExportError.self) {
            try CoverageFixture.read(CoverageFixture.withSegments(segments))
        }
    }

    @Test(arguments: [
        "{}", #"{"name":"f","count":1,"filenames":["a"]}"#, #"{"name":"f","count":1,"regions":[]}"#,
        #"{"name":"f","filenames":["a"],"regions":[]}"#, #"{"count":1,"filenames":["a"],"regions":[]}"#,
        #"{"name":"f","count":1,"filenames":["a"],"regions":[[1,1,1,2,1,0,0]]}"#,
        #"{"name":"f","count":1,"filenames":["a"],"regions":[[1,1,1,2,1,1,0,0]]}"#,
        #"{"name":"f","count":1,"filenames":[],"regions":[[1,1,1,2,1,0,0,0]]}"#,
        #"{"name":"f","count":1,"filenames":["a"],"regions":[[2,1,1,2,1,0,0,0]]}"#,
        #"{"name":"f","count":-1,"filenames":["a"],"regions":[]}"#,
        #"{"name":"f","count":1,"filenames":["a"],"regions":[[2147483648,1,2147483648,2,1,0,0,0]]}"#,
        #"{"name":"f","name":"f","count":1,"filenames":["a"],"regions":[]}"#, "null",
    ])
    func `functions of another shape are refused`(function: String) throws {
        func export(_ function: String) -> String {
            #"{"data":[{"files":[],"functions":[\#(function)]}],"type":"llvm.coverage.json.export","version":"3.0.1"}"#
        }
        let good = #"{"name":"f","count":1,"filenames":["a"],"regions":[[1,1,1,2,1,0,0,0]]}"#
        #expect(try CoverageFixture.read(export(good)).functions.map(\.path) == ["a"])
        #expect(throws: CoverageExportError.self) { try CoverageFixture.read(export(function)) }
    }

    @Test func `more covered than there is is refused`() {
        let text = CoverageFixture.withFile(
            #""filename":"a","segments":[],"summary":{"regions":{"count":1,"covered":2},"functions":{}}"#
        )
        #expect {
            try CoverageFixture.read(text)
        } throws: {
            guard case .coveredExceedsTotal(2, 1, _) = $0 as? CoverageExportError else { return false }
            return true
        }
    }

    @Test func `nesting of 32 is accepted, of 33 refused, of 100,000 refused at once`() throws {
        func nested(_ depth: Int) -> String {
            let lists = String(repeating: "[", count: depth - 1) + String(repeating: "]", count: depth - 1)
            return #"{"x":\#(lists),"data":[{"files":[]}],"type":"llvm.coverage.json.export","version":"3.0.1"}"#
        }
        #expect(try CoverageFixture.read(nested(32)).files.isEmpty)
        for depth in [33, 65, 100_000] {
            #expect {
                try CoverageFixture.read(nested(depth))
            } throws: {
                guard case .tooDeep(limit: 32, _) = $0 as? CoverageExportError else { return false }
                return true
            }
        }
    }

    @Test func `a few segments cannot fill the memory with lines`() {
        let segments = CoverageFixture.withSegments("[[1,1,1,true,true,false],[1002,1,0,false,false,false]]")
        let limit = CoverageExportError.tooMany(
            "executable lines", limit: 1000, at: CoverageExportError.Position(offset: 108, line: 1)
        )
        let thrown = Array(segments.utf8).withUnsafeBytes { bytes in
            #expect(throws: ExportScanner.Fault.self) {
                var reader = CoverageExportReader(bytes, lineLimit: 1000)
                _ = try reader.read()
            }?.located(in: bytes)
        }
        #expect(thrown == limit)
    }

    @Test func `every case of JSONTestSuite is judged rightly inside of what is skipped`() throws {
        let folder = try CoverageFixture.folder().appending(path: "json-testsuite")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".json") }
        #expect(names.count == 318)
        for name in names.sorted() {
            let json = [UInt8](try Data(contentsOf: folder.appending(path: name)))
            let bytes =
                Array(#"{"skipped":"#.utf8) + json
                + Array(#","data":[{"files":[]}],"type":"llvm.coverage.json.export","version":"3.0.1"}"#.utf8)
            let result = Result { try CoverageFixture.read(bytes) }
            switch name.prefix(2) {
            case "y_": #expect(throws: Never.self, "\(name)") { try result.get() }
            case "n_": #expect(throws: CoverageExportError.self, "\(name)") { try result.get() }
            default: break
            }
        }
    }
}
