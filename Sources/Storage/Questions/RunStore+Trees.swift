public import Foundation
public import Gate
public import RunModel

extension RunStore {
    /// The newest full run of a tree with the same inputs, if it is neither too old nor has gaps.
    ///
    /// If it has gaps, no older run answers in its place. A failed build does not answer: what it needed from the network may be
    /// available now.
    ///
    /// - Parameters:
    ///   - since: When it must have begun at the earliest.
    ///   - latest: When it must have begun at the latest: the age of a run that began in the future is unknown.
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
                ) { $0.flag(1) ? try $0.runID(0) : nil }
            return try (id ?? nil).flatMap { try connection.summary(of: $0) }
        }
    }

    /// The runs of one tree: the trusted before others, then full runs before partial ones, then the newest first.
    ///
    /// - Parameters:
    ///   - folder: Only runs of the package in this folder of the tree, empty for its top; of all when `nil`. A run whose
    ///     folder is unknown is in no folder.
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

    /// The runs of one tree in the same order, each with what it depends on besides the tree.
    ///
    /// - Parameter folder: That of the package in the tree, empty for its top.
    public func treeRuns(
        ofTree tree: String, at folder: String, project: String, limit: Int
    ) throws(StorageError) -> [TreeRun] {
        try read { connection in
            guard let project = try connection.project(project) else { return [] }
            return try connection.statement(.summariesOfTree)
                .all(tree, project, limit, Bytes(folder), row: RunSummary.init)
                .compactMap { try connection.treeRun($0) }
        }
    }

    /// The full runs of a tree that may answer for it on another machine: those that are trusted, then those that one token
    /// delivered, each the newest first.
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

    /// Whether a run has a gap of some kind; its verdict is not read.
    public func has(_ gap: ReasonCode, in id: RunID) throws(StorageError) -> Bool {
        try read { connection in
            try connection.statement(.gapOfRun).first(id.description, gap.rawValue) { _ in true } != nil
        }
    }

    /// A run's own verdict, without reading the run; `nil` if there is none with this id.
    public func ownVerdict(of id: RunID) throws(StorageError) -> Verdict? {
        try read { connection in
            let key = try connection.statement(.runKey).first(id.description, row: { $0.integer(0) })
            return try key.map { try VerdictStorage(connection).verdict($0) }
        }
    }

    /// The verdict that a summary tells, without reading the run: of a known tree, the newest on that commit. `nil` if the run is not
    /// stored any more.
    public func verdict(of told: RunSummary) throws(StorageError) -> Verdict? {
        guard let commit = told.judgedCommit else { return try ownVerdict(of: told.id) }
        return try read { connection in
            let key = try connection.statement(.runKey).first(told.id.description, row: { $0.integer(0) })
            return try key.flatMap { try VerdictStorage(connection).verdict($0, for: commit)?.0 }
        }
    }
}

extension RunStore {
    /// How many states of a branch are read at most.
    private static let mostStates = 20_000

    /// The verdict of a run on a commit against some bases, by `BaseCommit.key(of:)`; `nil` if there is none.
    public func verdict(of id: RunID, on commit: String?, against base: String) throws(StorageError) -> Verdict? {
        try read { connection in
            let key = try connection.statement(.runKey).first(id.description, row: { $0.integer(0) })
            return try key.flatMap {
                try VerdictStorage(connection).verdict($0, on: commit ?? "", against: base)
            }
        }
    }

    /// Whether exactly this verdict of a run on a commit of its branch is stored.
    public func has(_ verdict: Verdict, of id: RunID, on revision: Revision) throws(StorageError) -> Bool {
        try read { connection in
            guard let key = try connection.statement(.runKey).first(id.description, row: { $0.integer(0) }),
                let commit = revision.commit
            else { return false }
            let branch = revision.branch.map { Bytes($0) } ?? Bytes([])
            let row = try connection.statement(.verdictKeys)
                .first(key, commit, verdict.baseKey, branch, revision.attempt?.rawValue ?? "") { $0.integer(0) }
            guard row != nil else { return false }
            return try VerdictStorage(connection).verdict(key, on: commit, against: verdict.baseKey) == verdict
        }
    }

    /// The commits that were states of a branch, each with what the gate said of it the last time. One that let failures of its base through
    /// has not passed: it is nothing that others of the branch can be compared with.
    public func states(ofBranch branch: String, project: String) throws(StorageError) -> [String: Decision] {
        try read { connection in
            guard let project = try connection.project(project) else { return [:] }
            var states: [String: Decision] = [:]
            try connection.statement(.statesOfBranch).forEach(project, Bytes(branch), Self.mostStates) { row in
                let commit = row.text(0)
                if states[commit] == nil { states[commit] = try row.value(1, as: Decision.self) }
            }
            states[""] = nil
            return states
        }
    }
}

/// A full run of a tree, with what decides whether it answers for the tree on another machine.
public struct TreeRun: Sendable, Hashable {
    /// The run as a list shows it.
    public var summary: RunSummary
    /// Its inputs besides the tree; `nil` for a run of no exact tree.
    public var inputs: RunInputs?
    /// The machine and the build that made it; `nil` if unknown.
    public var origin: RunHost?
    /// Whether evidence or files of the tree were missing.
    public var isIncomplete: Bool
    /// Whether a step or a test was ended by a time limit.
    public var isTimedOut: Bool
    /// Whether a test passed after it had failed.
    public var isFlaky: Bool
}

extension DeliveryRecord {
    /// The text that the stored record of a delivery with a token contains. A name of a token needs no escapes.
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
            origin: try details.origin.map { try decoded(RunHost.self, from: $0) },
            isIncomplete: details.isIncomplete, isTimedOut: details.isTimedOut || summary.outcomes[.timedOut] > 0,
            isFlaky: details.isFlaky)
    }
}
