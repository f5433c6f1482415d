import RunModel
import TestResults

extension RunExecution {
    /// Decides which tests are left out because they execute none of the changed functions, and notes it.
    ///
    /// No test is left out where anything besides files differs from the run with the per-test coverage. One test that is not unsteady always
    /// stays: a run of nothing shows nothing.
    mutating func deselect(in discovered: DiscoveredTests?, toolchain: Toolchain) -> Set<TestID> {
        guard let deselected = request.tests.deselected, let discovered else { return [] }
        if let difference = deselected.difference(from: toolchain, inputs(toolchain)) {
            progress(
                .chose("all tests: run \(deselected.run.short), which has the per-test coverage, had \(difference)"))
            return []
        }
        var left = Set(discovered.entries.lazy.map(\.id).filter(deselected.tests.contains))
        let isWhole = left.count == deselected.tests.count
        // What was skipped the last time may be skipped again.
        let isNothingSure = discovered.entries.allSatisfy {
            left.contains($0.id) || deselected.unsteady.contains($0.id)
        }
        if isNothingSure, let first = discovered.entries.first(where: { left.contains($0.id) }) {
            left.remove(first.id)
        }
        guard !left.isEmpty else {
            progress(.chose("all tests: \(deselected.reason ?? "none can be left out")"))
            return []
        }
        let all = discovered.entries.count
        selection.mappedBy = deselected.run
        isEstimated = isWhole && request.tests.deselectedLines != nil
        measuresCoverage = isEstimated
        let words = "\(all - left.count) of \(all) tests, by the per-test coverage of run \(deselected.run.short)"
        progress(.chose(deselected.reason.map { "\(words); \($0)" } ?? words))
        notes.append(
            Note(
                .testsDeselected,
                detail:
                    "\(left.count) of \(all) tests were not run: they execute none of the functions that changed since run "
                    + deselected.run.short))
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
