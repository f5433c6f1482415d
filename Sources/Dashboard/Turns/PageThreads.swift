/// Makes pages and data, or answers questions, on threads of its own, because reading the store blocks a thread.
final class PageThreads: Sendable {
    /// The threads; reading a piece of a file needs no turn.
    let threads: WorkThreads
    private let turns: FairQueue

    /// - Parameters:
    ///   - label: What debuggers call the threads.
    ///   - most: What is made at a time.
    ///   - mostOfOne: How much of that for one reader.
    init(_ label: String, most: Int = 4, mostOfOne: Int = 2) {
        threads = WorkThreads(label, most)
        turns = FairQueue(FairQueue.Places(all: most, ofOne: mostOfOne, waitingOfOne: 64, waiting: 512))
    }

    /// How much waits for its turn.
    var waiting: Int { turns.waiting }

    /// Makes an answer when it is the reader's turn.
    ///
    /// - Throws: `Refusal.crowded` if too much is waiting; what making it throws.
    func make<Value: Sendable>(for reader: String, _ body: @Sendable () async throws -> Value) async throws -> Value {
        let turn: FairQueue.Turn
        do throws(FairQueue.Refused) {
            turn = try await turns.turn(of: reader)
        } catch {
            throw Refusal.crowded
        }
        defer { withExtendedLifetime(turn) {} }
        return try await threads.run(body)
    }
}
