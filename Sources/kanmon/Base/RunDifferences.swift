import Foundation
import Gate
import RunModel
import Storage

/// Finds the lines that changed between stored runs, in the repositories of earlier runs.
///
/// One pair is compared at a time, so that readers of many pages do not start many processes, and the latest results are cached
/// for some seconds.
actor RunDifferences {
    private struct Pair: Hashable {
        let before: RunID
        let after: RunID
    }

    private struct Answer {
        let moment: Date
        let task: Task<ChangeStatus?, any Error>
    }

    private let store: RunStore
    private let surroundings: Surroundings
    private let age: TimeInterval
    private var answers: [Pair: Answer] = [:]
    private var last: Task<ChangeStatus?, any Error>?

    /// How many results are cached.
    private static let mostAnswers = 20

    /// - Parameter age: How long a result is cached, in seconds.
    init(_ store: RunStore, surroundings: Surroundings, age: TimeInterval = 60) {
        self.store = store
        self.surroundings = surroundings
        self.age = age
    }

    /// How the later run covers the lines that changed since the earlier one; `nil` where no repository of the project has the files
    /// of both.
    func status(of after: RunID, since before: RunID, project: String) async throws -> ChangeStatus? {
        let pair = Pair(before: before, after: after)
        let now = surroundings.now
        if let answer = answers[pair], now.timeIntervalSince(answer.moment) < age {
            return try await answer.task.value
        }
        if answers.count >= Self.mostAnswers { answers = [:] }
        let previous = last
        let task = Task {
            _ = await previous?.result
            return try await find(pair, project)
        }
        last = task
        answers[pair] = Answer(moment: now, task: task)
        return try await task.value
    }

    private nonisolated func find(_ pair: Pair, _ project: String) async throws -> ChangeStatus? {
        guard let clone = try await ProjectClone(store, surroundings: surroundings).find(project) else { return nil }
        return try await RunDifference(surroundings: surroundings, packagePath: clone.package)
            .status(of: pair.after, since: pair.before, in: store)
    }
}
