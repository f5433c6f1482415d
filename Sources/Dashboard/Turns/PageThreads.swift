/// Makes pages and data, or answers questions, on threads of its own, because reading the store blocks a thread.
final class PageThreads: Sendable {
    /// What is made at a time, and how much of it for one reader.
    private static let places = FairTurns.Places(all: 4, ofOne: 2, waitingOfOne: 64, waiting: 512)

    /// The threads; reading a piece of a file needs no turn.
    let threads: WorkThreads
    private let turns = FairTurns(PageThreads.places)

    /// - Parameter label: What debuggers call the threads.
    init(_ label: String) { threads = WorkThreads(label, Self.places.all) }

    /// Makes an answer when it is the reader's turn.
    ///
    /// - Throws: `Refusal.crowded` if too much is waiting; what making it throws.
    func make<Value: Sendable>(for reader: String, _ body: @Sendable () async throws -> Value) async throws -> Value {
        let turn: FairTurns.Turn
        do throws(FairTurns.Refused) {
            turn = try await turns.turn(of: reader)
        } catch {
            throw Refusal.crowded
        }
        defer { withExtendedLifetime(turn) {} }
        return try await threads.run(body)
    }
}
