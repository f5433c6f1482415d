import Evidence
import Foundation
import RunModel

extension RunExecution {
    /// Keeps the sources of the targets, each once, under the hash of its content.
    func keepSources(of modules: [Module]) throws(RunnerError) -> [KeptSource] {
        var kept: [KeptSource] = []
        for source in modules.flatMap(\.sourcePaths) {
            let original = "\(request.packageRoot)/\(source)"
            let bytes = try onFileSystem("read", original) { try Data(contentsOf: URL(filePath: original)) }
            kept.append(try keeping { () throws(EvidenceError) in try writer.keepSource(Array(bytes), as: source) })
        }
        return kept.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    }

    /// Adds the files that the caller wants in the run directory.
    func keepAttachments() throws(RunnerError) -> [Artifact] {
        try keeping { () throws(EvidenceError) in
            var artifacts: [Artifact] = []
            for attachment in request.attachments {
                artifacts.append(
                    try writer.write(Array(attachment.bytes), as: attachment.role, to: attachment.fileName))
            }
            return artifacts
        }
    }

    /// Takes every file into the account that a child wrote and that is evidence.
    func collectEvidence() throws(RunnerError) -> [Artifact] {
        try keeping { () throws(EvidenceError) in
            var artifacts: [Artifact] = []
            for (role, name) in Self.evidence {
                if let artifact = try writer.adopt(name, as: role) { artifacts.append(artifact) }
            }
            for folder in passes.compactMap(\.folder) { artifacts += try adoptPass(in: "\(folder)/") }
            return artifacts
        }
    }

    /// What is needed to read one pass while the run goes on.
    func evidence(of pass: TestPass) throws(RunnerError) -> [Artifact] {
        try keeping { () throws(EvidenceError) in
            var artifacts = try adoptPass(in: pass.folder.map { "\($0)/" } ?? "")
            for (role, name) in Self.lists {
                if let artifact = try writer.adopt(name, as: role) { artifacts.append(artifact) }
            }
            return artifacts
        }
    }

    private func adoptPass(in folder: String) throws(EvidenceError) -> [Artifact] {
        var artifacts: [Artifact] = []
        for (role, name) in Self.passEvidence {
            if let artifact = try writer.adopt(folder + name, as: role) { artifacts.append(artifact) }
        }
        return artifacts
    }

    private static let passEvidence: [(ArtifactRole, String)] = [
        (.transcript, RunFiles.Name.transcript),
        (.observerRecords, RunFiles.Name.observerRecords),
        (.eventStream, RunFiles.Name.eventStream),
        (.xunit, RunFiles.Name.swiftTestingXUnit),
        // What Swift Testing writes where XCTest is switched off.
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
        + [(.coverageExport, RunFiles.Name.coverageExport), (.functionNames, RunFiles.Name.functionNames)]
}

/// Works on the run directory; what it complains of is a reason to end the run.
func keeping<Value>(_ body: () throws(EvidenceError) -> Value) throws(RunnerError) -> Value {
    do throws(EvidenceError) {
        return try body()
    } catch {
        throw .runDirectory(error)
    }
}
