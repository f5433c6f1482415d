public import RunModel

/// What one pass of a run that still goes on left open, so that its runner knows what to run again.
public struct PassReport: Sendable, Hashable {
    /// Tests that did not come to an end of their own and are not to blame for it.
    public let unfinished: [TestID]
    /// Tests of which one crashed the process, and nothing tells which.
    public let suspects: [TestID]
    /// Tests that failed by what they recorded, and not by taking their process along.
    public let failed: [TestID]
    /// How many tests came to an end or are to blame for theirs.
    public let settled: Int

    /// Makes a report from its parts.
    public init(unfinished: [TestID] = [], suspects: [TestID] = [], failed: [TestID] = [], settled: Int) {
        self.unfinished = unfinished
        self.suspects = suspects
        self.failed = failed
        self.settled = settled
    }

    /// Reads the evidence of a pass out of an unfinished run directory.
    ///
    /// - Parameter manifest: What is known so far; of its passes only the one at `number` is read.
    public init(
        of number: Int,
        manifest: RunManifest,
        in directory: RunDirectory
    ) throws(EvidenceError) {
        let passes = manifest.passesInOrder
        let evidence = try RunEvidence(directory, manifest)
        var reconciliation = Reconciliation(try evidence.reading(passes[number], in: directory))
        reconciliation.run()
        let bystanders = Set(reconciliation.bystanders + reconciliation.notRun)
        suspects = reconciliation.suspects
        unfinished = reconciliation.tests.map(\.id).filter(bystanders.contains)
        failed = reconciliation.tests.filter { $0.outcome == .failed }.map(\.id)
        settled = reconciliation.tests.count - suspects.count - unfinished.count
    }
}
