import Synchronization

/// The state that answers were last seen to be made of, for as long as a handful of requests take.
///
/// Asking for it costs as much as half of an answer that is kept: a turn of the database, its locks, and the times of files.
final class StateCache: Sendable {
    private struct Sight {
        let state: AnswerCache.State
        let moment: ContinuousClock.Instant
    }

    private let age: Duration
    private let last = Mutex<Sight?>(nil)

    /// - Parameter age: How old a state may be that is taken for the one of now; zero remembers nothing.
    init(age: Duration) { self.age = age }

    /// The state that was seen last, unless that is too long ago.
    func state(at moment: ContinuousClock.Instant) -> AnswerCache.State? {
        last.withLock { last in last.flatMap { moment - $0.moment < age ? $0.state : nil } }
    }

    /// Remembers a state.
    ///
    /// - Parameter moment: When it began to be asked for.
    func see(_ state: AnswerCache.State, at moment: ContinuousClock.Instant) {
        last.withLock { last in
            if last.map({ $0.moment < moment }) ?? true { last = Sight(state: state, moment: moment) }
        }
    }
}
