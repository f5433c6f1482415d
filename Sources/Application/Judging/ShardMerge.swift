import Evidence
import Gate
import RunModel
import TestResults

/// Merges the run directories of shards into one run.
package struct ShardMerge: Sendable {
    let checkpoint: Checkpoint

    package init(checkpoint: Checkpoint) { self.checkpoint = checkpoint }

    private var process: ProcessContext { checkpoint.process }

    /// Merges, judges and stores. A folder without a run is a missing shard, which the verdict names.
    package func merge(_ paths: [String], expected: Int) throws -> Judgement {
        var shards: [RunDirectory] = []
        var gaps: [Gap] = []
        for path in paths {
            let directory = runDirectory(in: path)
            do throws(EvidenceError) {
                try directory.manifest().checkTime(now: process.now, path: directory.path)
                shards.append(directory)
            } catch {
                guard error.isBadInput else { throw error }
                gaps.append(Gap(.shardMissing, subject: path, detail: "it holds no run: \(error)"))
            }
        }
        guard !shards.isEmpty else {
            throw Problem(
                .badInput, "none of the folders holds a run: \(paths.joined(separator: ", "))",
                hint: "name the run directories of the shards, or their --out folders")
        }
        let home = checkpoint.home
        home.prepare()
        let directory = try RunDirectory.merge(
            shards, expected: expected, gaps: gaps, kanmonVersion: Release.version, arguments: process.arguments
        ) { home.runDirectory(project: $0.project, id: $0.id) }
        do {
            return try checkpoint.judge(directory)
        } catch let error as PolicyError {
            // The policy is invalid, so the run cannot be judged, neither now nor at a rebuild.
            try RunArchive(home: home).remove(directory)
            throw error
        }
    }

    /// The folder itself, or `run` in a folder of `--out`.
    private func runDirectory(in path: String) -> RunDirectory {
        let folder = RunDirectory(path: process.real(path))
        let published = RunDirectory(path: folder.path + "/run")
        return !folder.isThere && published.isThere ? published : folder
    }
}
