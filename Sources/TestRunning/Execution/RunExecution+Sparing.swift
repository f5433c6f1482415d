import RunModel
import TestResults

extension RunExecution {
    /// Decides which tests are left out because they execute none of the changed functions, and notes it.
    ///
    /// No test is left out where anything besides files differs from the run of the test map. One test that is not unsteady always
    /// stays: a run of nothing shows nothing.
    mutating func spare(in discovered: DiscoveredTests?, toolchain: Toolchain) -> Set<TestID> {
        guard let spared = request.tests.spared, let discovered else { return [] }
        if let difference = spared.difference(from: toolchain, inputs(toolchain)) {
            progress(.chose("all tests: run \(spared.run.short), which has the test map, had \(difference)"))
            return []
        }
        var left = Set(discovered.entries.lazy.map(\.id).filter(spared.tests.contains))
        let isWhole = left.count == spared.tests.count
        // What was skipped the last time may be skipped again.
        let isNothingSure = discovered.entries.allSatisfy { left.contains($0.id) || spared.unsteady.contains($0.id) }
        if isNothingSure, let first = discovered.entries.first(where: { left.contains($0.id) }) {
            left.remove(first.id)
        }
        guard !left.isEmpty else {
            progress(.chose("all tests: \(spared.reason ?? "none can be left out")"))
            return []
        }
        let all = discovered.entries.count
        selection.mappedBy = spared.run
        isEstimated = isWhole && request.tests.sparedLines != nil
        measuresCoverage = isEstimated
        let words = "\(all - left.count) of \(all) tests, by the test map of run \(spared.run.short)"
        progress(.chose(spared.reason.map { "\(words); \($0)" } ?? words))
        notes.append(
            Note(
                .testsSpared,
                detail:
                    "\(left.count) of \(all) tests were not run: they execute none of the functions that changed since run "
                    + spared.run.short))
        return left
    }

    /// Forgets the coverage of a part of the tests where anything is wrong with it: nothing is judged by it, so that is no gap, and
    /// an estimate must not be wrong.
    mutating func giveUpDoubtfulEstimate(gapsBefore known: Int) throws(RunnerError) {
        guard gaps.count > known else { return }
        notes += gaps[known...].map { Note($0) }
        gaps.removeSubrange(known...)
        isEstimated = false
        export = nil
        try removeIfPresent(files.coverageExport)
        try removeIfPresent(files.functionNames)
    }
}
