package import Foundation
package import Gate
package import RunModel
package import Storage

/// Finds the lines that changed between stored runs, in the repositories of earlier runs.
///
/// One pair is compared at a time, so that readers of many pages do not start many processes, and the latest results are cached
/// for some seconds.
package struct RunDifferences: Sendable {
    private struct Pair: Hashable {
        let before: RunID
        let after: RunID
    }

    private let store: RunStore
    private let process: ProcessContext
    private let answers: CoalescingCache<Pair, ChangeStatus?>

    /// - Parameter age: How long a result is cached, in seconds.
    package init(_ store: RunStore, process: ProcessContext, age: TimeInterval = 60) {
        self.store = store
        self.process = process
        answers = CoalescingCache(age: age, most: 20, isSerial: true)
    }

    /// How the later run covers the lines that changed since the earlier one; `nil` where no repository of the project has the files
    /// of both.
    package func status(of after: RunID, since before: RunID, project: String) async throws -> ChangeStatus? {
        let pair = Pair(before: before, after: after)
        return try await answers.find(pair, now: process.now) { try await find(pair, project) }
    }

    private func find(_ pair: Pair, _ project: String) async throws -> ChangeStatus? {
        guard let clone = try await ProjectClone(store, process: process).find(project) else { return nil }
        return try await RunDifference(process: process, packagePath: clone.package)
            .status(of: pair.after, since: pair.before, in: store)
    }
}
