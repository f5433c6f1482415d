import Dashboard
import Foundation

/// Answers that take long to find, cached for some seconds. Whoever asks for the same at the same time gets the same answer.
actor CoalescingCache<Key: Hashable & Sendable, Value: Sendable> {
    private struct Answer {
        let moment: Date
        let task: Task<Value, any Error>
    }

    private let age: TimeInterval
    private let most: Int
    private let isSerial: Bool
    private var answers: [Key: Answer] = [:]
    private var last: Task<Value, any Error>?

    /// - Parameters:
    ///   - age: How long an answer is cached, in seconds.
    ///   - most: How many answers are cached.
    ///   - isSerial: Whether only one is looked for at a time, so that readers of many pages do not start many processes.
    init(age: TimeInterval, most: Int, isSerial: Bool = false) {
        (self.age, self.most, self.isSerial) = (age, most, isSerial)
    }

    /// The cached answer, or the one that `search` finds.
    func find(_ key: Key, now: Date, _ search: @escaping @Sendable () async throws -> Value) async throws -> Value {
        if let answer = answers[key], now.timeIntervalSince(answer.moment) < age {
            return try await answer.task.value
        }
        if answers.count >= most { answers = [:] }
        let previous = isSerial ? last : nil
        // Detached, as it is for all who ask: that the first of them has gone ends no search for the others.
        let task = Task.detached(executorPreference: WorkThreads.current) {
            _ = await previous?.result
            return try await search()
        }
        last = task
        answers[key] = Answer(moment: now, task: task)
        return try await task.value
    }
}
