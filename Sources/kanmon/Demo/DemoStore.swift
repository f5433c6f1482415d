import Application
import Demo
import Evidence
import Foundation
import Gate
import RunModel
import Storage

/// Writes the demo history into a home like real runs: first run directories, then the store.
struct DemoStore {
    let home: Home

    /// Fills a home that holds no store yet.
    func fill(tell: (_ stored: Int, _ total: Int) -> Void) throws {
        guard !home.hasStore else {
            throw Problem(
                .usage, "\(home.path) already has a store", hint: "name another folder with --home, or leave out --home"
            )
        }
        home.prepare()
        let store = try RunStore(path: home.database)
        let histories = [DemoHistory.postcodes, .videoKit]
        let total = histories.reduce(0) { $0 + $1.count }
        var stored = 0
        for history in histories {
            var line: [TestRun] = []
            try history.forEach { judged, sources in
                let directory = try keep(sources, of: judged.run)
                _ = try store.ingest(judged.run, verdict: judged.verdict, runDirectory: directory.path)
                if let amended = DemoKnownTree(amending: judged) {
                    try store.add(amended.verdict, of: judged.run.id, on: amended.revision, at: amended.judgedAt)
                }
                let revision = judged.run.revision
                if revision?.branch == "main", revision?.isExact == true, !judged.run.isPartial {
                    line.append(judged.run)
                }
                stored += 1
                tell(stored, total)
            }
            if let culprit = Culprit(searchingIn: line), let project = line.last?.project {
                try store.add([ProjectCulprit(culprit, project: project)])
            }
        }
    }

    /// Writes the sources of a run, what its tests attached, and a manifest that names them; there is no other evidence,
    /// because nothing ran.
    private func keep(_ sources: [(path: String, bytes: [UInt8])], of run: TestRun) throws -> RunDirectory {
        let writer = try RunDirectory.Writer(creating: home.runDirectory(project: run.project, id: run.id))
        let sources = try sources.map { try writer.keepSource($0.bytes, as: $0.path) }
        let attached = Set(run.tests.flatMap(\.attachments).map(\.path))
        var artifacts: [Artifact] = []
        var entries: [KeptAttachment] = []
        for file in DemoAttachment.all where attached.contains(file.path) {
            let artifact = try writer.write(file.bytes, as: .attachment, to: file.path)
            artifacts.append(artifact)
            entries.append(
                KeptAttachment(file: "pass-1/\(file.name)", bytes: artifact.bytes, sha256: artifact.sha256))
        }
        var contents = RunManifest.Contents(
            kanmonVersion: Release.version, packageRoot: "/demo/\(run.package)", arguments: ["demo"])
        contents.gaps = run.gaps
        contents.artifacts = artifacts
        contents.sources = sources
        contents.attachments = entries
        return try writer.finish(RunManifest(run.head, run.facts, contents))
    }
}
