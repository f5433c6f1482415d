import Evidence
import Foundation
import RunModel

/// The plain twin of the fast reader: Foundation's decoder, and LLVM's rule written as a loop over whole lines.
struct DecodedExport: Decodable {
    struct Entry: Decodable { let files: [File] }

    struct File: Decodable {
        let filename: String
        let segments: [Segment]
        let summary: Summary
    }

    struct Summary: Decodable {
        let regions: Tally
        let functions: Tally
    }

    struct Tally: Decodable {
        let count: Int
        let covered: Int
    }

    struct Segment: Decodable {
        let line: Int
        let count: UInt64
        let hasCount: Bool
        let isEntry: Bool
        let isGap: Bool

        init(from decoder: any Decoder) throws {
            var list = try decoder.unkeyedContainer()
            line = try list.decode(Int.self)
            _ = try list.decode(Int.self)
            count = try list.decode(UInt64.self)
            hasCount = try list.decode(Bool.self)
            isEntry = try list.decode(Bool.self)
            isGap = try list.decode(Bool.self)
        }
    }

    let data: [Entry]
    let version: String

    /// What a file comes to, in the words of the fast reader.
    struct Figures: Hashable {
        let path: String
        let lines: [LineCount]
        let regions: CoverageTally
        let functions: CoverageTally
    }

    var figures: [Figures] {
        data[0].files.map { file in
            Figures(
                path: file.filename, lines: Self.lines(of: file.segments),
                regions: CoverageTally(covered: file.summary.regions.covered, total: file.summary.regions.count),
                functions: CoverageTally(covered: file.summary.functions.covered, total: file.summary.functions.count)
            )
        }
    }

    static func lines(of segments: [Segment]) -> [LineCount] {
        guard let first = segments.first, let last = segments.last else { return [] }
        var result: [LineCount] = []
        var wrapped: Segment?
        for line in first.line...last.line {
            let here = segments.filter { $0.line == line }
            let starts = here.filter { $0.isEntry && $0.hasCount && !$0.isGap }
            let beginsSkipped = here.first.map { !$0.hasCount && $0.isEntry } ?? false
            let isReached = wrapped?.hasCount ?? false
            if (!beginsSkipped && (isReached || !starts.isEmpty)) || here.contains(where: { $0.isEntry && $0.hasCount })
            {
                let count = starts.map(\.count).reduce(wrapped?.count ?? 0, max)
                result.append(LineCount(line: Int32(line), count: ExecutionCount(count)))
            }
            wrapped = here.last ?? wrapped
        }
        return result
    }
}
