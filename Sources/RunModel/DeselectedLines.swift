/// The lines that deselected tests executed in an earlier run, by where they are now.
///
/// A deselected test executes no changed function, so it would do again what it did in the run with the per-test coverage. With what the other
/// tests execute now, this gives an estimate of what all tests together would execute.
public struct DeselectedLines: Sendable, Hashable, Codable {
    /// The lines of one source.
    public struct File: Sendable, Hashable, Codable {
        /// Relative to the package, as it is now.
        public var path: String
        /// The lines, ascending and apart.
        public var lines: [ClosedRange<Int>]
        /// Lines that may or may not be executed again, ascending and apart.
        public var doubtful: [ClosedRange<Int>]

        package init(path: String, lines: [ClosedRange<Int>], doubtful: [ClosedRange<Int>] = []) {
            self.path = path
            self.lines = lines
            self.doubtful = doubtful
        }
    }

    /// The run with the per-test coverage.
    public var run: RunID
    /// How many tests were deselected.
    public var tests: Int
    /// The sources, by the bytes of their paths.
    public var files: [File]

    package init(run: RunID, tests: Int, files: [File]) { (self.run, self.tests, self.files) = (run, tests, files) }

    /// Finds the lines; `nil` where a file changed and nobody knows how.
    ///
    /// Code that ran outside of tests runs again. Where functions alone decide, no changed function is among it, so it executes the
    /// same lines. Where a change was judged by target, it may execute others, so its lines are doubtful. Lines that are not in the
    /// coverage of the run are left out: a program that a test starts may be recorded without being measured.
    ///
    /// - Parameters:
    ///   - knowledge: What is known of the run.
    ///   - deselected: What a change leaves alone, by the same knowledge.
    ///   - files: Every file that differs from the tree of the run.
    ///   - changes: The changed lines of the package's files.
    ///   - coverage: What the run covered.
    public init?(
        _ knowledge: DeselectedTests.Knowledge, without deselected: DeselectedTests, files: ChangedFiles,
        changes: [FileChange], coverage: Coverage
    ) {
        let map = knowledge.map
        let isDeselected = map.tests.map(deselected.tests.contains)
        let isByTests = map.sets.map { set in set.tests.contains { isDeselected[Int($0)] } }
        let isByTarget = deselected.reason != nil
        let changed = Set(files.paths.compactMap { $0.flatMap(files.inPackage).map { Name($0) } })
        let byPath = Dictionary(grouping: changes.filter { $0.basePath != nil }) { Name($0.basePath ?? "") }
        let covered = Dictionary(coverage.files.map { (Name($0.path), $0) }) { first, _ in first }
        var found: [File] = []
        for file in map.files {
            let own = byPath[Name(file.path)] ?? []
            guard own.count < 2, !own.isEmpty || !changed.contains(Name(file.path)) else { return nil }
            let change = own.first ?? FileChange(path: file.path, basePath: file.path, changes: [])
            // Nothing executes a file that is gone.
            guard let path = change.path else { continue }
            let executed = Set(covered[Name(file.path)]?.lines.filter(\.count.isCovered).map { Int($0.line) } ?? [])
            var (lines, doubtful) = (Set<Int>(), Set<Int>())
            for span in file.functions.flatMap(\.spans) {
                let isOfOthers = map.sets[span.set].hasOthers
                guard isByTests[span.set] || isOfOthers else { continue }
                let now = (Int(span.first)...Int(span.last)).filter(executed.contains).compactMap(change.line(ofBase:))
                if isByTests[span.set] || !isByTarget { lines.formUnion(now) } else { doubtful.formUnion(now) }
            }
            doubtful.subtract(lines)
            if lines.isEmpty, doubtful.isEmpty { continue }
            found.append(
                File(path: path, lines: LineRanges.of(lines.sorted()), doubtful: LineRanges.of(doubtful.sorted())))
        }
        self.init(
            run: knowledge.run, tests: deselected.tests.count, files: found.sorted { Name($0.path) < Name($1.path) })
    }
}
