public import Foundation
public import Gate
public import RunModel

extension RunStore {
    /// The newest run that answers for a tree: a full run without gaps, with the same inputs, and not too old.
    ///
    /// A failed build does not answer: what it needed from the network may be available now.
    public func reusableRun(
        ofTree tree: String, project: String, inputs: RunInputs, since: Date
    ) throws(StorageError) -> RunSummary? {
        guard inputs.isWhole else { return nil }
        return try read { connection in
            guard let project = try connection.project(project) else { return nil }
            let body = Bytes(try StoredJSON.encode(inputs))
            let id = try connection.statement(.reusableRun)
                .first(tree, project, since.nanosecondsSince1970 ?? .min, body) { try $0.runID(0) }
            return try id.flatMap { try connection.summary(of: $0) }
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

    /// The verdict of a run, without reading the run; `nil` if there is none with this id.
    public func verdict(of id: RunID) throws(StorageError) -> Verdict? {
        try read { connection in
            let key = try connection.statement(.runKey).first(id.description, row: { $0.integer(0) })
            return try key.map { try VerdictStorage(connection).verdict($0) }
        }
    }
}
