import Evidence
import RunModel

extension RunExecution {
    /// Decides which tests are left out because they execute none of the changed functions, and notes it.
    ///
    /// With another toolchain than that of the test map none is. One test always stays: a run of nothing shows nothing.
    mutating func spare(in discovered: DiscoveredTests?, toolchain: Toolchain) -> Set<TestID> {
        guard let spared = request.tests.spared, let discovered else { return [] }
        guard spared.toolchain == toolchain else {
            progress(.chose("all tests: those of run \(spared.run.short) ran with another toolchain"))
            return []
        }
        var left = Set(discovered.entries.lazy.map(\.id).filter(spared.tests.contains))
        guard !left.isEmpty else {
            progress(.chose("all tests: \(spared.reason ?? "each may execute what changed")"))
            return []
        }
        let all = discovered.entries.count
        if left.count == all, let first = discovered.entries.first { left.remove(first.id) }
        selection.mappedBy = spared.run
        measuresCoverage = false
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
}
