import RunModel

extension TestMap {
    /// Failed tests that execute none of the changed functions, ascending: what broke them was hardly this change.
    ///
    /// Only tests that were recorded are among them, and none that is declared in a changed file. There are none where code outside of
    /// tests executes a changed function, such as what a class sets up for all of its tests: nobody knows which tests need it.
    ///
    /// - Parameters:
    ///   - failures: The tests that failed.
    ///   - changes: How files differ from the base.
    func unrelated(among failures: [TestResult], to changes: [FileChange]) -> [TestID] {
        let changed = changes.filter { !$0.changes.isEmpty }
        guard !changed.isEmpty, !failures.isEmpty else { return [] }
        let paths = Set(changed.compactMap(\.path).map { Name($0) })
        var related: Set<Int> = []
        let files = Dictionary(self.files.map { (Name($0.path), $0) }) { first, _ in first }
        let positions = Dictionary(tests.enumerated().map { ($1, $0) }) { first, _ in first }
        for change in changed {
            guard let path = change.path, let file = files[Name(path)] else { continue }
            for function in file.functions where change.touches(function.lines) {
                related.insert(function.set)
            }
        }
        guard !related.contains(where: { sets[$0].hasOthers }) else { return [] }
        let executing = Set(related.flatMap { sets[$0].tests })
        return failures.filter { failure in
            guard let position = positions[failure.id] else { return false }
            if let place = failure.location, paths.contains(Name(place.path)) { return false }
            return !executing.contains(Int32(position))
        }.map(\.id).sorted()
    }
}
