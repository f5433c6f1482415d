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

    @Test func `a path of any form is shown once`() {
        #expect(Self.rows([]) == [])
        #expect(Self.rows(["/abs/a.swift", "", "a//b.swift", "a/b"]).count == 6)
        #expect(Self.rows(["e\u{301}/a", "\u{E9}/a"]) == ["e\u{301}/ 3/4", "  a 3/4", "\u{E9}/ 3/4", "  a 3/4"])
    }
}
