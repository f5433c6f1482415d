import RunModel

/// The states of the executable lines of one file, by line.
struct LineTable {
    /// By line: 0 for none, 1 for missed, 2 for covered, 3 for both.
    private var states: [UInt8] = []

    init() {}

    init(_ lines: KnownLines) {
        let last = (lines.covered + lines.missed).map(\.upperBound).max() ?? 0
        // Longer than any source file; what a damaged file claims beyond is not believed.
        guard last <= 10_000_000 else { return }
        states = Array(repeating: 0, count: last + 1)
        for range in lines.missed where range.lowerBound >= 0 { for line in range { states[line] |= 1 } }
        for range in lines.covered where range.lowerBound >= 0 { for line in range { states[line] |= 2 } }
    }

    /// Whether a line was covered; `nil` when it is not executable.
    subscript(line: Int) -> Bool? {
        guard states.indices.contains(line), states[line] != 0 else { return nil }
        return states[line] & 2 != 0
    }

    /// The state of a line, which is then no longer in the table.
    mutating func take(_ line: Int) -> Bool? {
        let state = self[line]
        if state != nil { states[line] = 0 }
        return state
    }

    /// Whether some run says of a line the opposite.
    func contradicts(_ isCovered: Bool, _ line: Int) -> Bool {
        states.indices.contains(line) && states[line] & (isCovered ? 1 : 2) != 0
    }

    /// The executable lines in ascending order.
    var all: [(line: Int, isCovered: Bool)] {
        states.indices.compactMap { line in self[line].map { (line, $0) } }
    }
}

/// What a comparison knows of lines, by path.
struct BaseStates {
    /// Whether the coverage of the base is known.
    let knowsBase: Bool
    /// Whether it is known of each line of the base if it was code: another compiler may count other lines.
    let knowsLines: Bool
    private let baseFiles: [Name: KnownLines]
    private let unstableFiles: [Name: KnownLines]
    private let otherFiles: [Name: KnownLines]

    init(_ comparison: ChangeComparison, of run: TestRun, unstable: [UnstableFile] = []) {
        func byPath(_ files: [KnownLines]?) -> [Name: KnownLines] {
            Dictionary((files ?? []).map { (Name($0.path), $0) }) { first, _ in first }
        }
        knowsBase = comparison.coverage != nil
        let compiler = comparison.coverage?.swiftVersion
        knowsLines = compiler != nil && compiler == run.toolchain?.swiftVersion
        baseFiles = byPath(comparison.coverage?.files)
        unstableFiles = byPath(comparison.coverage?.unstable)
        // Where the others disagree among themselves, each state is known; else the first speaks for all.
        let contested =
            (comparison.sameTree?.unstable ?? [])
            + unstable.map { KnownLines(path: $0.path, covered: $0.lines, missed: $0.lines) }
        otherFiles = contested.reduce(into: byPath(comparison.sameTree?.files)) { files, both in
            // In place: one path may be there many times.
            let none = KnownLines(path: both.path, covered: [], missed: [])
            files[Name(both.path), default: none].covered += both.covered
            files[Name(both.path), default: none].missed += both.missed
        }
    }

    func base(_ path: String) -> LineTable? { baseFiles[Name(path)].map(LineTable.init) }
    func unstableBase(_ path: String) -> LineTable? { unstableFiles[Name(path)].map(LineTable.init) }
    func others(_ path: String) -> LineTable? { otherFiles[Name(path)].map(LineTable.init) }

    /// The new lines that came from a place where they were executable and not covered.
    func debt(_ moves: [MovedLines]) -> Set<Int> {
        var debt: Set<Int> = []
        for move in moves {
            guard let lines = baseFiles[Name(move.basePath)] else { continue }
            for (offset, line) in move.head.enumerated() where lines.isMissed(move.baseStart + offset) {
                debt.insert(line)
            }
        }
        return debt
    }
}

extension KnownLines {
    /// Whether a line is executable and was not covered. Looked up in the ranges: a table would cost as much as the file is long.
    fileprivate func isMissed(_ line: Int) -> Bool { missed.holds(line) && !covered.holds(line) }
}

extension [ClosedRange<Int>] {
    /// Whether a line is in one of the ranges, which are ascending and apart.
    func holds(_ line: Int) -> Bool {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle].upperBound < line { low = middle + 1 } else { high = middle }
        }
        return low < count && self[low].contains(line)
    }
}
