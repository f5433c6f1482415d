import Gate
import RunModel
import TestSupport
import Testing

@testable import Pages

@Suite struct FileTreeTests {
    private static func rows(_ paths: [String]) -> [String] {
        let files = paths.map { path in
            FileCoverage(
                path: path, module: "M", lines: SampleRuns.lines(4, covered: 3), regions: CoverageTally(),
                functions: CoverageTally())
        }
        return FileTree(files).rows.map { row in
            String(repeating: "  ", count: row.depth) + "\(row.name) \(row.lines.covered)/\(row.lines.total)"
        }
    }

    @Test func `folders have the sum of their files, and a chain of folders is one line`() {
        #expect(
            Self.rows(["Sources/B/x.swift", "Sources/A/Deep/er/z.swift", "Sources/A/Deep/er/y.swift", "main.swift"])
                == [
                    "Sources/ 9/12", "  A/Deep/er/ 6/8", "    y.swift 3/4", "    z.swift 3/4", "  B/ 3/4",
                    "    x.swift 3/4", "main.swift 3/4",
                ])
    }

    @Test func `a file that is excluded is shown and in no sum`() {
        let files = ["A/x.swift", "A/y.swift", "B/z.swift"].map { path in
            FileCoverage(
                path: path, module: "M", lines: SampleRuns.lines(4, covered: 3), regions: CoverageTally(),
                functions: CoverageTally())
        }
        let rows = FileTree(files) { $0.path == "A/x.swift" }.rows
        #expect(rows.map(\.lines.total) == [4, 4, 4, 0, 4])
        #expect(rows.map(\.isCounted) == [true, true, false, false, false])
    }

    @Test func `what lies deeper than any package is one line`() {
        let paths = [100, 1000].map { String(repeating: "a/", count: $0) + "x.swift" }
        let inside = { (count: Int) in String(repeating: "a/", count: count) }
        #expect(
            Self.rows(paths) == [
                "\(inside(64)) 6/8", "  \(inside(936))x.swift 3/4", "  \(inside(36))x.swift 3/4",
            ])
    }

    @Test func `a page lists so many files of all modules, and counts the others`() throws {
        let files = (0..<3).map { number in
            FileCoverage(
                path: "x\(number).swift", module: "M", lines: SampleRuns.lines(4, covered: number),
                regions: CoverageTally(), functions: CoverageTally())
        }
        let run = SampleRuns.passing()
        let verdict = SampleVerdicts.of(run)
        let status = try #require(verdict.modules.first)
        let links = RunLinks(run.id, project: run.project, .dashboard)
        func list(_ most: Int) -> ModuleFiles? {
            ModuleFiles(
                status, number: 1, files: files, most: most, counted: CountedFiles(run.coverage, verdict), links: links)
        }
        #expect(list(3)?.rows.count == 3)
        #expect(list(3)?.summary.contains("listed") == false)
        #expect(list(2)?.rows.count == 2)
        #expect(list(2)?.summary.hasSuffix("; 2 of them are listed") == true)
    }

    @Test func `a path of any form is shown once`() {
        #expect(Self.rows([]) == [])
        #expect(Self.rows(["/abs/a.swift", "", "a//b.swift", "a/b"]).count == 6)
        #expect(Self.rows(["e\u{301}/a", "\u{E9}/a"]) == ["e\u{301}/ 3/4", "  a 3/4", "\u{E9}/ 3/4", "  a 3/4"])
    }
}
