public import Gate
public import RunModel

public import struct Foundation.Date

/// The result of storing a run.
public enum IngestOutcome: Sendable, Hashable {
    /// It was stored.
    case stored
    /// It was stored before; nothing changed.
    case alreadyPresent
}

extension RunStore {
    /// Stores a run and its verdict in one transaction, unless a run with this id exists; on disk when it returns.
    ///
    /// A damaged copy of a run is replaced by the same run without damage, and one that came from a person's machine by the
    /// same run from where it is trusted. The output of tests stays in the run
    /// directory. Durations and the start are stored in whole nanoseconds.
    ///
    /// - Parameters:
    ///   - runDirectory: The folder of the evidence, if it is kept.
    ///   - now: What time it is, so that a clock that was wrong hides no later run; `nil` to order by the start alone.
    public func ingest(
        _ run: TestRun, verdict: Verdict, runDirectory: String?, now: Date? = nil
    ) throws(StorageError) -> IngestOutcome {
        try write { connection in
            if let known = try connection.statement(.runKey).first(run.id.description, row: { $0.integer(0) }) {
                let stored = try connection.statement(.findings).all(known, true) { ReasonCode(rawValue: $0.text(0)) }
                let isCured = !run.gaps.contains { Self.isOfCopy($0.code) }
                let isCure = isCured && stored.contains { Self.isOfCopy($0) }
                let before = try connection.summary(of: run.id)?.delivery
                let isAttestation = before?.isAttested == false && run.delivery?.isAttested ?? true
                guard isCure || isAttestation else { return .alreadyPresent }
                try Self.removeRows(of: known, connection)
            }
            var ingestion = try RunIngestion(
                connection, run: run, verdict: verdict, runDirectory: runDirectory, now: now)
            try ingestion.store()
            return .stored
        }
    }

    /// Replaces the verdict of a run that was judged again; on disk when it returns. A run that is not in the store
    /// is not added.
    public func replaceVerdict(of id: RunID, by verdict: Verdict) throws(StorageError) {
        try write { connection in
            let run = try connection.statement("SELECT id, project FROM run WHERE identity = ?1")
                .first(id.description) { (row: $0.integer(0), project: $0.integer(1)) }
            guard let run else { return }
            try VerdictStorage(connection)
                .replace(verdict, run: run.row, Interning(connection, project: run.project))
        }
    }

    /// Whether a gap may come from the copy and not from the run: a truncated file, a missing shard.
    private static func isOfCopy(_ code: ReasonCode?) -> Bool { code == .artifactDamaged || code == .shardMissing }
}
