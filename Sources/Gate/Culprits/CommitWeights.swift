public import RunModel

/// How likely commits are to be the culprit before anything is run: by whether they touch what the test executes.
///
/// It is a guess by which a search knows where to begin. No commit gets nothing: a test may read a file that no map knows of.
public struct CommitWeights: Sendable {
    /// Of a commit that touches a function which the test executes, a test's source, a resource, the manifest, or anything of which
    /// nothing is known.
    public static let related = 1.0
    /// Of one that touches another part of a source with functions which the test executes.
    static let beside = 0.2
    /// Of one that touches only sources of which the test executes nothing.
    static let unrelated = 0.05
    /// Of one that touches only texts for people.
    static let words = 0.02

    /// The lines of the functions that the test executes, by the sources of the map; empty for one that only other tests execute.
    private let functions: [Name: [ClosedRange<Int>]]

    /// Makes them of per-test coverage.
    ///
    /// - Parameter map: `nil` where there is none; then, and if the test is not in it, only texts for people are unlikely.
    public init(_ test: TestID, by map: TestMap?) {
        guard let map, let position = map.tests.firstIndex(of: test).map({ Int32($0) }) else {
            functions = [:]
            return
        }
        let own = map.sets.map { $0.tests.contains(position) || $0.hasOthers }
        functions = Dictionary(
            map.files.map { file in
                (Name(file.path), file.functions.filter { own[$0.set] }.map(\.lines))
            }, uniquingKeysWith: +)
    }

    /// Whether the lines that a change touches matter, because it touches a source with functions which the test executes.
    public func asksForLines(of files: ChangedFiles) -> Bool {
        files.paths.contains { path in
            path.flatMap { files.inPackage($0) }.flatMap { functions[Name($0)] }?.isEmpty == false
        }
    }

    /// The weight of a commit.
    ///
    /// - Parameters:
    ///   - files: The files that differ from its parent.
    ///   - changes: How they differ; only asked for where lines matter.
    ///   - drift: How the tree of the commit differs from that of the map; only asked for there, too.
    public func weight(of files: ChangedFiles, changes: [FileChange] = [], drift: [FileChange] = []) -> Double {
        files.paths.map { weight(of: $0, in: files, changes, drift) }.max() ?? Self.words
    }

    private func weight(
        of path: String?, in files: ChangedFiles, _ changes: [FileChange], _ drift: [FileChange]
    ) -> Double {
        guard let path else { return Self.related }
        if ChangedFiles(paths: [path], package: files.package).isForPeopleOnly { return Self.words }
        guard let name = files.inPackage(path), let known = functions[Name(name)] else { return Self.related }
        if known.isEmpty { return Self.unrelated }
        let own = changes.filter { change in
            [change.path, change.basePath].contains { $0.map { Name($0) } == Name(name) }
        }
        // A source that is gone, of which other lines are compiled, or that nobody can compare.
        let isPlain = own.allSatisfy { $0.path != nil && $0.leadsElsewhere == nil && $0.exposed == nil }
        guard !own.isEmpty, isPlain else { return Self.related }
        let moved = drift.filter { $0.basePath.map { Name($0) } == Name(name) }
        let isTouched = known.contains { lines in
            guard let there = Self.lines(lines, across: moved) else { return true }
            return own.contains { $0.touches(there) }
        }
        return isTouched ? Self.related : Self.beside
    }

    /// Where lines of the map's tree are in that of the commit; `nil` where that cannot be said.
    private static func lines(_ lines: ClosedRange<Int>, across drift: [FileChange]) -> ClosedRange<Int>? {
        guard let change = drift.first else { return lines }
        guard drift.count == 1, let first = change.line(ofBase: lines.lowerBound),
            let last = change.line(ofBase: lines.upperBound), first <= last
        else { return nil }
        return first...last
    }
}
