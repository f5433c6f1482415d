import RunModel
import Storage
import TestSupport
import Testing

@testable import Dashboard

/// Runs that a search finds by a hash or an id.
@Suite struct FoundRunsTests {
    /// What the ids of all sample runs begin with, too.
    private static let start = "019b"
    private static let commit = start + String(repeating: "0", count: 36)

    private let sample: SampleStore

    init() throws { sample = try SampleStore() }

    private func ingest(_ number: Int, of commit: String?, isLaptop: Bool) throws {
        var run = SampleRuns.passing(number)
        if let commit { run.revision?.commit = commit }
        if isLaptop {
            run.delivery = DeliveryRecord(
                token: "laptop-3", isAttested: false, receivedAt: SampleRuns.moment, address: nil)
        }
        try sample.ingest(run, keeping: nil)
    }

    private func found(_ text: String, _ limit: Int) throws -> [RunID] {
        try sample.store.find(text, in: .all, limit).map(\.id)
    }

    private func ids(_ numbers: [Int]) -> [RunID] { numbers.map { SampleRuns.id($0) } }

    @Test func `the run of a commit comes before runs with such an id, however many laptops deliver`() throws {
        try ingest(1, of: Self.commit, isLaptop: false)
        for number in 2...9 { try ingest(number, of: nil, isLaptop: true) }
        #expect(SampleRuns.id(1).description.hasPrefix(Self.start))
        #expect(try found(Self.start, 4) == ids([1, 9, 8, 7]))
        #expect(try found(Self.start, 9) == ids([1, 9, 8, 7, 6, 5, 4, 3, 2]))
        #expect(try found(SampleRuns.id(5).description, 4) == ids([5]))
    }

    @Test func `runs of a commit leave room for runs with such an id`() throws {
        for number in 1...8 { try ingest(number, of: Self.commit, isLaptop: true) }
        for number in 9...11 { try ingest(number, of: nil, isLaptop: false) }
        #expect(try found(Self.start, 8) == ids([8, 7, 6, 5, 4, 3, 11, 10]))
        #expect(try found(Self.start, 2) == ids([8, 7]))
    }
}
