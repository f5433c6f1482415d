import Foundation
import RunModel
import Testing

@testable import CodeCoverage
@testable import Evidence

@Suite struct CoverageExportTests {
    @Test(arguments: ["good", "mixed"])
    func `lines and counts are those of llvm-cov's own lcov export`(name: String) throws {
        let export = try CoverageFixture.export("\(name).json")
        var lines: [String: [LineCount]] = [:]
        for file in export.files { lines[file.path] = file.lines }
        let lcov = try CoverageFixture.lcov("\(name).lcov")
        #expect(lines.keys.sorted() == lcov.keys.sorted())
        #expect(lines.keys.filter { lines[$0] != lcov[$0] } == [])
    }

    @Test func `an underflowed counter is covered and has no count`() throws {
        let file = try #require(CoverageFixture.export("underflow.json").files.first)
        let values: [UInt64?] = [1, 5, 5, 5, nil, nil, 1, 1]
        #expect(file.lines.map(\.count.value) == values)
        #expect(file.lines.map(\.count.isCovered) == Array(repeating: true, count: 8))
        let lcov = try #require(CoverageFixture.lcov("underflow.lcov")["/home/ci/uf2.swift"])
        #expect(lcov.map(\.line) == file.lines.map(\.line))
        #expect(lcov.map(\.count.value) == values)
    }

    @Test(arguments: ["good", "mixed", "mixed-xcc", "underflow"])
    func `the reader and a decoder agree on everything`(name: String) throws {
        let bytes = try CoverageFixture.bytes("\(name).json")
        let twin = try JSONDecoder().decode(DecodedExport.self, from: Data(bytes))
        let export = try CoverageFixture.read(bytes)
        let figures = export.files.map {
            DecodedExport.Figures(path: $0.path, lines: $0.lines, regions: $0.regions, functions: $0.functions)
        }
        #expect(figures.map(\.path) == twin.figures.map(\.path))
        #expect(zip(figures, twin.figures).filter { $0 != $1 }.map(\.0.path) == [])
        #expect(export.version == twin.version)
    }

    @Test(arguments: ["good", "mixed"])
    func `without its functions an export says the same of its files`(name: String) throws {
        let whole = try CoverageFixture.export("\(name).json")
        let read = try CoverageExport.read(CoverageFixture.bytes("\(name).json"), keepingFunctions: false)
        #expect(read.files == whole.files)
        #expect(!whole.functions.isEmpty && read.functions.isEmpty)
    }

    @Test(arguments: ["good", "mixed"])
    func `one file of an export is read as it is in the whole`(name: String) throws {
        let bytes = try CoverageFixture.bytes("\(name).json")
        let whole = try CoverageFixture.export("\(name).json")
        for file in whole.files {
            let path = file.path.split(separator: "/").suffix(2).joined(separator: "/")
            let wanted = { (other: String) in other.hasSuffix("/\(path)") }
            let read = try bytes.lent { document throws(CoverageExportError) in
                try CoverageExport.read(document, only: path)
            }
            #expect(read.files == whole.files.filter { wanted($0.path) })
            #expect(read.functions == whole.functions.filter { wanted($0.path) })
        }
    }

    @Test(arguments: ["good", "mixed"])
    func `functions and their regions come to what the toolchain's summary of every file says`(name: String) throws {
        let export = try CoverageFixture.export("\(name).json")
        let byFile = Dictionary(grouping: export.functions, by: \.path)
        let expected = export.files.filter { byFile[$0.path] != nil }
        #expect(expected.map(\.path) == export.files.filter { $0.functions.total > 0 }.map(\.path))
        for file in expected {
            let groups = FunctionGroup.groups(of: byFile[file.path] ?? [])
            #expect(
                CoverageTally(covered: groups.count(where: \.isCalled), total: groups.count) == file.functions,
                "\(file.path)")
            #expect(groups.reduce(CoverageTally()) { $0 + $1.regions } == file.regions, "\(file.path)")
        }
    }

    @Test func `a count past 2^64-1 is 2^64-1`() throws {
        let text = CoverageFixture.withSegments(
            "[[1,1,9999999999999999999,true,true,false],[2,1,18446744073709551615,true,true,false],"
                + "[3,1,0,false,false,false],[4,1,18446744073709551616,true,true,false],[5,1,0,false,false,false],"
                + "[6,1,99999999999999999999999,true,true,false],[7,1,0,false,false,false]]"
        )
        let raw = try CoverageFixture.read(text).files[0].lines.map(\.count.raw)
        #expect(raw == [9_999_999_999_999_999_999, .max, .max, .max, .max, .max, .max])
    }

    @Test func `blanks, unknown keys and escapes change nothing`() throws {
        let text = """
            { "new" : [ { "a" : [ 1.5e3 , -0 , "\\u00e9\\ud83d\\ude00\\n" , null ] } ] ,
              "version" : "3.1.0" , "data" : [ { "totals" : { } ,
                "functions" : [ { "name" : "\\u0078" , "new" : [ ] , "count" : 3 ,
                  "filenames" : [ "/p/a.swift" ] , "regions" : [ [ 1 , 2 , 3 , 4 , 3 , 0 , 0 , 0 ] , [ 1 , 2 , 3 , 4 , 3 , 0 , 0 , 2 ] ] } ] , "f\\u0069les" : [ { "mcdc" : { } ,
                "filename" : "/p/\\u30d5\\u30a1 \\ud83d\\ude00\\/\\"x\\".swift" , "summary" : \(CoverageFixture.summary) ,
                "segments" : [ [ 7 , 1 , 2 , true , true , false ] , [ 8 , 2 , 0 , false , false , false ] ] } ] } ] ,
              "type" : "llvm.coverage.json.export" }

            """
        let export = try CoverageFixture.read(text)
        #expect(export.version == "3.1.0")
        #expect(export.files.map(\.path) == [#"/p/ファ 😀/"x".swift"#])
        let two = ExecutionCount(2)
        #expect(export.files[0].lines == [LineCount(line: 7, count: two), LineCount(line: 8, count: two)])
        #expect(export.files[0].regions == CoverageTally(covered: 1, total: 2))
        let region = CoverageExport.Region(line: 1, column: 2, endLine: 3, endColumn: 4, count: ExecutionCount(3))
        #expect(
            export.functions == [
                CoverageExport.Function(name: "x", path: "/p/a.swift", count: ExecutionCount(3), regions: [region])
            ])
    }

    @Test func `paths that differ in their normalization form are two files`() throws {
        func file(_ path: String) -> String {
            #"{"filename":"\#(path)","segments":[],"summary":\#(CoverageFixture.summary)}"#
        }
        func export(_ files: String) -> String {
            #"{"data":[{"files":[\#(files)]}],"type":"llvm.coverage.json.export","version":"3.0.1"}"#
        }
        let both = file("/p/\u{30AC}.swift") + "," + file("/p/\u{30AB}\u{3099}.swift")
        #expect(try CoverageFixture.read(export(both)).files.count == 2)
        let twice = file("/p/a.swift") + "," + file("/p/a.swift")
        #expect(throws: CoverageExportError.self) { try CoverageFixture.read(export(twice)) }
    }
}
