import RunModel

/// The lines of one file against those of its base, each in one class.
///
/// What merely moved and was not covered at the base is `UBC`, not `UNC`: it is debt, and nobody is charged for it
/// twice; the place it left is `DUB` like any other line that is gone. Without the coverage of the base only what is new can be told, and every move counts as new.
struct LineDifference {
    /// How many lines are in each class; of those that are unstable only what is new.
    private(set) var classes: [LineClass: Int] = [:]
    /// How many covered lines count as new although nobody changed them.
    private var coveredIncluded = 0
    /// New lines that are not covered, with those that count as new although nobody changed them.
    private(set) var uncoveredNew: [Int] = []
    /// Lines that moved here without being covered before or now.
    private(set) var movedDebt: [Int] = []
    /// Unchanged lines that lost their coverage.
    private(set) var lost: [Int] = []
    /// Unchanged lines that gained coverage.
    private(set) var gained: [Int] = []
    /// Lines whose state differs between runs of one tree.
    private(set) var unstable: [Int] = []
    /// The state of every line that is unstable and not new: it is left out of what is compared.
    private(set) var unstableTally = CoverageTally()

    /// New lines: covered of all.
    var new: CoverageTally {
        let covered = classes[.gainedNew, default: 0] + coveredIncluded
        return CoverageTally(covered: covered, total: covered + uncoveredNew.count)
    }

    /// The lines of the base that are still there and executable in both: covered of all.
    var surviving: CoverageTally {
        let covered = classes[.coveredBaseline, default: 0] + classes[.lostBaseline, default: 0]
        let missed = classes[.uncoveredBaseline, default: 0] + classes[.gainedBaseline, default: 0]
        return CoverageTally(covered: covered, total: covered + missed)
    }

    /// Compares one file.
    ///
    /// - Parameters:
    ///   - file: Its lines now; `nil` when it is gone or no longer counts.
    ///   - change: How it differs; `nil` when it does not.
    ///   - basePath: Where it was; `nil` when it is new to the package.
    ///   - states: What is known of the base and of other runs of the same tree.
    init(_ file: FileCoverage?, change: FileChange?, basePath: String?, states: BaseStates) {
        var base = basePath.flatMap { states.base($0) } ?? LineTable()
        let unstableBase = basePath.flatMap { states.unstableBase($0) } ?? LineTable()
        let others = file.flatMap { states.others($0.path) } ?? LineTable()
        let debt = states.debt(change?.moved ?? [])
        var exposed = (change?.exposed ?? [])[...]
        var changes = (change?.changes ?? [])[...]
        var offset = 0
        for entry in file?.lines ?? [] {
            let line = Int(entry.line)
            let isCovered = entry.count.isCovered
            while let next = changes.first, next.head.upperBound <= line {
                offset += next.base.count - next.head.count
                changes.removeFirst()
            }
            // A file that was moved into the package from outside of it has no changed lines of its own.
            let isNew = basePath == nil || changes.first?.head.contains(line) ?? false
            let isUnstable = others.contradicts(isCovered, line)
            if isUnstable { unstable.append(line) }
            if isNew {
                if isCovered {
                    classes[.gainedNew, default: 0] += 1
                } else if debt.contains(line) {
                    classes[.uncoveredBaseline, default: 0] += 1
                    movedDebt.append(line)
                } else {
                    classes[.uncoveredNew, default: 0] += 1
                    uncoveredNew.append(line)
                }
                continue
            }
            while let next = exposed.first, next.upperBound <= line { exposed.removeFirst() }
            let before = states.knowsBase ? base.take(line + offset) : nil
            // What was no code at the base, and is some now, comes in like an added line.
            if before == nil, states.knowsLines || exposed.first?.contains(line) == true {
                classes[isCovered ? .gainedIncluded : .uncoveredIncluded, default: 0] += 1
                if isCovered { coveredIncluded += 1 } else { uncoveredNew.append(line) }
                continue
            }
            guard states.knowsBase else { continue }
            guard !isUnstable, unstableBase[line + offset] == nil else {
                if !isUnstable { unstable.append(line) }
                unstableTally = unstableTally + CoverageTally(covered: isCovered ? 1 : 0, total: 1)
                continue
            }
            let found: LineClass =
                switch (before, isCovered) {
                case (nil, false): .uncoveredIncluded
                case (nil, true): .gainedIncluded
                case (false?, false): .uncoveredBaseline
                case (false?, true): .gainedBaseline
                case (true?, false): .lostBaseline
                case (true?, true): .coveredBaseline
                }
            classes[found, default: 0] += 1
            if found == .lostBaseline { lost.append(line) }
            if found == .gainedBaseline { gained.append(line) }
        }
        countRest(of: base, change: change, isGone: file == nil)
    }

    /// Classes what is left of the base: it is gone, or no longer executable.
    private mutating func countRest(of base: LineTable, change: FileChange?, isGone: Bool) {
        let removed = (change?.changes ?? []).map(\.base)
        var next = removed.startIndex
        for (line, wasCovered) in base.all {
            while next < removed.endIndex, removed[next].upperBound <= line { next += 1 }
            let isRemoved = isGone || (next < removed.endIndex && removed[next].contains(line))
            let found: LineClass =
                switch (isRemoved, wasCovered) {
                case (true, true): .deletedCovered
                case (true, false): .deletedUncovered
                case (false, true): .excludedCovered
                case (false, false): .excludedUncovered
                }
            classes[found, default: 0] += 1
        }
    }
}
