public import RunModel

extension RunDirectory {
    /// Keeps reports of another runner as a run directory, so that the store can be rebuilt from them too.
    ///
    /// - Parameters:
    ///   - reports: The reports, each with its digest.
    ///   - run: What `TestRun.ingesting` made of the same reports.
    public static func keep(
        _ reports: [(report: ForeignReport, sha256: String)],
        of run: TestRun,
        packageRoot: String,
        kanmonVersion: String,
        arguments: [String],
        attachments: [(role: ArtifactRole, file: String, bytes: [UInt8])],
        at path: String
    ) throws(EvidenceError) -> RunDirectory {
        let writer = try Writer(creating: path)
        var artifacts: [Artifact] = []
        for (number, (report, sha256)) in reports.enumerated() {
            // The reader tells formats apart by their content; the name given is kept for messages.
            let name = report.path.split(separator: "/").last.map(String.init) ?? "report"
            let role = try report.format().role
            artifacts.append(
                try writer.write(report.bytes, as: role, to: "reports/\(number + 1)-\(name)", sha256: sha256))
        }
        for attachment in attachments {
            artifacts.append(try writer.write(attachment.bytes, as: attachment.role, to: attachment.file))
        }
        var manifest = RunManifest.foreign(run, packageRoot: packageRoot)
        manifest.kanmonVersion = kanmonVersion
        manifest.arguments = arguments
        manifest.artifacts = artifacts
        return try writer.finish(manifest)
    }
}

extension TestRun {
    /// Reads a run directory that holds another runner's reports: by the strict rules of their ingestion.
    static func readForeign(_ manifest: RunManifest, in directory: RunDirectory) throws(EvidenceError) -> TestRun {
        var reports: [ForeignReport] = []
        for artifact in manifest.artifacts
        where ForeignReport.Format.allCases.contains(where: { $0.role == artifact.role }) {
            reports.append(ForeignReport(path: artifact.path, bytes: try directory.bytes(of: artifact)))
        }
        return try .ingesting(
            reports, id: manifest.runID, project: manifest.project, package: manifest.package, at: manifest.startedAt,
            packageRoot: manifest.packageRoot, modules: manifest.modules
        )
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
