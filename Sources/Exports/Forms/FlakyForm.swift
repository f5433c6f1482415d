public import Gate
public import RunModel

/// A flaky or a broken test as lists have it, for programs.
public struct FlakyForm: Sendable, Hashable, Codable {
    let test: TestForm
    /// `flaky` or `broken`.
    let kind: String
    /// How often an attempt fails; of a broken test how often one did before it broke.
    let rate: RateForm
    /// The first run since which it fails in every run of the default branch; left out if it is not broken.
    let brokenSince: String?
    let disagreements: Int
    let flips: Int
    let failures: Int
    let recoveries: Int
    let executions: Int
    /// The last run in which an attempt failed.
    let lastFailure: String?
    let tags: [String]
    /// Its entry of the quarantine in the latest full run; left out without one.
    let quarantine: QuarantineForm?
    /// Who owns it; empty if nobody is known.
    let owners: [String]

    /// Makes the form of a test.
    ///
    /// - Parameters:
    ///   - named: What it is called for readers, with its tags; `nil` if the store does not know it.
    ///   - status: Its entry of the quarantine; `nil` without one.
    ///   - owners: Who owns it; `nil` if nobody is known.
    public init(_ entry: FlakyTest, _ named: NamedTest?, _ status: QuarantineStatus?, _ owners: [String]?) {
        test = TestForm(entry.id, title: named?.title)
        kind = entry.kind.rawValue
        rate = RateForm(entry.rate)
        brokenSince = entry.breakage?.since.description
        disagreements = entry.disagreements
        flips = entry.flips
        failures = entry.failures
        recoveries = entry.recoveries
        executions = entry.executions
        lastFailure = entry.lastFailure?.description
        tags = named?.tags ?? []
        quarantine = status.map { QuarantineForm($0) }
        self.owners = owners ?? []
    }
}
