public import RunModel

/// What is known of why tests of a run failed: causes where somebody looked for them, else what stored runs say.
public struct FailureExplanation: Sendable, Hashable {
    /// The causes; `nil` where nobody looked.
    public let causes: FailureCauses?
    /// What stored runs say, in the order of the run.
    public let origins: [FailureOrigin]
    /// Tests that failed for one reason, the largest group first; empty where the run is not at hand.
    public let groups: [FailureGroup]
    private let causesByTest: [TestID: FailureCause]
    private let originsByTest: [TestID: FailureOrigin.Kind]

    /// Takes what a verdict knows.
    ///
    /// - Parameter run: The run, to group its failures.
    public init(_ verdict: Verdict, of run: TestRun? = nil) {
        causes = verdict.causes
        origins = verdict.failureOrigins
        groups = run.map { FailureGroup.all(in: $0) } ?? []
        causesByTest = verdict.causes?.byTest ?? [:]
        originsByTest = verdict.originsByTest
    }

    /// Why a test failed; `nil` where nobody looked.
    public func cause(of test: TestID) -> FailureCause? { causesByTest[test] }

    /// What stored runs say of a failed test; `nil` for one behind the first `FailureOrigin.most`.
    public func origin(of test: TestID) -> FailureOrigin.Kind? { originsByTest[test] }

    /// Since when a test fails on the base, as far as stored runs know.
    public func redSince(_ test: TestID) -> FailureOrigin.FirstFailure? {
        if case .redOnBase(let since) = originsByTest[test] { since } else { nil }
    }
}
