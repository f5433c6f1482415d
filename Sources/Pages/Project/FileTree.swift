import RunModel

/// Files with coverage as rows of a tree: each folder with the total of its files that count, then its files.
struct FileTree {
    /// A folder or a file.
    struct Row {
        let name: String
        let depth: Int
        let lines: CoverageTally
        /// `nil` for a folder.
        let file: FileCoverage?
        /// Whether any of its lines count.
        let isCounted: Bool
    }

    let rows: [Row]

    /// A file and the components of its path.
    private typealias Entry = (parts: [String], file: FileCoverage, isCounted: Bool)

    /// How many folders deep the tree is at most; what is deeper is one line with its folders.
    private static let deepest = 64

    /// Orders files by their paths, byte by byte.
    ///
    /// - Parameter isCounted: Whether the lines of a file count towards the totals.
    init(_ files: [FileCoverage], isCounted: (FileCoverage) -> Bool = { _ in true }) {
        let sorted = files.map { file in
            let parts = file.path.split(separator: "/", maxSplits: Self.deepest)
            return Entry(parts.map(String.init), file, isCounted(file))
        }
        .sorted { Name($0.file.path) < Name($1.file.path) }
        var rows: [Row] = []
        Self.add(sorted[...], from: 0, depth: 0, to: &rows)
        self.rows = rows
    }

    private static func add(
        _ entries: ArraySlice<Entry>, from start: Int, depth: Int, to rows: inout [Row]
    ) {
        var rest = entries
        while let first = rest.first {
            guard first.parts.count > start + 1 else {
                rows.append(
                    Row(
                        name: first.parts.last ?? first.file.path, depth: depth, lines: first.file.lineTally,
                        file: first.file, isCounted: first.isCounted))
                rest = rest.dropFirst()
                continue
            }
            let folder = first.parts[start]
            let inside = rest.prefix { entry in
                entry.parts.count > start + 1 && Name(entry.parts[start]) == Name(folder)
            }
            rest = rest.dropFirst(inside.count)
            var end = start + 1
            // A chain of folders that each contain only the next one is one row.
            while inside.allSatisfy({ entry in
                entry.parts.count > end + 1 && Name(entry.parts[end]) == Name(first.parts[end])
            }) { end += 1 }
            rows.append(
                Row(
                    name: first.parts[start..<end].joined(separator: "/") + "/", depth: depth,
                    lines: inside.reduce(CoverageTally()) { $1.isCounted ? $0 + $1.file.lineTally : $0 }, file: nil,
                    isCounted: inside.contains(where: \.isCounted)))
            add(inside, from: end, depth: depth + 1, to: &rows)
        }
    }
}
