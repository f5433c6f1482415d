import RunModel

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
            reports, id: manifest.runID, project: manifest.project, package: manifest.package, at: manifest.startedAt,
            packageRoot: manifest.packageRoot, modules: manifest.modules, budget: budget
        )
        run.origin = manifest.origin
        return run
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
