public import RunModel

extension RunStore {
    /// How many runs of one tree are compared at most.
    private static let mostRuns = 5

    /// The coverage of a tree by its full runs; `nil` if none is stored.
    ///
    /// These runs have coverage and no gap. Passed runs come before failed ones, the newest first.
    ///
    /// - Parameter folder: That of the package in the tree, empty for its top.
    public func knownCoverage(
        ofTree tree: String, at folder: String, project: String
    ) throws(StorageError) -> KnownCoverage? {
        try read { connection in
            guard let project = try connection.project(project) else { return nil }
            let runs = try connection.statement(.wholeRunsOfTree).all(tree, project, Self.mostRuns, Bytes(folder)) {
                row in
                (row: row.integer(0), id: try row.runID(1), toolchain: row.optionalInteger(2))
            }
            guard let first = runs.first else { return nil }
            let reading = RunReading(connection)
            let toolchain = try first.toolchain.map {
                try connection.decoded(Toolchain.self, from: $0)
            }
            let files = try reading.files(first.row)
            var disputed: [Name: Set<Int>] = [:]
            for run in runs.dropFirst() {
                let others = try reading.files(run.row)
                for (path, lines) in Self.disagreement(files, others) { disputed[path, default: []].formUnion(lines) }
            }
            return KnownCoverage(
                runs: runs.map(\.id), swiftVersion: toolchain?.swiftVersion, files: files.map(KnownLines.init),
                unstable: files.compactMap { file in
                    guard let lines = disputed[Name(file.path)] else { return nil }
                    let ranges = LineRanges.of(lines.sorted())
                    return KnownLines(path: file.path, covered: ranges, missed: ranges)
                }
            )
        }
    }

    /// Lines that are executable in both and covered in only one, by path.
    private static func disagreement(_ files: [FileCoverage], _ others: [FileCoverage]) -> [(Name, [Int])] {
        let byPath = Dictionary(others.map { (Name($0.path), $0.lines) }) { first, _ in first }
        return files.compactMap { file in
            guard let lines = byPath[Name(file.path)],
                lines.map(\.count.isCovered) != file.lines.map(\.count.isCovered)
            else { return nil }
            let states = Dictionary(lines.map { ($0.line, $0.count.isCovered) }) { first, _ in first }
            let disputed = file.lines.filter { states[$0.line] == !$0.count.isCovered }.map { Int($0.line) }
            return disputed.isEmpty ? nil : (Name(file.path), disputed)
        }
    }
}
