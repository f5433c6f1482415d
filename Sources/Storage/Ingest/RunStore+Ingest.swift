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
    ///   - now: The time now, so that a clock that was wrong hides no later run; `nil` to order by the start alone.
    public func ingest(
        _ run: TestRun, verdict: Verdict, runDirectory: String?, now: Date? = nil
    ) throws(StorageError) -> IngestOutcome {
        let packed = try pack(verdict)
        return try write { connection in
            if let known = try connection.statement(.runKey).first(run.id.description, row: { $0.integer(0) }) {
                let stored = try connection.statement(.findings).all(known, true) { ReasonCode(rawValue: $0.text(0)) }
                let isCured = !run.gaps.contains { Self.isOfCopy($0.code) }
                let isCure = isCured && stored.contains { Self.isOfCopy($0) }
                let before = try connection.summary(of: run.id)?.delivery
                let isAttestation = before?.isAttested == false && run.isAttested
                guard isCure || isAttestation else { return .alreadyPresent }
                try Self.removeRows(of: known, connection)
            }
            var ingestion = try RunIngestion(
                connection, run: run, verdict: packed, runDirectory: runDirectory, now: now)
            try ingestion.store()
            return .stored
        }
    }

    /// Stores the verdict of a run on a commit, as it was judged at a moment; on disk when it returns. Does nothing if the run is not
    /// in the store.
    ///
    /// It replaces only the verdict of the same run on the same commit of the same branch against the same bases.
    public func add(
        _ verdict: Verdict, of id: RunID, on revision: Revision?, at moment: Date
    ) throws(StorageError) {
        let packed = try pack(verdict)
        try write { connection in
            let run = try connection.statement(
                "SELECT id, project, started_at, lines_total IS NOT NULL FROM run WHERE identity = ?1"
            ).first(id.description) { ($0.integer(0), $0.integer(1), $0.integer(2), $0.flag(3)) }
            guard let (row, project, startedAt, hasCoverage) = run, let summary = try connection.summary(of: id)
            else { return }
            if summary.trust.speaksForBranch, let history = revision?.history {
                try BranchPlaces(connection, project: project).note(history)
            }
            if summary.trust.speaksForBranch, var revision {
                // A run judges only commits of its own tree.
                revision.tree = summary.revision?.tree
                try StagedRuns(connection, project: project).note(revision)
            }
            try VerdictStorage(connection).add(
                packed, run: row,
                of: VerdictStorage.Subject(
                    project: project, revision: revision, speaksForBranch: summary.trust.speaksForBranch,
                    isPartial: summary.isPartial, hasCoverage: hasCoverage,
                    judgedAt: moment.nanosecondsSince1970 ?? startedAt),
                Interning(connection, project: project))
        }
    }

    /// How many bytes of JSON a verdict is stored as, before they are compressed.
    package static func storedBytes(of verdict: Verdict) throws -> Int {
        try PackedVerdict.json(of: verdict).utf8.count
    }

    /// Encodes a verdict, while others may write to the store.
    private func pack(_ verdict: Verdict) throws(StorageError) -> PackedVerdict {
        do { return try PackedVerdict(verdict) } catch { throw StorageError(error, path: path) }
    }

    /// Whether a gap may come from the copy and not from the run: a truncated file, a missing shard.
    private static func isOfCopy(_ code: ReasonCode?) -> Bool { code == .artifactDamaged || code == .shardMissing }
}

extension TestRun {
    /// Whether the team trusts where it came from: a token such as that of CI, or this machine, where nobody delivered it.
    var isAttested: Bool {
        guard let delivery else { return true }
        return delivery.isAttested
    }
}
