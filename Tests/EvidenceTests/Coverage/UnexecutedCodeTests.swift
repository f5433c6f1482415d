import Foundation
import RunModel
import Testing

@testable import CodeCoverage

@Suite struct UnexecutedCodeTests {
    private func parts(_ segments: String) throws -> [MissedPart] {
        try CoverageFixture.read(CoverageFixture.withSegments(segments)).files[0].parts
    }

    @Test func `a branch that was not taken is a part of its line`() throws {
        // if x < 0 { return -1 }
        let segments =
            "[[1,20,5,true,true,false],[2,14,0,true,true,false],[2,27,5,true,false,false],[3,2,0,false,false,false]]"
        #expect(try parts(segments) == [MissedPart(line: 2, start: 14, end: 27)])
    }

    @Test func `what begins in a line and goes on is a part of it to its end, and of the line where it ends`() throws {
        let segments =
            "[[1,1,5,true,true,false],[2,9,0,true,true,false],[4,6,5,true,true,false],[5,2,0,false,false,false]]"
        #expect(
            try parts(segments) == [
                MissedPart(line: 2, start: 9, end: nil), MissedPart(line: 4, start: 1, end: 6),
            ])
    }

    @Test func `a gap goes on with what was before it, and begins nothing`() throws {
        let gapAfterMissed =
            "[[1,1,5,true,true,false],[2,5,0,true,true,false],[2,9,0,true,true,true],[2,12,5,true,true,false],[3,2,0,false,false,false]]"
        #expect(try parts(gapAfterMissed) == [MissedPart(line: 2, start: 5, end: 12)])
        let gapAlone =
            "[[1,1,5,true,true,false],[2,9,0,true,true,true],[2,12,5,true,true,false],[3,2,0,false,false,false]]"
        #expect(try parts(gapAlone) == [])
    }

    @Test func `a line that was not executed at all has no parts`() throws {
        #expect(try parts("[[1,1,0,true,true,false],[1,9,0,true,true,false],[3,2,0,false,false,false]]") == [])
    }

    @Test func `functions go by the name a demangler gave them`() throws {
        let export = try CoverageFixture.export("good.json")
        let symbols = export.symbols
        let names = try #require(
            FunctionNames(symbols: symbols, demangled: symbols.map { "name of \($0)\n" }.joined()))
        #expect(FunctionNames(names.bytes) == names)
        #expect(symbols.map { names[$0] } == symbols.map { "name of \($0)" })
        #expect(names["$sUnknown"] == "$sUnknown")
        #expect(FunctionNames(symbols: symbols, demangled: "one\n") == nil)
    }

    @Test(arguments: ["good", "mixed"])
    func `as many functions are listed as the toolchain says were never called`(name: String) throws {
        let export = try CoverageFixture.export("\(name).json")
        let functions = Dictionary(grouping: export.functions, by: \.path)
        for file in export.files {
            let groups = FunctionGroup.groups(of: functions[file.path] ?? []).filter { !$0.isCalled }
            #expect(groups.count == file.functions.missed, "\(file.path)")
        }
    }

    @Test func `of two runs what any of them called was called`() {
        func file(_ called: [SourceFunction]?) -> FileCoverage {
            FileCoverage(
                path: "a", module: "A", lines: [], regions: CoverageTally(), functions: CoverageTally(),
                calledFunctions: called)
        }
        func function(_ name: String, _ line: Int32) -> SourceFunction {
            SourceFunction(name: name, line: line, column: 1, endLine: line, endColumn: 2)
        }
        let one = file([function("f", 1), function("h", 5)])
        #expect(
            one.functionsCalledByEither(or: file([function("g", 3), function("h", 5)]))
                == [function("f", 1), function("g", 3), function("h", 5)])
        #expect(one.functionsCalledByEither(or: file(nil)) == nil)
    }

    @Test func `of two runs what neither executed is left`() {
        func file(_ counts: [UInt64], _ parts: [MissedPart], _ functions: [SourceFunction]) -> FileCoverage {
            FileCoverage(
                path: "a", module: "A",
                lines: counts.enumerated().map { LineCount(line: Int32($0 + 1), count: ExecutionCount($1)) },
                regions: CoverageTally(), functions: CoverageTally(),
                unexecuted: UnexecutedCode(parts: parts, functions: functions))
        }
        func function(_ name: String) -> SourceFunction {
            SourceFunction(name: name, line: 1, column: 1, endLine: 2, endColumn: 2)
        }
        let one = file(
            [0, 3, 3, 0], [MissedPart(line: 2, start: 4, end: 9), MissedPart(line: 3, start: 2, end: nil)],
            [function("f"), function("g")])
        let other = file(
            [1, 1, 0, 0], [MissedPart(line: 1, start: 5, end: 7), MissedPart(line: 2, start: 6, end: nil)],
            [function("g")])
        #expect(
            one.unexecutedByBoth(and: other)
                == UnexecutedCode(
                    parts: [
                        MissedPart(line: 1, start: 5, end: 7), MissedPart(line: 2, start: 6, end: 9),
                        MissedPart(line: 3, start: 2, end: nil),
                    ], functions: [function("g")]))
        var unknown = other
        unknown.unexecuted = nil
        #expect(one.unexecutedByBoth(and: unknown) == nil)
    }

    @Test func `a profile of another build leaves functions out, which an inventory shows`() throws {
        let stale = try CoverageFixture.export("stale.json")
        // What llvm-cov says of it: every line is covered.
        #expect(stale.files.map(\.functions) == [CoverageTally(covered: 3, total: 3)])
        #expect(
            stale.mismatches(against: try CoverageFixture.export("stale-inventory.json")) == [
                CoverageExport.Mismatch(path: "/home/ci/Car.swift", functions: 1, all: 4)
            ])
        let fresh = try CoverageFixture.export("fresh.json")
        #expect(fresh.mismatches(against: try CoverageFixture.export("fresh-inventory.json")) == [])
    }

    @Test func `a function inside of another that was never called is counted with it`() {
        func function(_ name: String, _ line: Int32, _ endLine: Int32) -> SourceFunction {
            SourceFunction(name: name, line: line, column: 5, endLine: endLine, endColumn: 6)
        }
        let code = UnexecutedCode(
            functions: [function("f", 1, 9), function("closure in f", 3, 4), function("g", 10, 12)])
        #expect(code.outermostFunctions.map(\.function.name) == ["f", "g"])
        #expect(code.outermostFunctions.map(\.inside) == [1, 0])
    }
}
