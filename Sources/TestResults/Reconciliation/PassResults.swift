public import Evidence
public import RunModel

/// How the tests of one pass ended, for whoever repeats tests and keeps nothing of their evidence.
public struct PassResults: Sendable, Hashable {
    /// The tests that came to an end of their own, were skipped, or ended their process; ordered by identity.
    ///
    /// Tests that another one took along are not among them, nor those of which nobody knows which of them crashed.
    public let ended: [TestResult]

    /// Reads the evidence of a pass in an unfinished run directory.
    ///
    /// - Parameter manifest: The manifest so far; only its pass at `number` is read.
    public init(of number: Int, manifest: RunManifest, in directory: RunDirectory) throws(EvidenceError) {
        let reconciliation = try Reconciliation(ofPass: number, manifest, in: directory)
        let open = Set(reconciliation.bystanders + reconciliation.suspects + reconciliation.notRun)
        ended = reconciliation.tests.filter { !open.contains($0.id) }
    }
}

extension Reconciliation {
    /// What the reports of one pass of an unfinished run say together.
    init(ofPass number: Int, _ manifest: RunManifest, in directory: RunDirectory) throws(EvidenceError) {
        let passes = manifest.passesInOrder
        let evidence = try RunEvidence(directory, manifest)
        self.init(try evidence.reading(passes[number], in: directory))
        run()
    }
}
