import Evidence
public import Pages
import RunModel
public import Storage

extension DashboardData {
    /// Answers out of the store, and out of the run directories it knows for the text of sources.
    public init(_ store: RunStore) {
        self.init(
            projects: { try store.projects().map { ProjectListEntry(name: $0.name, runs: $0.runs) } },
            runs: { try store.entries(project: $0, before: $1, limit: $2) },
            run: { id in
                try store.run(id).map { stored in
                    JudgedRun(run: stored.run, verdict: stored.verdict, hasExecutionCounts: stored.hasExecutionCounts)
                }
            },
            sources: { id, paths in
                guard let folder = try store.summary(of: id)?.runDirectory else { return paths.map { _ in nil } }
                return try RunDirectory(path: folder).sources(paths)
            }
        )
    }
}

extension RunStore {
    /// A page of runs as a list shows them; `nil` when there is no run to continue behind.
    fileprivate func entries(project: String?, before: RunID?, limit: Int) throws(StorageError) -> [RunListEntry]? {
        do {
            return try runs(project: project, before: before, limit: limit).map { RunListEntry($0) }
        } catch .unknownRun {
            return nil
        }
    }
}

extension RunListEntry {
    /// A row of the store as a list shows it.
    public init(_ summary: RunSummary) {
        self.init(
            id: summary.id, project: summary.project, package: summary.package, revision: summary.revision,
            startedAt: summary.startedAt, duration: summary.duration, decision: summary.decision,
            exitStatus: summary.exitStatus, outcomes: summary.outcomes, lines: summary.lines
        )
    }
}

extension RunDirectory {
    /// The bytes of the sources at `paths`, found by the hash in the manifest: a path is compared and never opened.
    ///
    /// A folder that is gone keeps no sources; run directories are kept for a limited time only.
    func sources(_ paths: [String]) throws(EvidenceError) -> [[UInt8]?] {
        let kept: [KeptSource]
        do throws(EvidenceError) {
            kept = try manifest().sources
        } catch .notARunDirectory {
            return paths.map { _ in nil }
        }
        var found: [[UInt8]?] = []
        for path in paths {
            let source = kept.first { $0.path.utf8.elementsEqual(path.utf8) }
            if let source {
                found.append(try self.source(source.sha256))
            } else {
                found.append(nil)
            }
        }
        return found
    }
}
