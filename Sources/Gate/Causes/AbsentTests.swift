package import RunModel

/// Of which tests a full run says that there are none: those of their target that a library ran.
private struct RunPart: Hashable {
    let module: Name
    let library: TestingLibrary

    init(_ test: TestResult) { (module, library) = (Name(test.id.module), test.library) }
}

extension [TestResult] {
    /// Those of these tests that the tree of a full run does not have.
    ///
    /// Of a target of which the run executed no test of the same library nothing is known; a test of the same name in another file may be
    /// this one.
    ///
    /// - Parameter found: The results of the run, at least all of the targets of these tests.
    package func absent(from found: [TestResult]) -> [TestID] {
        let executed = Set(found.filter(\.outcome.wasExecuted).map { RunPart($0) })
        let names = Set(found.map(\.id.withoutDiscriminator))
        return filter { executed.contains(RunPart($0)) && !names.contains($0.id.withoutDiscriminator) }.map(\.id)
    }
}
