public import RunModel

/// What earlier whole runs of the same sources, by the same toolchain, have covered.
public struct LineHistory: Sendable, Hashable {
    /// Every state that a line had in one of them; files without a difference to the run that is judged may be left out.
    public var files: [KnownLines]

    /// Makes a history; without arguments nothing is known, and so nothing is unstable.
    public init(_ files: [KnownLines] = []) { self.files = files }
}

/// The lines of one file that the same tests of the same sources sometimes cover and sometimes do not.
public struct UnstableFile: Sendable, Hashable, Codable {
    /// Relative to the package.
    public var path: String
    /// The lines as ascending ranges.
    public var lines: [ClosedRange<Int>]

    package init(path: String, lines: [ClosedRange<Int>]) { (self.path, self.lines) = (path, lines) }
}

extension LineHistory {
    /// The lines that are otherwise in a run than in an earlier one.
    func unstable(among files: [FileCoverage]) -> [UnstableFile] {
        guard !self.files.isEmpty else { return [] }
        let known = Dictionary(self.files.map { (Name($0.path), $0) }) { first, _ in first }
        return files.compactMap { file in
            guard let table = known[Name(file.path)].map(LineTable.init) else { return nil }
            let lines = file.lines.filter { table.contradicts($0.count.isCovered, Int($0.line)) }.map { Int($0.line) }
            return lines.isEmpty ? nil : UnstableFile(path: file.path, lines: LineRanges.of(lines))
        }
    }
}

extension [UnstableFile] {
    /// How many lines there are.
    public var lineCount: Int { reduce(0) { $0 + $1.lines.reduce(0) { $0 + $1.count } } }

    var byPath: [UnstableFile] { sorted { Name($0.path) < Name($1.path) } }
}

extension Verdict {
    /// The history that makes the same lines unstable again, for judging the run by another policy.
    public var lineHistory: LineHistory {
        LineHistory(unstable.map { KnownLines(path: $0.path, covered: $0.lines, missed: $0.lines) })
    }
}

extension MeasuredModule {
    /// The module with unstable lines taken as covered, or all as not covered.
    func taking(_ unstable: [UnstableFile], asCovered isCovered: Bool) -> MeasuredModule {
        guard !unstable.isEmpty else { return self }
        let lines = Dictionary(unstable.map { (Name($0.path), $0.lines) }) { first, _ in first }
        var files = files
        for index in files.indices {
            guard let ranges = lines[Name(files[index].path)] else { continue }
            files[index].lines = files[index].lines.map { entry in
                guard entry.count.isCovered != isCovered, ranges.holds(Int(entry.line))
                else { return entry }
                return LineCount(line: entry.line, count: ExecutionCount(isCovered ? 1 : 0))
            }
        }
        return MeasuredModule(
            module: module, files: files, excludedFiles: excludedFiles, notMeasurable: notMeasurable)
    }
}
