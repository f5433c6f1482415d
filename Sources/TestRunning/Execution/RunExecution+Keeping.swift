import Evidence
import Foundation
import RunModel
import TestResults

extension RunExecution {
    /// Keeps the sources of the targets, each once, under the hash of its content.
    func keepSources(of modules: [Module]) throws(RunnerError) -> [KeptSource] {
        var kept: [KeptSource] = []
        for source in modules.flatMap(\.sourcePaths) {
            let original = "\(request.package.root)/\(source)"
            let bytes = try onFileSystem("read", original) { try Data(contentsOf: URL(filePath: original)) }
            kept.append(try keeping { () throws(EvidenceError) in try writer.keepSource(Array(bytes), as: source) })
        }
        return kept.sorted { Name($0.path) < Name($1.path) }
    }

    /// Adds the files that the caller wants in the run directory.
    func keepGivenFiles() throws(RunnerError) -> [Artifact] { try keep(request.givenFiles) }

    /// Adds what the deselected tests executed before, if coverage is estimated by it.
    func keepDeselectedLines() throws(RunnerError) -> [Artifact] {
        try keep(isEstimated ? request.tests.deselectedLines.map { [$0] } ?? [] : [])
    }

    /// Adds what came of new and changed tests that were repeated.
    func keepProbation() throws(RunnerError) -> [Artifact] { try keep(probationFile.map { [$0] } ?? []) }

    /// Adds the files that the caller makes of a run in which tests failed; `nil` if the caller makes none.
    func filesOnFailure(_ subject: Subject, _ sources: [KeptSource]) async throws(RunnerError) -> [Artifact]? {
        guard let makeFiles = request.filesOnFailure, !isCancelled,
            steps.contains(where: { $0.kind == .test && !$0.termination.isSuccess })
        else { return nil }
        let folders = passes.compactMap(\.folder)
        // A file that is refused now is refused and reported again at the end of the run.
        let evidence = try adopt(Self.passEvidence + Self.lists + folders.flatMap { Self.files(ofPassIn: $0) })
        let manifest = manifest(of: subject, artifacts: evidence.artifacts, sources: sources)
        // What cannot be read is a gap for whoever reads the finished directory.
        guard let run = try? TestRun.readTests(manifest, in: RunDirectory(path: writer.path)), !run.failures.isEmpty
        else { return nil }
        let files = await makeFiles(FailedRun(run, self))
        // No verdict depends on them, so that none is lost with them.
        return (try? keep(files)) ?? []
    }

    private func keep(_ files: [GivenFile]) throws(RunnerError) -> [Artifact] {
        try keeping { () throws(EvidenceError) in
            var artifacts: [Artifact] = []
            for file in files {
                artifacts.append(
                    try writer.write(Array(file.bytes), as: file.role, to: file.fileName))
            }
            return artifacts
        }
    }

    /// Keeps what the tests attached.
    func collectAttachments() throws(RunnerError) -> RunDirectory.KeptAttachments {
        try keeping { () throws(EvidenceError) in
            try writer.keepAttachments(
                in: files.attachments, passes: passes.map { $0.folder ?? RunFiles.firstPass })
        }
    }

    /// Records all evidence files that the children wrote.
    ///
    /// A file that is too large to be read back is a gap.
    mutating func collectEvidence() throws(RunnerError) -> [Artifact] {
        let folders = passes.compactMap(\.folder)
        let (artifacts, refused) = try adopt(Self.evidence + folders.flatMap { Self.files(ofPassIn: $0) })
        gaps += refused
        // So that the run is judged in the same way when it is read back.
        if !artifacts.contains(where: { $0.role == .coverageExport }) { export = nil }
        return artifacts
    }

    /// The evidence of one pass, to read it during the run.
    func evidence(of pass: TestPass) throws(RunnerError) -> [Artifact] {
        let own = pass.folder.map { Self.files(ofPassIn: $0) } ?? Self.passEvidence
        // A file that is refused now is refused and reported again at the end of the run.
        return try adopt(own + Self.lists).artifacts
    }

    private func adopt(
        _ files: [(ArtifactRole, String)]
    ) throws(RunnerError) -> (artifacts: [Artifact], refused: [Gap]) {
        var artifacts: [Artifact] = []
        var refused: [Gap] = []
        for (role, name) in files {
            do throws(EvidenceError) {
                if let artifact = try writer.adopt(name, as: role) { artifacts.append(artifact) }
            } catch {
                switch error {
                case .tooLarge(_, let reason), .damaged(_, let reason):
                    refused.append(Gap(.artifactDamaged, subject: name, detail: reason))
                default: throw .runDirectory(error)
                }
            }
        }
        return (artifacts, refused)
    }

    private static func files(ofPassIn folder: String) -> [(ArtifactRole, String)] {
        passEvidence.map { ($0.0, "\(folder)/\($0.1)") }
    }

    private static let passEvidence: [(ArtifactRole, String)] = [
        (.transcript, RunFiles.Name.transcript),
        (.observerRecords, RunFiles.Name.observerRecords),
        (.eventStream, RunFiles.Name.eventStream),
        (.xunit, RunFiles.Name.swiftTestingXUnit),
        // The report of Swift Testing if XCTest is switched off.
        (.xunit, RunFiles.Name.xunit),
    ]
    private static let lists: [(ArtifactRole, String)] = [
        (.xctestList, RunFiles.Name.xctestList),
        (.swiftTestingList, RunFiles.Name.swiftTestingList),
    ]
    private static let evidence =
        [
            (ArtifactRole.scriptLog, RunFiles.Name.beforeLog), (.scriptLog, RunFiles.Name.afterLog),
            (.buildLog, RunFiles.Name.buildLog),
        ] + passEvidence + lists
        + [
            (.coverageExport, RunFiles.Name.coverageExport), (.functionNames, RunFiles.Name.functionNames),
            (.testMap, RunFiles.Name.testMap),
        ]
}

/// Accesses the run directory; an error ends the run.
func keeping<Value>(_ body: () throws(EvidenceError) -> Value) throws(RunnerError) -> Value {
    do throws(EvidenceError) {
        return try body()
    } catch {
        throw .runDirectory(error)
    }
}
