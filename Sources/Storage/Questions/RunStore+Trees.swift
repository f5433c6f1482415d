public import Foundation
public import Gate
public import RunModel

extension RunStore {
    /// The newest run that answers for a tree: a full run without gaps, with the same inputs, and not too old.
    ///
    /// A failed build does not answer: what it needed from the network may be available now.
    ///
    /// - Parameters:
    ///   - since: When it must have begun at the earliest.
    ///   - latest: When it must have begun at the latest: of one that is still to come nobody knows how old it is.
    public func reusableRun(
        ofTree tree: String, project: String, inputs: RunInputs, since: Date, until latest: Date
    ) throws(StorageError) -> RunSummary? {
        guard inputs.isWhole else { return nil }
        return try read { connection in
            guard let project = try connection.project(project) else { return nil }
            let body = Bytes(try StoredJSON.encode(inputs))
            let id = try connection.statement(.reusableRun)
                .first(
                    tree, project, since.nanosecondsSince1970 ?? .min, body, latest.nanosecondsSince1970 ?? .min
                ) { try $0.runID(0) }
            return try id.flatMap { try connection.summary(of: $0) }
        }
    }

    /// The runs of one tree, the newest first.
    ///
    /// - Parameters:
    ///   - folder: Only runs of the package in this folder of the tree, empty for its top; of all when `nil`. A run of an
    ///     unknown folder is of none.
    ///   - project: Runs of this project only; of all when `nil`.
    public func runs(
        ofTree tree: String, at folder: String?, project: String?, limit: Int
    ) throws(StorageError) -> [RunSummary] {
        try read { connection in
            let folder = folder.map { Bytes($0) }
            guard let project else {
                return try connection.statement(.summariesOfTreeAnywhere).all(
                    tree, limit, folder, row: RunSummary.init)
            }
            guard let project = try connection.project(project) else { return [] }
            return try connection.statement(.summariesOfTree).all(
                tree, project, limit, folder, row: RunSummary.init)
        }
    }

    /// The full runs of a tree that may answer for it on another machine, the newest first: those that are trusted, and those
    /// that one token delivered.
    ///
    /// - Parameter folder: That of the package in the tree, empty for its top.
    public func fullRuns(
        ofTree tree: String, at folder: String, project: String, deliveredBy token: String, limit: Int = 50
    ) throws(StorageError) -> [TreeRun] {
        try read { connection in
            guard let project = try connection.project(project) else { return [] }
            return try connection.statement(.fullRunsOfTree)
                .all(tree, project, DeliveryRecord.mark(of: token), limit, Bytes(folder), row: RunSummary.init)
                .compactMap { try connection.treeRun($0) }
        }
    }

    /// The verdict of a run, without reading the run; `nil` if there is none with this id.
    public func verdict(of id: RunID) throws(StorageError) -> Verdict? {
        try read { connection in
            let key = try connection.statement(.runKey).first(id.description, row: { $0.integer(0) })
            return try key.map { try VerdictStorage(connection).verdict($0) }
        }
    }
}

/// A full run of a tree, with what decides whether it answers for the tree on another machine.
public struct TreeRun: Sendable, Hashable {
    /// The run as a list shows it.
    public var summary: RunSummary
    /// What it depends on besides its tree; `nil` for a run of no exact tree.
    public var inputs: RunInputs?
    /// The machine and the build that made it; `nil` if unknown.
    public var origin: RunOrigin?
    /// Whether evidence or files of the tree were missing.
    public var isIncomplete: Bool
    /// Whether a step or a test was ended by a time limit.
    public var isTimedOut: Bool
    /// Whether a test passed after it had failed.
    public var isFlaky: Bool
}

extension DeliveryRecord {
    /// The text that the stored record of a delivery with a token has in it. A name of a token needs no escapes.
    static func mark(of token: String) -> String { "\"token\":\"\(token)\"" }
}

extension Connection {
    fileprivate func treeRun(_ summary: RunSummary) throws -> TreeRun? {
        let details = try statement(.doubtsOfRun).first(summary.id.description) { row in
            (
                inputs: row.optionalInteger(0), origin: row.optionalInteger(1), isIncomplete: row.flag(2),
                isTimedOut: row.flag(3), isFlaky: row.flag(4)
            )
        }
        guard let details else { return nil }
        return TreeRun(
            summary: summary, inputs: try details.inputs.map { try decoded(RunInputs.self, from: $0) },
            origin: try details.origin.map { try decoded(RunOrigin.self, from: $0) },
            isIncomplete: details.isIncomplete, isTimedOut: details.isTimedOut || summary.outcomes[.timedOut] > 0,
            isFlaky: details.isFlaky)
    }
}
