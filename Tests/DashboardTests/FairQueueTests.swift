import Synchronization
import Testing

@testable import Dashboard

/// Who may work now, and what waits.
@Suite struct FairQueueTests {
    private static let places = FairQueue.Places(all: 1, ofOne: 1, waitingOfOne: 4, waiting: 6)

    /// What began, in its order.
    private final class Record: Sendable {
        private let names = Mutex<[String]>([])

        func add(_ name: String) { names.withLock { $0.append(name) } }
        var all: [String] { names.withLock { $0 } }
    }

    /// Asks for turns one after the other while the only place is taken, then gives it free.
    private func order(_ asked: [(name: String, project: String)]) async throws -> [String] {
        let turns = FairQueue(Self.places)
        let record = Record()
        var first: FairQueue.Turn? = try await turns.turn(of: "first")
        try await withThrowingTaskGroup { group in
            for (number, entry) in asked.enumerated() {
                group.addTask {
                    let turn = try await turns.turn(of: entry.name, in: entry.project)
                    record.add("\(entry.name)\(entry.project)")
                    withExtendedLifetime(turn) {}
                }
                while turns.waiting <= number { await Task.yield() }
            }
            withExtendedLifetime(first) {}
            first = nil
            try await group.waitForAll()
        }
        return record.all
    }

    @Test func `what waits as turns end is refused, and so is what comes then`() async throws {
        let turns = FairQueue(Self.places)
        let first = try await turns.turn(of: "a")
        await withTaskGroup { group in
            for name in ["a", "b", "b"] {
                group.addTask {
                    await #expect(throws: FairQueue.Refused.self) { _ = try await turns.turn(of: name) }
                }
            }
            while turns.waiting < 3 { await Task.yield() }
            turns.close()
        }
        #expect(turns.waiting == 0)
        await #expect(throws: FairQueue.Refused.self) { _ = try await turns.turn(of: "c") }
        withExtendedLifetime(first) {}
    }

    @Test func `one who asks for much waits behind others who ask later`() async throws {
        let order = try await order([("a", "x"), ("a", "x"), ("a", "x"), ("b", "x"), ("c", "x")])
        #expect(order == ["ax", "bx", "cx", "ax", "ax"])
    }

    @Test func `the projects of one take turns as well`() async throws {
        #expect(try await order([("a", "x"), ("a", "x"), ("a", "y")]) == ["ax", "ay", "ax"])
    }

    @Test func `what is too much of one is refused, and of the others taken`() async throws {
        let turns = FairQueue(Self.places)
        #expect(turns.isIdle)
        var first: FairQueue.Turn? = try await turns.turn(of: "first")
        #expect(!turns.isIdle)
        try await withThrowingTaskGroup { group in
            for number in 0..<4 {
                group.addTask { _ = try await turns.turn(of: "a") }
                while turns.waiting <= number { await Task.yield() }
            }
            await #expect(throws: FairQueue.Refused(isOfOne: true)) { try await turns.turn(of: "a") }
            for number in 4..<6 {
                group.addTask { _ = try await turns.turn(of: "b") }
                while turns.waiting <= number { await Task.yield() }
            }
            await #expect(throws: FairQueue.Refused(isOfOne: false)) { try await turns.turn(of: "c") }
            withExtendedLifetime(first) {}
            first = nil
            try await group.waitForAll()
        }
        #expect(turns.waiting == 0 && turns.isIdle)
    }

    @Test func `of one who works already nothing else begins, and of another it does`() async throws {
        let turns = FairQueue(FairQueue.Places(all: 2, ofOne: 1, waitingOfOne: 4, waiting: 6))
        let record = Record()
        var first: FairQueue.Turn? = try await turns.turn(of: "a")
        try await withThrowingTaskGroup { group in
            group.addTask {
                _ = try await turns.turn(of: "a")
                record.add("a")
            }
            while turns.waiting < 1 { await Task.yield() }
            _ = try await turns.turn(of: "b")
            record.add("b")
            withExtendedLifetime(first) {}
            first = nil
            try await group.waitForAll()
        }
        #expect(record.all == ["b", "a"])
    }
}
