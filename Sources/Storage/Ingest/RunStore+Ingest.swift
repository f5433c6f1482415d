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
    /// What tests printed is left to the run directory. Durations and the beginning are kept in whole nanoseconds.
    ///
    /// - Parameter runDirectory: Where the evidence lies, where it is kept.
    public func ingest(
        _ run: TestRun, verdict: Verdict, runDirectory: String?
    ) throws(StorageError) -> IngestOutcome {
        try write { connection in
            let known = try connection.statement(.runKey).first(run.id.description) { _ in true }
            guard known == nil else { return .alreadyPresent }
            var ingestion = try RunIngestion(connection, run: run, verdict: verdict, runDirectory: runDirectory)
            try ingestion.store()
            return .stored
        }
    }
}
