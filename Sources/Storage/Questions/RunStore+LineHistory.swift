public import Gate
public import RunModel

extension RunStore {
    /// How many runs of the same sources are compared at most.
    static let mostRunsOfSources = 20

    /// The coverage of the same sources by full runs before `run`, with the same toolchain and the same test targets
    /// switched off.
    ///
    /// Runs in which a test failed or evidence is missing do not count, because they cover other lines for that
    /// reason.
    public func lineHistory(before run: TestRun) throws(StorageError) -> LineHistory {
        guard !run.isPartial, let coverage = run.coverage, let digest = run.sourceDigest,
            let toolchain = run.toolchain, let moment = run.startedAt.nanosecondsSince1970
        else { return LineHistory() }
        return try read { connection in
            guard let project = try connection.project(run.project) else { return LineHistory() }
            let selection = run.selection == Selection() ? nil : Bytes(try StoredJSON.encode(run.selection))
            let lists = try connection.statement(.earlierRunsOfSources).all(
                project, digest, moment, run.id.description, Bytes(try StoredJSON.encode(toolchain)), selection,
                Self.mostRunsOfSources
            ) { $0.integer(0) }
            return LineHistory(try RunReading(connection).differences(of: coverage.files, from: Set(lists)))
        }
    }
}

extension RunReading {
    /// For files whose coverage differs between the lists: all states that their lines have.
    fileprivate func differences(of files: [FileCoverage], from lists: Set<Int64>) throws -> [KnownLines] {
        var contents: [Int64: Set<Int64>] = [:]
        for list in lists {
            for entry in try coverageList(list) { contents[entry.file, default: []].insert(entry.content) }
        }
        let byPath = Dictionary(files.map { (Name($0.path), $0) }) { first, _ in first }
        return try contents.compactMap { entry -> KnownLines? in
            let others = try entry.value.map { try file(entry.key, content: $0) }
            guard let path = others.first?.path, let own = byPath[Name(path)] else { return nil }
            let states = own.lines.map(\.count.isCovered)
            guard others.contains(where: { $0.lines.map(\.count.isCovered) != states }) else { return nil }
            let known = others.map(KnownLines.init)
            return KnownLines(path: path, covered: known.flatMap(\.covered), missed: known.flatMap(\.missed))
        }.sorted { Name($0.path) < Name($1.path) }
    }
}
