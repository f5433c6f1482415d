import Foundation
import RunModel
import Testing

@testable import CodeCoverage
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
            return error?.line == 3 && error?.column == 7 && error?.offset == offset && error?.kind == .malformed
                && error?.description == "'x' where a count should be (byte \(offset))"
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
    ])
    func `what is not one complete export is refused`(text: String) {
        #expect(throws: CoverageExportError.self) { try CoverageFixture.read(text) }
    }

    @Test(arguments: [
        "[[1,1,1,true]]", "[[1,1,1,true,true,]]", "[[1,1,1,true,true,false,1]]", "[[0,1,1,true,true,false]]",
        "[[1,1,-1,true,true,false]]", "[[1,1,1.0,true,true,false]]", "[[1,1,1e3,true,true,false]]",
        "[[01,1,1,true,true,false]]",
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
            ($0 as? CoverageExportError)?.reason == "2 covered of 1"
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
                ($0 as? CoverageExportError)?.reason == "nested deeper than 32"
            }
        }
    }

    @Test func `a few segments cannot fill the memory with lines`() {
        let segments = CoverageFixture.withSegments("[[1,1,1,true,true,false],[1002,1,0,false,false,false]]")
        let thrown = Array(segments.utf8).lent { document in
            #expect(throws: JSONFault.self) {
                var reader = CoverageExportReader(document, lineLimit: 1000)
                _ = try reader.read()
            }
        }
        #expect(thrown?.reason == "more than 1000 executable lines" && thrown?.isLimit == true)
        // Five files that reach over as many lines as a file may have.
        func file(_ number: Int) -> String {
            #"{"filename":"\#(number)","segments":[[1,1,1,true,true,false],[2000000,1,0,false,false,false]],"#
                + #""summary":\#(CoverageFixture.summary)}"#
        }
        func export(_ files: Int) -> String {
            #"{"data":[{"files":[\#((0..<files).map(file).joined(separator: ","))]}],"#
                + #""type":"llvm.coverage.json.export","version":"3.0.1"}"#
        }
        let error = #expect(throws: CoverageExportError.self) { try CoverageFixture.read(export(5)) }
        #expect(error?.kind == .tooMany && error?.reason == "more than 8000000 executable lines")
    }

    @Test func `every case of JSONTestSuite is accepted or refused correctly in a skipped value`() throws {
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
            // A repeated key is refused, as readers differ on which value counts.
            case "y_" where name.contains("duplicated_key"):
                #expect(throws: CoverageExportError.self) { try result.get() }
            case "y_": #expect(throws: Never.self, "\(name)") { try result.get() }
            case "n_": #expect(throws: CoverageExportError.self, "\(name)") { try result.get() }
            default: break
            }
        }
    }
}
