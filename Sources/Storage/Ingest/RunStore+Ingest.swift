public import Gate
public import RunModel

/// What became of a run that was handed to the store.
public enum IngestOutcome: Sendable, Hashable {
    /// It was stored.
    case stored
    /// It was there already; nothing changed.
    case alreadyPresent
}

extension RunStore {
    /// Stores a run and its verdict in one transaction, unless a run of this id is there; durable when it returns.
    ///
    /// A run that came in as a damaged copy gives way to the same run without damage, because the run directory is the truth.
    /// What tests printed is left to the run directory. Durations and the beginning are kept in whole nanoseconds.
    ///
    /// - Parameter runDirectory: Where the evidence lies, where it is kept.
    public func ingest(
        _ run: TestRun, verdict: Verdict, runDirectory: String?
    ) throws(StorageError) -> IngestOutcome {
        try write { connection in
            if let known = try connection.statement(.runKey).first(run.id.description, row: { $0.integer(0) }) {
                let stored = try connection.statement(.findings).all(known, true) { ReasonCode(rawValue: $0.text(0)) }
                let isCured = !run.gaps.contains { Self.isOfCopy($0.code) }
                guard isCured, stored.contains(where: { Self.isOfCopy($0) }) else { return .alreadyPresent }
                try Self.removeRows(of: known, connection)
            }
            var ingestion = try RunIngestion(connection, run: run, verdict: verdict, runDirectory: runDirectory)
            try ingestion.store()
            return .stored
        }
    }

    /// Stores what the gate says of a run after it was judged again, in the place of what it said before; durable when it
    /// returns. A run that is not in the store, or no longer, stays away.
    public func replaceVerdict(of id: RunID, by verdict: Verdict) throws(StorageError) {
        try write { connection in
            let run = try connection.statement("SELECT id, project FROM run WHERE identity = ?1")
                .first(id.description) { (row: $0.integer(0), project: $0.integer(1)) }
            guard let run else { return }
            try VerdictStorage(connection)
                .replace(verdict, run: run.row, Interning(connection, project: run.project))
        }
    }

    /// Whether a gap may be one of the copy that was read, and not of the run: a file that was cut short on its way, a shard
    /// that was not handed over.
    private static func isOfCopy(_ code: ReasonCode?) -> Bool { code == .artifactDamaged || code == .shardMissing }
}
