package import RunModel

extension FileCoverage {
    /// The code that neither of two runs executed; `nil` if it is unknown for one of them.
    package func unexecutedByBoth(and other: FileCoverage) -> UnexecutedCode? {
        guard let mine = unexecuted, let theirs = other.unexecuted else { return nil }
        let (left, right) = (missedColumns(mine), other.missedColumns(theirs))
        let parts = zip(lines, other.lines).flatMap { line, twin -> [MissedPart] in
            // A line that neither executed needs no parts.
            guard line.count.isCovered || twin.count.isCovered else { return [] }
            return Self.common(left[line.line] ?? [], right[line.line] ?? []).map {
                MissedPart(line: line.line, start: $0.lowerBound, end: $0.upperBound == .max ? nil : $0.upperBound)
            }
        }
        let functions = mine.functions.flatMap { mine in
            theirs.functions.map { theirs in mine.filter(Set(theirs).contains) }
        }
        return UnexecutedCode(parts: parts, functions: functions)
    }

    /// The functions that any of two runs called; `nil` if it is unknown for one of them.
    package func functionsCalledByEither(or other: FileCoverage) -> [SourceFunction]? {
        guard let mine = calledFunctions, let theirs = other.calledFunctions else { return nil }
        let known = Set(mine)
        return (mine + theirs.filter { !known.contains($0) }).sorted { ($0.line, $0.column) < ($1.line, $1.column) }
    }

    /// The unexecuted columns of every line; all columns for an unexecuted line.
    private func missedColumns(_ code: UnexecutedCode) -> [Int32: [Range<Int32>]] {
        var columns: [Int32: [Range<Int32>]] = [:]
        for line in lines where !line.count.isCovered { columns[line.line] = [1..<Int32.max] }
        for part in code.parts { columns[part.line, default: []].append(part.start..<(part.end ?? .max)) }
        return columns
    }

    private static func common(_ left: [Range<Int32>], _ right: [Range<Int32>]) -> [Range<Int32>] {
        left.flatMap { one in right.map { one.clamped(to: $0) } }.filter { !$0.isEmpty }
    }
}
