public import RunModel

/// A slow test, for programs.
public struct SlowForm: Sendable, Hashable, Codable {
    let test: TestForm
    let latestNanoseconds: Int64
    let medianNanoseconds: Int64
    let longestNanoseconds: Int64
    /// In how many runs its duration is known.
    let runs: Int
    let tags: [String]
    /// Who owns it; empty if nobody is known.
    let owners: [String]

    /// Makes the form of a test.
    ///
    /// - Parameters:
    ///   - named: What it is called for readers, with its tags; `nil` if the store does not know it.
    ///   - owners: Who owns it; `nil` if nobody is known.
    public init(_ entry: SlowTest, _ named: NamedTest?, _ owners: [String]?) {
        test = TestForm(entry.id, title: named?.title)
        latestNanoseconds = entry.latest.nanosecondCount
        medianNanoseconds = entry.median.nanosecondCount
        longestNanoseconds = entry.longest.nanosecondCount
        runs = entry.runs
        tags = named?.tags ?? []
        self.owners = owners ?? []
    }
}
