import Foundation
import Gate
import RunModel
import TestSupport
import Testing

@testable import Storage

/// How many results of tests one question unpacks.
@Suite struct ResultBudgetTests {
    private let project = SampleRuns.passing().project
    private let test = SampleRuns.passing().tests[0].id

    /// A run of three tests that answers for its tree, or of a laptop.
    private static func run(_ number: Int, isLaptop: Bool = false) -> TestRun {
        var run = SampleRuns.passing(number)
        guard isLaptop else { return run }
        run.delivery = DeliveryRecord(
            token: "laptop-3", isAttested: false, receivedAt: SampleRuns.moment, address: nil)
        return run
    }

    @Test func `the first run is taken whatever it has, and others as long as there is room`() {
        var budget = ResultBudget(5)
        let taken = [9, 1, 0].map { budget.take($0) }
        #expect(taken == [true, false, true])
        var other = ResultBudget(5)
        let some = [2, 2, 2, 1].map { other.take($0) }
        #expect(some == [true, true, false, true])
        var exact = ResultBudget.exact(runs: 2)
        let runs = [20_000, 20_000, 1].map { exact.take($0) }
        #expect(runs == [true, true, false])
    }

    @Test func `a test is followed over as many runs as have few enough tests, each kind by itself`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        for number in 1...3 { try store.ingest(Self.run(number)) }
        for number in 4...7 { try store.ingest(Self.run(number, isLaptop: true)) }
        func found(_ exact: Int, _ others: Int) throws -> [RunID] {
            try store.history(
                of: test, project: project, runs: 9, exact: ResultBudget(exact), others: ResultBudget(others)
            ).map(\.run)
        }
        func ids(_ numbers: [Int]) -> [RunID] { numbers.map { SampleRuns.id($0) } }
        #expect(try found(99, 99) == ids([7, 6, 5, 4, 3, 2, 1]))
        #expect(try found(99, 6) == ids([7, 6, 3, 2, 1]))
        #expect(try found(6, 5) == ids([7, 3, 2]))
        #expect(try found(0, 0) == ids([7, 3]))
    }

    @Test func `what a test did over months begins with the oldest run that was looked at`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        for number in 1...3 { try store.ingest(Self.run(number)) }
        func found(_ exact: Int) throws -> FlakeHistory? {
            try store.flakeHistory(
                of: test, project: project, since: .distantPast, runs: 9, exact: ResultBudget(exact),
                others: ResultBudget(9))
        }
        let whole = try found(9)
        #expect(whole?.runs == 3 && whole?.since == .distantPast)
        let cut = try found(8)
        #expect(cut?.runs == 2 && cut?.since == Self.run(2).startedAt)
    }

    @Test func `lists of tests are kept only as long as there is room for them`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        let counts = [3, 2, 1]
        for (number, count) in counts.enumerated() {
            var run = Self.run(number + 1)
            run.tests.removeLast(3 - count)
            try store.ingest(run)
        }
        let kept = try store.read { connection -> [Int] in
            let rows = try connection.statement(.latestFullRuns).all(1, 9) { $0.integer(0) }
            let reading = ResultReading(connection, mostKept: 3)
            return try rows.reversed().map { row in
                _ = try reading.results(row)
                return reading.kept
            }
        }
        #expect(kept == [3, 2, 3])
        let none = try store.read { connection -> Int in
            let rows = try connection.statement(.latestFullRuns).all(1, 9) { $0.integer(0) }
            let reading = ResultReading(connection, mostKept: 0)
            for row in rows { _ = try reading.results(row) }
            return reading.kept
        }
        #expect(none == 0)
    }
}
