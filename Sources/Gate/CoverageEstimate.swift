public import RunModel

/// What all tests together would have covered, where a run left out the tests that a change cannot break.
///
/// It is an estimate for people: no floor, no rule and no status depends on it.
public struct CoverageEstimate: Sendable, Hashable, Codable {
    /// The lines of one module.
    public struct Module: Sendable, Hashable, Codable {
        /// The module's manifest name.
        public var name: String
        /// Distinct lines.
        public var lines: CoverageTally

        package init(name: String, lines: CoverageTally) { (self.name, self.lines) = (name, lines) }
    }

    /// The run that says what the tests execute that were left out.
    public var base: RunID
    /// How many tests were executed.
    public var executed: Int
    /// How many tests need not run; what they execute is taken from the other run.
    public var deselected: Int
    /// Every module that is measured, in the order of the package.
    public var modules: [Module]

    /// The lines of all modules.
    public var lines: CoverageTally { modules.reduce(CoverageTally()) { $0 + $1.lines } }

    package init(base: RunID, executed: Int, deselected: Int, modules: [Module]) {
        self.base = base
        self.executed = executed
        self.deselected = deselected
        self.modules = modules
    }

    /// Estimates; `nil` where the run lacks anything, left out tests for another reason too, or has a line of which nobody knows
    /// whether it would be executed.
    init?(of run: TestRun, _ measured: [MeasuredModule], with deselected: DeselectedLines) {
        let asked = Selection(disabledTargets: run.selection.disabledTargets, mappedBy: deselected.run)
        guard run.selection == asked, run.coverage != nil, !run.buildFailed, run.gaps.isEmpty else { return nil }
        let known = Dictionary(deselected.files.map { (Name($0.path), $0) }) { first, _ in first }
        var modules: [Module] = []
        for module in measured where module.notMeasurable == nil {
            var lines = CoverageTally()
            for file in module.files {
                guard let tally = file.lineTally(with: known[Name(file.path)]) else { return nil }
                lines = lines + tally
            }
            modules.append(Module(name: module.module.name, lines: lines))
        }
        guard modules.contains(where: { $0.lines.total > 0 }) else { return nil }
        self.init(base: deselected.run, executed: run.outcomes.executed, deselected: deselected.tests, modules: modules)
    }
}

extension FileCoverage {
    /// Its lines with those that other tests execute; `nil` if that is doubtful for any.
    fileprivate func lineTally(with deselected: DeselectedLines.File?) -> CoverageTally? {
        var tally = lineTally
        guard let deselected else { return tally }
        var (lines, doubtful) = (deselected.lines[...], deselected.doubtful[...])
        for entry in self.lines where !entry.count.isCovered {
            if lines.takes(Int(entry.line)) {
                tally.covered += 1
            } else if doubtful.takes(Int(entry.line)) {
                return nil
            }
        }
        return tally
    }
}

extension ArraySlice<ClosedRange<Int>> {
    /// Whether a line is in one of the ranges; lines are requested in ascending order.
    fileprivate mutating func takes(_ line: Int) -> Bool {
        while let first, first.upperBound < line { removeFirst() }
        return first?.contains(line) ?? false
    }
}
