import Evidence
public import RunModel

extension TestRun {
    /// Reads a run directory that holds another runner's reports: by the strict rules of their ingestion.
    static func readForeign(
        _ manifest: RunManifest, in directory: RunDirectory, _ budget: EvidenceBudget
    ) throws(EvidenceError) -> TestRun {
        var reports: [ForeignReport] = []
        for artifact in manifest.artifacts
        where ForeignReport.Format.allCases.contains(where: { $0.role == artifact.role }) {
            reports.append(ForeignReport(path: artifact.path, copy: try directory.checkedLocation(of: artifact)))
        }
        var run = try TestRun.ingesting(
            reports, id: manifest.id, project: manifest.project, package: manifest.package, at: manifest.startedAt,
            packageRoot: manifest.packageRoot, maps: manifest.pathMaps ?? [], modules: manifest.modules, budget: budget
        )
        run.origin = manifest.origin
        run.gaps += manifest.gaps
        run.notes += manifest.notes
        if let revision = manifest.revision { run.claim(revision) }
        return run
    }
}

extension TestRun {
    /// Takes the revision that reports of another tool are said to be of. Nothing in them proves it, so it is marked.
    public mutating func claim(_ revision: Revision) {
        self.revision = revision
        guard let commit = revision.commit else { return }
        notes.append(Note(.commitTold, subject: commit, detail: "named when the reports were ingested"))
    }
}

extension ForeignReport.Format {
    /// How a manifest names a report of this format.
    var role: ArtifactRole {
        switch self {
        case .xunit: .xunit
        case .eventStream: .eventStream
        case .coverageExport: .coverageExport
        case .cobertura: .cobertura
        case .lcov: .lcov
        }
    }
}
