public import Evidence
public import RunModel

/// The tests that a pass left open, so that the runner knows what to run again.
public struct PassReport: Sendable, Hashable {
    /// Tests that were ended by something else.
    public let unfinished: [TestID]
    /// Tests of which one crashed the process, but it is unknown which.
    public let suspects: [TestID]
    /// Tests that failed with an issue, without ending their process.
    public let failed: [TestID]
    /// Tests that crashed or took too long.
    public let ended: [TestID]
    /// How many tests completed or ended their process.
    public let settled: Int

    package init(
        unfinished: [TestID] = [], suspects: [TestID] = [], failed: [TestID] = [], ended: [TestID] = [],
        settled: Int
    ) {
        self.unfinished = unfinished
        self.suspects = suspects
        self.failed = failed
        self.ended = ended
        self.settled = settled
    }

    /// Reads the evidence of a pass in an unfinished run directory.
    ///
    /// - Parameter manifest: The manifest so far; only its pass at `number` is read.
    public init(
        of number: Int,
        manifest: RunManifest,
        in directory: RunDirectory
    ) throws(EvidenceError) {
        let reconciliation = try Reconciliation(ofPass: number, manifest, in: directory)
        let bystanders = Set(reconciliation.bystanders + reconciliation.notRun)
        suspects = reconciliation.suspects
        unfinished = reconciliation.tests.map(\.id).filter(bystanders.contains)
        failed = reconciliation.tests.filter { $0.outcome == .failed }.map(\.id)
        ended = reconciliation.tests.filter { [.crashed, .timedOut].contains($0.outcome) }.map(\.id)
        settled = reconciliation.tests.count - suspects.count - unfinished.count
    }
}
