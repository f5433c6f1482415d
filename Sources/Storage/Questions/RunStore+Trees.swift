public import Foundation
public import Gate
public import RunModel

/// A run as a list shows it, with its verdict.
public struct JudgedRun: Sendable, Hashable {
    /// The run.
    public var summary: RunSummary
    /// The verdict.
    public var verdict: Verdict
}

extension RunStore {
    /// The newest run that answers for a tree: a full run without gaps, with the same inputs, and not too old.
    ///
    /// A failed build does not answer: what it needed from the network may be available now.
    public func reusableRun(
        ofTree tree: String, project: String, inputs: RunInputs, since: Date
    ) throws(StorageError) -> JudgedRun? {
        guard inputs.isWhole else { return nil }
        return try read { connection in
            guard let project = try connection.project(project) else { return nil }
            let body = Bytes(try StoredJSON.encode(inputs))
            let id = try connection.statement(.reusableRun)
                .first(tree, project, since.nanosecondsSince1970 ?? .min, body) { try $0.runID(0) }
            return try id.flatMap { try connection.judgedRun($0) }
        }
    }

    /// The runs of one tree, the newest first.
    ///
    /// - Parameter project: Runs of this project only; of all when `nil`.
    public func runs(ofTree tree: String, project: String?, limit: Int) throws(StorageError) -> [RunSummary] {
        try read { connection in
            guard let project else {
                return try connection.statement(.summariesOfTreeAnywhere).all(tree, limit, row: RunSummary.init)
            }
            guard let project = try connection.project(project) else { return [] }
            return try connection.statement(.summariesOfTree).all(tree, project, limit, row: RunSummary.init)
        }
    }

    /// One run and its verdict, without tests and coverage; `nil` if there is none with this id.
    public func judgedRun(_ id: RunID) throws(StorageError) -> JudgedRun? {
        try read { connection in try connection.judgedRun(id) }
    }
}

extension Connection {
    fileprivate func judgedRun(_ id: RunID) throws -> JudgedRun? {
        guard let summary = try statement(.summary).first(id.description, row: RunSummary.init),
            let key = try statement(.runKey).first(id.description, row: { $0.integer(0) })
        else { return nil }
        return JudgedRun(summary: summary, verdict: try VerdictStorage(self).verdict(key))
    }
}
